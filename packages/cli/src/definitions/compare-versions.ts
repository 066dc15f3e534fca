/** Orders semantic versions, lowest first; a pre-release comes before its release (Semantic Versioning 2.0.0, clause 11). */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [split(one), split(other)]
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) return b.preRelease.length - a.preRelease.length
  return comparePreReleases(a.preRelease, b.preRelease)
}

function split(version: string): { readonly numbers: readonly number[]; readonly preRelease: readonly string[] } {
  const [core = '', ...rest] = (version.split('+')[0] ?? '').split('-')
  const preRelease = rest.join('-')
  return { numbers: core.split('.').map(Number), preRelease: preRelease === '' ? [] : preRelease.split('.') }
}

function comparePreReleases(one: readonly string[], other: readonly string[]): number {
  for (const [index, part] of one.entries()) {
    const against = other[index]
    if (against === undefined) return 1
    if (part === against) continue
    const [numeric, againstNumeric] = [/^\d+$/.test(part), /^\d+$/.test(against)]
    if (numeric && againstNumeric) return Number(part) - Number(against)
    if (numeric !== againstNumeric) return numeric ? -1 : 1
    return part < against ? -1 : 1
  }
  return one.length - other.length
}
