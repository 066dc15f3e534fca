import { type Bar, worst } from '#src/run/bars.ts'
import { criticalPath } from '#src/run/critical-path.ts'
import { timeScale, type TimeScale } from '#src/run/time-scale.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'

/** One task of the timeline. */
export interface TimelineRow {
  readonly reference: string
  readonly name: string
  /** How many loops it is in. */
  readonly depth: number
  readonly failed: boolean
  /** Whether it decided how long the run took, while others worked at the same time. */
  readonly critical: boolean
  /** Rounds of a loop. */
  readonly rounds: number | undefined
  readonly bars: readonly Bar[]
}

export interface TimelineDrawing {
  readonly rows: readonly TimelineRow[]
  readonly scale: TimeScale
  readonly wholeMs: number
  readonly fromMs: number
  /** How many tasks it shows, over rounds and tries. */
  readonly entries: number
}

const containers = new Set(['do', 'fork', 'try'])

/** Rows and bars of the entries. @param waits whether the task waits for people, events or time. */
export function timelineOf(entries: readonly TimelineEntry[], waits: (reference: string) => boolean, nowMs: number): TimelineDrawing {
  const endOf = ({ endedAt }: TimelineEntry) => (endedAt === null ? nowMs : Date.parse(endedAt))
  const shown = entries.filter(({ kind, state }) => !containers.has(kind) && state !== 'skipped')
  const leaves = shown.filter(({ kind }) => kind !== 'for')
  const times = leaves.map((entry) => ({ entry, from: Date.parse(entry.startedAt), to: endOf(entry) }))
  const scale = timeScale(
    times.flatMap(({ entry, from, to }) =>
      entry.state === 'waiting' || waits(entry.reference)
        ? [
            { from, to: from },
            { from: to, to },
          ]
        : [{ from, to }],
    ),
  )
  const path = criticalPath(times.map(({ entry, from, to }) => ({ key: entry.position, from, to })))
  const decided =
    path.size === times.length ? [] : times.filter(({ entry }) => path.has(entry.position)).map(({ entry }) => entry.reference)
  const critical = new Set(decided)
  const loops = [...new Set(shown.flatMap(({ kind, reference }) => (kind === 'for' ? [reference] : [])))]
  const rows = [...Map.groupBy(shown, ({ reference }) => reference)].map(([reference, own]): TimelineRow => {
    const last = own.at(-1)
    const isLoop = last?.kind === 'for'
    const drawn = isLoop ? roundsOf(times.filter(({ entry }) => entry.reference.startsWith(`${reference}/`))) : own
    return {
      reference,
      name: last?.name ?? '',
      depth: loops.filter((loop) => reference.startsWith(`${loop}/`)).length,
      failed: last?.state === 'faulted',
      critical: critical.has(reference),
      rounds: isLoop ? drawn.length : undefined,
      bars: drawn.map((entry) => ({
        key: 'position' in entry ? entry.position : entry.key,
        from: scale.at('position' in entry ? Date.parse(entry.startedAt) : entry.from),
        to: scale.at('position' in entry ? endOf(entry) : entry.to),
        look: 'position' in entry ? barLook(entry, entry === last, waits(reference)) : entry.look,
      })),
    }
  })
  const fromMs = times[0]?.from ?? nowMs
  return { rows, scale, wholeMs: times.reduce((most, { to }) => Math.max(most, to - fromMs), 0), fromMs, entries: leaves.length }
}

interface Round {
  readonly key: string
  readonly from: number
  readonly to: number
  readonly look: string
}

/** A bar for each round of a loop, from its first task to its last. */
function roundsOf(inside: readonly { readonly entry: TimelineEntry; readonly from: number; readonly to: number }[]): readonly Round[] {
  const depth = inside.reduce((least, { entry }) => Math.min(least, entry.iteration.length), Number.POSITIVE_INFINITY)
  const rounds = new Map<string, Round>()
  for (const { entry, from, to } of inside) {
    const key = entry.iteration.slice(0, depth).join('.')
    const before = rounds.get(key)
    rounds.set(key, {
      key,
      from: Math.min(before?.from ?? from, from),
      to: Math.max(before?.to ?? to, to),
      look: worst(before?.look ?? '', entry.state === 'faulted' ? 'bad' : entry.state === 'caught' ? 'caught' : ''),
    })
  }
  return [...rounds.values()]
}

/** A failed try that was retried is outlined, the last one is filled. */
function barLook({ state }: TimelineEntry, last: boolean, waits: boolean): string {
  if (state === 'faulted') return last ? 'bad' : 'fail'
  if (state === 'caught') return 'caught'
  if (state === 'waiting' || waits) return 'wait'
  return state === 'cancelled' ? 'soft' : ''
}
