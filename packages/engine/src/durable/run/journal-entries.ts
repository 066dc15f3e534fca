import { type ErrorData, errorFromJson, errorToJson } from '#core/error.ts'
import { isObject, type Json } from '#core/json.ts'
import type { Machine, PendingRequest } from '#core/machine.ts'
import type { Outcome, Request } from '#core/request.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

/** The kind of an entry for an evaluation that ran out of time or memory; its position is the number of the evaluation. */
export const COMPUTATION_FAILURE_KIND = 'computation'

/** The suffix of the decisions of an entry: the number of pauses since the previous entry, if there were any. */
const PAUSES = /p(\d+)$/

/** The decisions of the machine before an outcome, with the number of pauses, for its entry. */
export function decisionsBefore({ decisions }: PendingRequest, { pauses }: Machine): string {
  return pauses === 0 ? decisions : `${decisions}p${pauses}`
}

/** The reverse of `decisionsBefore`. */
export function splitDecisions(entry: JournalEntry): { readonly decisions: string; readonly pauses: number } {
  const [suffix = '', pauses = '0'] = PAUSES.exec(entry.decisions) ?? []
  return { decisions: entry.decisions.slice(0, entry.decisions.length - suffix.length), pauses: Number(pauses) }
}

/** The kind of the entry for the outcome of a request. */
export function kindOf(request: Request): string {
  if (request.kind === 'effect') return request.function
  return request.kind === 'child' ? 'workflow' : request.kind
}

/** The value of an entry for an outcome; `outcomeOf` reads it. */
export function valueOfOutcome(outcome: Outcome): Json {
  if (outcome.ok) return outcome.value
  const error = errorToJson(outcome.error)
  return outcome.retryAfterMs === undefined || !isObject(error) ? error : { ...error, retryAfterMs: outcome.retryAfterMs }
}

/** The outcome that an `ended` entry records. */
export function outcomeOf(entry: JournalEntry): Outcome {
  if (entry.ok) return { ok: true, value: entry.value }
  const { retryAfterMs } = isObject(entry.value) ? entry.value : {}
  return { ok: false, error: errorFromJson(entry.value), ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}) }
}

/** Evaluations that ran out of time or memory according to the journal, by their number. */
export function failuresIn(entries: readonly JournalEntry[]): ReadonlyMap<number, ErrorData> {
  return new Map(
    entries.flatMap(({ kind, position, value }) => (kind === COMPUTATION_FAILURE_KIND ? [[Number(position), errorFromJson(value)]] : [])),
  )
}
