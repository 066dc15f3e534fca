/** The longest subsequence of two orders of the same distinct texts: what stays in place when the rest moves. */
export function longestCommon(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const place = new Map(before.map((text, index) => [text, index]))
  const order = after.map((text) => place.get(text) ?? -1)
  /** For each length, the index in `after` at which the best sequence of this length ends. */
  const ends: number[] = []
  const previous: (number | undefined)[] = []
  for (const [index, value] of order.entries()) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((order[ends[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous.push(low === 0 ? undefined : ends[low - 1])
    ends[low] = index
  }
  const kept = new Set<string>()
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) kept.add(after[at] ?? '')
  return kept
}
