import {
  type CompiledWorkflow,
  isTerminal,
  type JournalEntry,
  type Json,
  type Processor,
  type TimelineEntry,
  timelinePage,
  walkInTurns,
} from '@millrace/engine'
import * as z from 'zod'
import { toTypeId } from '#platform/ids.ts'
import { decodeCursor, encodeCursor } from '#platform/paging/cursor.ts'
import { erasedIn, type ReadExecution } from './erased.ts'

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
  readonly accountId: string
  readonly workflow: CompiledWorkflow
  readonly execution: ReadExecution
  readonly startedAt: Date
  readonly journal: readonly JournalEntry[]
}

/** A page has fewer entries than requested where their values are large: serialising them blocks the thread. */
const charactersMax = 4 * 1024 * 1024

// Entries are in the order in which tasks began, so an entry keeps its index while the execution continues.
const cursorShape = z.tuple([z.int().min(0)])

/** The cursor at which a page begins with the entry of this index. */
export function cursorAt(index: number): string {
  return encodeCursor([index])
}

/** A page of the timeline: the journal, walked as far as the page needs. Rejects when the signal aborts. */
export async function readTimeline(
  processor: Processor,
  { accountId, workflow, execution, startedAt, journal }: TimelineSource,
  { limit, cursor, task }: TimelineOptions,
  signal: AbortSignal,
): Promise<Timeline> {
  const source = {
    id: toTypeId('exec', execution.id),
    input: parseJson(execution.input),
    startedAtMs: startedAt.getTime(),
    error: execution.error,
    erased: erasedIn(execution),
    entries: journal,
  }
  const from = cursor === undefined ? 0 : decodeCursor(cursor, cursorShape)[0]
  const options = { ended: isTerminal(execution.state), from, limit, charactersMax, task, turn: processor.turn }
  const page = await walkInTurns(timelinePage(workflow, source, options), { processor, accountId, signal })
  return {
    entries: page.entries.map(({ index, entry }) => ({ entry, cursor: cursorAt(index) })),
    nextCursor: page.next === undefined ? undefined : cursorAt(page.next),
  }
}

/** The value of a `json` column, which contains nothing else. */
export function parseJson(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return JSON.parse(text) as Json
}
