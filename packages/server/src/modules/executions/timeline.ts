import {
  type CompiledWorkflow,
  isTerminal,
  type JournalEntry,
  type Processor,
  type TimelineEntry,
  timelinePage,
  walkInTurns,
} from '@millrace/engine'
import * as z from 'zod'
import { toTypeId } from '#platform/ids.ts'
import { decodeCursor, encodeCursor } from '#platform/paging/cursor.ts'
import { type Execution, parseJson } from './model.ts'

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
  readonly execution: Execution
  readonly startedAt: Date
  readonly journal: readonly JournalEntry[]
}

/** A page has fewer entries than asked for where their values are large: writing them down holds up everybody else. */
const charactersMax = 4 * 1024 * 1024

// Entries come in the order in which tasks began, so an entry keeps its index while the execution goes on.
const cursorShape = z.tuple([z.int().min(0)])

/** The cursor at which a page begins with the entry of this index. */
export function cursorAt(index: number): string {
  return encodeCursor([index])
}

/** A page of what the tasks of an execution did: its journal, walked as far as the page needs. Rejects when the signal aborts. */
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
