import type { JsonValue } from '@millrace/contract'

type Members = Readonly<Record<string, JsonValue>>

const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

/** The smallest JSON merge patch (RFC 7396) that turns `from` into `to`; undefined when they are equal. */
export function mergePatch(from: unknown, to: JsonValue): JsonValue | undefined {
  const before = membersOf(from)
  const after = membersOf(to)
  if (before === undefined || after === undefined) return JSON.stringify(from) === JSON.stringify(to) ? undefined : to
  const patch: Record<string, JsonValue> = {}
  for (const key of Object.keys(before)) if (!(key in after)) patch[key] = null
  for (const [key, value] of Object.entries(after)) {
    const changed = key in before ? mergePatch(before[key], value) : value
    if (changed !== undefined) patch[key] = changed
  }
  return Object.keys(patch).length === 0 ? undefined : patch
}
