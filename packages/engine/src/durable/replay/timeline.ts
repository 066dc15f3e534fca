import type { CompiledWorkflow } from '#core/node.ts'
import { payloadSize } from '#core/payload.ts'
import type { Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import type { ReplaySource } from './replay.ts'
import { createTimelineWalk, isOpen, type TimelineEntry, type TimelineSource } from './timeline-walk.ts'

export interface PageOptions {
  /** Whether the execution has ended: its open tasks are then `cancelled`, not `running`. */
  readonly ended: boolean
  /** Index of the first entry. */
  readonly from: number
  /** Entries at most. */
  readonly limit: number
  /** Approximate bound on the characters of inputs and outputs in one page; unbounded by default. A page has at least one entry. */
  readonly charactersMax?: number
  /** Only the entries of the task with this reference. */
  readonly task?: string | undefined
  readonly turn?: Turn | undefined
}

/** A part of a timeline, in the order in which the tasks began. */
export interface TimelinePage {
  readonly entries: readonly { readonly index: number; readonly entry: TimelineEntry }[]
  /** Index at which the next page begins; undefined for the last one. */
  readonly next: number | undefined
}

/** Replays an execution until later journal entries cannot change the page. */
export function* timelinePage(
  workflow: CompiledWorkflow,
  source: TimelineSource & ReplaySource,
  options: PageOptions,
): Interruptible<TimelinePage> {
  const { from, limit, task } = options
  const walk = createTimelineWalk(workflow, source, options.turn)
  walk.noteFailures(source.entries)
  const matching: number[] = []
  let inspected = from

  /** Whether the walk has reached the entry after the page, and all entries of the page have ended. */
  function isWhole(): boolean {
    for (; inspected < walk.entries.length && matching.length <= limit; inspected++)
      if (task === undefined || walk.entries[inspected]?.reference === task) matching.push(inspected)
    return matching.length > limit && matching.slice(0, limit).every((index) => !isOpenAt(index))
  }

  function isOpenAt(index: number): boolean {
    const entry = walk.entries[index]
    return entry !== undefined && isOpen(entry)
  }

  yield* walkUntil(walk.begin(), isWhole)
  for (const entry of source.entries) {
    if (isWhole()) break
    yield* walkUntil(walk.deliver(entry), isWhole)
  }
  if (options.ended && !isWhole()) yield* walkUntil(walk.end(), isWhole)
  isWhole()
  const entries = matching.slice(0, limit).flatMap((index) => {
    const entry = walk.entries[index]
    return entry === undefined ? [] : [{ index, entry }]
  })
  const fitting = countFitting(entries, options.charactersMax ?? Number.POSITIVE_INFINITY)
  return { entries: entries.slice(0, fitting), next: fitting < entries.length ? entries[fitting]?.index : matching[limit] }
}

/** Counts the entries that have at most `charactersMax` characters together; at least one. */
function countFitting(entries: TimelinePage['entries'], charactersMax: number): number {
  let characters = 0
  const excess = entries.findIndex(({ entry: { input = null, output = null } }, at) => {
    characters += payloadSize(input) + payloadSize(output)
    return characters > charactersMax && at > 0
  })
  return excess === -1 ? entries.length : excess
}

/** Continues a walk until it ends, or until `isEnough` returns true at an interruption. */
function* walkUntil(walk: Interruptible<unknown>, isEnough: () => boolean): Interruptible<void> {
  for (let step = walk.next(); step.done !== true && !isEnough(); ) step = walk.next(yield step.value)
}
