/** Years of dates that people fill in: others are slips such as 0026. */
export const formYears = { first: 1900, last: 2200 } as const

/** What is unlikely of a value that a person filled in for a member of a JSON Schema. A schema with a `pattern` decides itself. */
export function unlikelyValue(
  schema: { readonly format?: unknown; readonly pattern?: unknown },
  value: unknown,
): 'email' | 'year' | undefined {
  const { format, pattern } = schema
  if (typeof value !== 'string' || pattern !== undefined) return undefined
  // Without an @ it is no address at all, which the schema says.
  if (format === 'email') return !value.includes('@') || hasDottedDomain(value) ? undefined : 'email'
  if (format !== 'date' && format !== 'date-time') return undefined
  const [, digits] = /^([+-]?\d{4,6})-\d\d-\d\d/.exec(value) ?? []
  const year = Number(digits ?? formYears.first)
  return year >= formYears.first && year <= formYears.last ? undefined : 'year'
}

/** Addresses of people have a domain such as example.com; that of a machine alone, as in `ada@example`, is one that was not finished. */
function hasDottedDomain(address: string): boolean {
  const labels = address.slice(address.lastIndexOf('@') + 1).split('.')
  return labels.length > 1 && !labels.includes('')
}
