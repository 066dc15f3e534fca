import type { TimelineEntry } from '#src/run/use-run.ts'

/** Something that happened to a task: it began, or it ended. */
export interface Moment {
  readonly atMs: number
  /** Index of the entry. */
  readonly index: number
  readonly ended: boolean
}

/** What happened in a run, in order, with the moments of each entry. */
export interface Moments {
  readonly entries: readonly TimelineEntry[]
  readonly list: readonly Moment[]
  /** By entry: how many moments had passed when it had begun, and when it had ended; Infinity for one that is open. */
  readonly begun: readonly number[]
  readonly over: readonly number[]
}

/** Orders the begins and ends of the entries, which are in the order of their begin. A task that takes no time is one moment. */
export function momentsOf(entries: readonly TimelineEntry[]): Moments {
  const list: Moment[] = []
  const begun = entries.map(() => Number.POSITIVE_INFINITY)
  const over = entries.map(() => Number.POSITIVE_INFINITY)
  let open: { readonly index: number; readonly endMs: number; readonly position: string }[] = []
  const close = (isOver: (task: (typeof open)[number]) => boolean) => {
    const ending = open.filter(isOver)
    if (ending.length === 0) return
    open = open.filter((task) => !isOver(task))
    // What began later is inside what began before, so it ends first.
    for (const { index, endMs } of ending.toSorted((one, other) => one.endMs - other.endMs || other.index - one.index)) {
      list.push({ atMs: endMs, index, ended: true })
      over[index] = list.length
    }
  }
  for (const [index, entry] of entries.entries()) {
    const atMs = Date.parse(entry.startedAt)
    close(({ endMs, position }) => endMs < atMs || (endMs === atMs && !isInside(entry.position, position)))
    const endMs = entry.endedAt === null ? undefined : Date.parse(entry.endedAt)
    const isPoint = endMs === atMs && !isInside(entries[index + 1]?.position ?? '', entry.position)
    list.push({ atMs, index, ended: isPoint })
    begun[index] = list.length
    if (isPoint) over[index] = list.length
    else if (endMs !== undefined) open.push({ index, endMs, position: entry.position })
  }
  close(() => true)
  return { entries, list, begun, over }
}

/** The entries as they were after so many moments. */
export function entriesAfter(
  { entries, begun, over }: Moments,
  count: number,
  waits: (entry: TimelineEntry) => boolean,
): readonly TimelineEntry[] {
  return entries.flatMap((entry, index) => {
    if ((begun[index] ?? 0) > count) return []
    if ((over[index] ?? 0) <= count) return [entry]
    const { output: _output, outputReference: _reference, error: _error, ...rest } = entry
    return [{ ...rest, state: waits(entry) ? ('waiting' as const) : ('running' as const), endedAt: null }]
  })
}

/** Positions grow by a part, an iteration, a visit or an attempt. */
function isInside(position: string, outer: string): boolean {
  return position.startsWith(outer) && /^[/[~!]/.test(position.slice(outer.length))
}
