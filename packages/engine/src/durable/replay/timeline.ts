import type { CompiledWorkflow } from '#core/node.ts'
import { payloadSize } from '#core/payload.ts'
import type { Turn } from '#core/work.ts'
import type { Interruptible } from './interruptible.ts'
import type { ReplaySource } from './replay.ts'
import { createTimelineWalk, isOpen, type TimelineEntry } from './timeline-walk.ts'

export interface PageOptions {
  /** Whether the execution has ended: tasks that have not are then `cancelled`, not `running`. */
  readonly ended: boolean
  /** Index of the first entry. */
  readonly from: number
  /** Entries at most. */
  readonly limit: number
  /** Characters of their inputs and outputs at most, about; one entry is always given. Any number unless given. */
  readonly charactersMax?: number
  /** Only the entries of the task with this reference. */
  readonly task?: string | undefined
  readonly turn?: Turn | undefined
}

/** A part of what the tasks of an execution did, in the order of their beginnings. */
export interface TimelinePage {
  readonly entries: readonly { readonly index: number; readonly entry: TimelineEntry }[]
  /** Index at which the next page begins; undefined for the last one. */
  readonly next: number | undefined
}

/** Walks an execution over its journal until nothing that comes after can change the page. */
export function* timelinePage(workflow: CompiledWorkflow, source: ReplaySource, options: PageOptions): Interruptible<TimelinePage> {
  const { from, limit, task } = options
  const walk = createTimelineWalk(workflow, source, options.turn)
  walk.foresee(source.entries)
  const found: number[] = []
  let looked = from

  /** Whether the entries of the page and the one after it are there, and those of the page have come to their ends. */
  function isWhole(): boolean {
    for (; looked < walk.entries.length && found.length <= limit; looked++)
      if (task === undefined || walk.entries[looked]?.reference === task) found.push(looked)
    return found.length > limit && found.slice(0, limit).every((index) => !isOpenAt(index))
  }

  function isOpenAt(index: number): boolean {
    const entry = walk.entries[index]
    return entry !== undefined && isOpen(entry)
  }

  yield* until(walk.begin(), isWhole)
  for (const entry of source.entries) {
    if (isWhole()) break
    yield* until(walk.deliver(entry), isWhole)
  }
  if (options.ended && !isWhole()) yield* until(walk.end(), isWhole)
  isWhole()
  const entries = found.slice(0, limit).flatMap((index) => {
    const entry = walk.entries[index]
    return entry === undefined ? [] : [{ index, entry }]
  })
  const fitting = fittingIn(entries, options.charactersMax ?? Number.POSITIVE_INFINITY)
  return { entries: entries.slice(0, fitting), next: fitting < entries.length ? entries[fitting]?.index : found[limit] }
}

/** How many of the entries have so many characters together; one at least. */
function fittingIn(entries: TimelinePage['entries'], charactersMax: number): number {
  let characters = 0
  const excess = entries.findIndex(({ entry: { input = null, output = null } }, at) => {
    characters += payloadSize(input) + payloadSize(output)
    return characters > charactersMax && at > 0
  })
  return excess === -1 ? entries.length : excess
}

/** Walks on until the walk ends, or stands still when enough is known. */
function* until(walk: Interruptible<unknown>, isEnough: () => boolean): Interruptible<void> {
  for (let step = walk.next(); step.done !== true && !isEnough(); ) step = walk.next(yield step.value)
}
