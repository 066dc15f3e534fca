import { errorToJson } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import { isTerminalProgress, type JournalEntry, type Progress, UnwritableError, type Write } from '#durable/ports/journal.ts'

/** The columns of an execution that its end or its parking sets; JSON as text. */
export interface End {
  readonly output: string | null
  readonly error: string | null
  readonly decisions: string
  readonly endedAtMs: number | null
  readonly wakeAtMs: number | null
}

export interface Insert {
  readonly head: ExecutionHead
  readonly input: string
  readonly startedAtMs: number | undefined
  readonly progress: Progress | undefined
  readonly end: End
}

export interface Update {
  readonly executionId: string
  readonly progress: Progress
  readonly end: End
}

export interface Entry {
  readonly executionId: string
  readonly accountId: string
  readonly entry: JournalEntry
  readonly value: string
}

/** A write whose values are JSON texts, so that the statement only collects them. */
export interface PreparedWrite {
  readonly write: Write
  readonly inserts: readonly Insert[]
  readonly entries: readonly Entry[]
  readonly updates: readonly Update[]
  /** The envelopes of its events, in order. */
  readonly events: readonly string[]
  readonly reply: string | undefined
  /** Estimated size within a statement. */
  readonly bytes: number
}

/** Estimated size of a row without its values. */
const ROW_BYTES = 300
/** The columns of an execution that has not ended and waits for no timer. */
export const NO_END: End = { output: null, error: null, decisions: '', endedAtMs: null, wakeAtMs: null }

/**
 * Serialises all values of one write, so that a value that cannot be written fails no other write.
 * @throws UnwritableError for a value that cannot be serialised.
 */
export function prepareWrite(write: Write): PreparedWrite {
  const { executionId, accountId, accept, children, progress } = write
  let bytes = 0
  const text = (value: Json, what: string) => {
    const json = jsonOf(value, what)
    bytes += json.length
    return json
  }
  const endOf = (all: Progress | undefined): End => {
    if (all === undefined) return NO_END
    if (!isTerminalProgress(all)) return { ...NO_END, wakeAtMs: all.state === 'waiting' ? (all.wakeAtMs ?? null) : null }
    const { output, error, decisions, endedAtMs } = all
    return {
      output: output === undefined ? null : text(output, 'the output'),
      error: error === undefined ? null : text(errorToJson(error), 'the error'),
      decisions,
      endedAtMs,
      wakeAtMs: null,
    }
  }
  const insertOf = ({ head, startedAtMs }: NonNullable<Write['accept']>, reached: Progress | undefined): Insert => ({
    head,
    input: text(head.input, 'the input'),
    startedAtMs,
    progress: reached,
    end: endOf(reached),
  })
  const inserts = [...(accept === undefined ? [] : [insertOf(accept, progress)]), ...children.map((child) => insertOf(child, undefined))]
  const entries = write.entries.map((entry) => ({
    executionId,
    accountId,
    entry,
    value: text(entry.value, `the outcome of ${entry.position}`),
  }))
  const updates = accept !== undefined || progress === undefined ? [] : [{ executionId, progress, end: endOf(progress) }]
  const events = write.events.map((event) => text(event, 'an event'))
  const reply = write.reply === undefined ? undefined : text(write.reply.body, 'the reply')
  // Counts the bytes, and fails this write alone if the arguments cannot be serialised; `writeWaits` serialises them again.
  for (const wait of write.waits?.opened ?? []) text(wait.arguments, 'the arguments of a wait')
  const rows = 1 + inserts.length + entries.length + events.length
  return { write, inserts, entries, updates, events, reply, bytes: bytes + ROW_BYTES * rows }
}

function jsonOf(value: Json, what: string): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new UnwritableError(`${what} cannot be stored: it is nested too deeply or too large`, { cause })
  }
}
