import { type CompiledWorkflow, type JournalEntry, type TimelineEntry, timelineOf } from '@millrace/engine'
import * as z from 'zod'
import { toTypeId } from '#platform/ids/index.ts'
import { decodeCursor, encodeCursor } from '#platform/paging/cursor.ts'
import { type Execution, hasEnded } from './model.ts'
import { parseJson } from './store.ts'

export interface TimelineOptions {
  readonly limit: number
  readonly cursor: string | undefined
  /** Only the entries of the task with this reference. */
  readonly task: string | undefined
}

/** A page of the timeline; each entry with a cursor at which a page begins with it. */
export interface Timeline {
  readonly entries: readonly { readonly entry: TimelineEntry; readonly cursor: string }[]
  readonly nextCursor: string | undefined
}

export interface TimelineSource {
  readonly workflow: CompiledWorkflow
  readonly execution: Execution
  readonly startedAt: Date
  readonly journal: readonly JournalEntry[]
}

// Entries come in the order in which tasks began, so an entry keeps its index while the execution goes on.
const cursorShape = z.tuple([z.int().min(0)])

/** The cursor at which a page begins with the entry of this index. */
export function cursorAt(index: number): string {
  return encodeCursor([index])
}

/** What the tasks of an execution did: its journal, walked again. */
export function readTimeline(
  { workflow, execution, startedAt, journal }: TimelineSource,
  { limit, cursor, task }: TimelineOptions,
): Timeline {
  const source = {
    id: toTypeId('exec', execution.id),
    input: parseJson(execution.input),
    startedAtMs: startedAt.getTime(),
    entries: journal,
  }
  const all = timelineOf(workflow, source, hasEnded(execution.state))
  const from = cursor === undefined ? 0 : decodeCursor(cursor, cursorShape)[0]
  const entries: { entry: TimelineEntry; cursor: string }[] = []
  for (const [index, entry] of all.entries()) {
    if (index < from || (task !== undefined && entry.reference !== task)) continue
    if (entries.length === limit) return { entries, nextCursor: cursorAt(index) }
    entries.push({ entry, cursor: cursorAt(index) })
  }
  return { entries, nextCursor: undefined }
}
