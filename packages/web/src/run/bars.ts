/** A bar of the timeline, in shares of its width. */
export interface Bar {
  readonly key: string
  readonly from: number
  readonly to: number
  readonly look: string
}

/** Rows with more bars are drawn as cells of this many columns, so that the page does not grow with the number of rounds. */
const barsMax = 120
const columns = 240

/** What is shown of bars that share a column: a failure before anything else. */
const rank = ['', 'soft', 'wait', 'caught', 'fail', 'bad']

export function worst(one: string, other: string): string {
  return rank.indexOf(one) < rank.indexOf(other) ? other : one
}

/** Bars that a screen can show: neighbours of one look become one, and of those that share a column the worst is seen. */
export function drawable(bars: readonly Bar[]): readonly Bar[] {
  if (bars.length <= barsMax) return bars
  const ranks = Array.from({ length: columns }, () => -1)
  for (const { from, to, look } of bars) {
    const last = Math.min(columns - 1, Math.max(Math.floor(from * columns), Math.ceil(to * columns) - 1))
    for (let column = Math.min(columns - 1, Math.floor(from * columns)); column <= last; column++)
      ranks[column] = Math.max(ranks[column] ?? -1, rank.indexOf(look))
  }
  const drawn: Bar[] = []
  for (const [column, at] of ranks.entries()) {
    const look = rank[at]
    if (look === undefined) continue
    const before = drawn.at(-1)
    const bar = { key: String(column), from: column / columns, to: (column + 1) / columns, look }
    if (before?.look === look && before.to === bar.from) drawn[drawn.length - 1] = { ...before, to: bar.to }
    else drawn.push(bar)
  }
  return drawn
}
