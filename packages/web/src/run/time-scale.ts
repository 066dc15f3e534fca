/** A stretch in which something was busy, in milliseconds of the clock. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Idle time that is drawn as a fold. */
export interface Fold {
  /** Shares of the whole width. */
  readonly at: number
  readonly width: number
  readonly ms: number
}

export interface TimeScale {
  /** The share of the whole width at which a time is. */
  at(time: number): number
  /** The time at a share of the whole width. */
  timeAt(share: number): number
  readonly folds: readonly Fold[]
  readonly busyMs: number
}

const foldMsMin = 2000
/** Idle time of so many times the median busy stretch is folded. */
const foldFactor = 5
const foldShare = 0.07

/** A scale on which long idle time takes little room, so that a wait of days does not flatten the work around it. */
export function timeScale(stretches: readonly Stretch[]): TimeScale {
  const busy = merged(stretches)
  const first = busy[0]
  if (first === undefined) return { at: () => 0, timeAt: () => 0, folds: [], busyMs: 0 }
  const lengths = busy.map(({ from, to }) => to - from).toSorted((one, other) => one - other)
  const limit = Math.max(foldMsMin, foldFactor * (lengths[Math.floor(lengths.length / 2)] ?? 0))
  const pieces = piecesOf(busy, limit)
  const folded = pieces.filter((piece) => piece.fold).length
  const shown = pieces.reduce((sum, piece) => sum + (piece.fold ? 0 : piece.to - piece.from), 0)
  const fold = folded === 0 ? 0 : shown === 0 ? 1 / folded : Math.min(foldShare, 0.4 / folded)
  const perMs = (1 - fold * folded) / Math.max(1, shown)
  let place = 0
  const placed = pieces.map((piece) => {
    const width = piece.fold ? fold : (piece.to - piece.from) * perMs
    place += width
    return { ...piece, at: place - width, width }
  })
  return {
    busyMs: busy.reduce((sum, { from, to }) => sum + to - from, 0),
    folds: placed.filter((piece) => piece.fold).map(({ at, width, from, to }) => ({ at, width, ms: to - from })),
    timeAt: (share) => {
      const piece = placed[firstIndex(placed, ({ at, width }) => share <= at + width)] ?? placed.at(-1)
      if (piece === undefined) return first.from
      return piece.from + ((piece.to - piece.from) * Math.min(piece.width, Math.max(0, share - piece.at))) / Math.max(piece.width, 1e-9)
    },
    at: (time) => {
      const piece = placed[firstIndex(placed, ({ to }) => time <= to)] ?? placed.at(-1)
      if (piece === undefined || time <= piece.from) return piece?.at ?? 0
      return Math.min(1, piece.at + (piece.width * (Math.min(time, piece.to) - piece.from)) / Math.max(1, piece.to - piece.from))
    },
  }
}

/** The index of the first item that fits, of items that fit from some index on. */
function firstIndex<T>(items: readonly T[], fits: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && fits(item)) high = middle
    else low = middle + 1
  }
  return low
}

function piecesOf(busy: readonly Stretch[], limit: number): readonly (Stretch & { readonly fold: boolean })[] {
  return busy.flatMap((stretch, index) => {
    const before = busy[index - 1]
    const own = { ...stretch, fold: false }
    return before === undefined ? [own] : [{ from: before.to, to: stretch.from, fold: stretch.from - before.to > limit }, own]
  })
}

/** The union of the stretches, in order. */
function merged(stretches: readonly Stretch[]): readonly Stretch[] {
  const union: Stretch[] = []
  for (const stretch of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = union.at(-1)
    if (last === undefined || stretch.from > last.to) union.push(stretch)
    else union[union.length - 1] = { from: last.from, to: Math.max(last.to, stretch.to) }
  }
  return union
}
