/** A function in one version; versions are semantic. */
interface Versioned {
  readonly name: string
  readonly version: string
}

/** The function of the default catalog for a call: the given version, or else the newest that is not a pre-release. */
export function catalogFunction<Function extends Versioned>(
  functions: readonly Function[],
  name: string,
  version: string | undefined,
): Function | undefined {
  const named = functions.filter((candidate) => candidate.name === name)
  if (version !== undefined) return named.find((candidate) => candidate.version === version)
  const final = named.filter((candidate) => !candidate.version.includes('-'))
  return (final.length > 0 ? final : named).toSorted((one, other) => compareVersions(other.version, one.version))[0]
}

/** The order of semantic versions, by the rules of their specification (semver.org, 11); positive when the first is newer. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [partsOf(one), partsOf(other)]
  const byNumbers = compareLists(a.numbers, b.numbers)
  if (byNumbers !== 0 || a.preview === b.preview) return byNumbers
  if (a.preview === '' || b.preview === '') return a.preview === '' ? 1 : -1
  return compareLists(a.preview.split('.'), b.preview.split('.'))
}

function partsOf(version: string): { readonly numbers: readonly string[]; readonly preview: string } {
  const [, numbers = '', preview = ''] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? []
  return { numbers: numbers.split('.'), preview }
}

function compareLists(one: readonly string[], other: readonly string[]): number {
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const order = compareParts(one[index] ?? '', other[index] ?? '')
    if (order !== 0) return order
  }
  return one.length - other.length
}

/** Numbers are compared by value and precede words; words are compared by their characters. */
function compareParts(one: string, other: string): number {
  const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (a && b) return Number(one) - Number(other)
  if (a !== b) return a ? -1 : 1
  return one === other ? 0 : one < other ? -1 : 1
}
