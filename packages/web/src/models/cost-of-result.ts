const microsPerUnit = 1_000_000

/** What the result of a model or of an agent says it cost; undefined for another value. */
export function costOfResult(value: unknown): number | undefined {
  const result = membersOf(value)
  const { inputTokens, costMicros } = membersOf(result['usage'])
  if (typeof inputTokens === 'number' && typeof costMicros === 'number') return costMicros / microsPerUnit
  const cost = result['cost']
  return typeof result['inputTokens'] === 'number' && typeof cost === 'number' ? cost : undefined
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value)
