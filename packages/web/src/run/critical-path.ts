/** One task of a run, in milliseconds of the clock. */
export interface Spell {
  readonly key: string
  readonly from: number
  readonly to: number
}

/** The tasks that decided how long a run took, by their keys: the one that ended last, the one that ended last before it began, and so on. */
export function criticalPath(spells: readonly Spell[]): ReadonlySet<string> {
  const ordered = spells.map((spell, index) => ({ ...spell, index })).toSorted((one, other) => one.to - other.to || one.index - other.index)
  const path = new Set<string>()
  let next = ordered.at(-1)
  for (let at = ordered.length - 1; at >= 0 && next !== undefined; at--) {
    const spell = ordered[at]
    if (spell === undefined || (path.size > 0 && spell.to > next.from)) continue
    path.add(spell.key)
    next = spell
  }
  return path
}
