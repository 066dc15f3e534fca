/** A duration of a definition in short: an ISO 8601 text, an expression, or its parts. */
export function durationText(value: unknown): string {
  if (typeof value === 'string') return value.replace(/^\$\{\s*|\s*\}$/g, '')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([unit, count]) => `${String(count)} ${unit}`)
    .join(' ')
}
