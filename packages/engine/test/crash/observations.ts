import type { BookedEffect } from './ledger-book.ts'

/** One start, and its acknowledgements. */
export interface RecordedStart {
  readonly token: number
  readonly versionId: string
  readonly n: number
  /** Every acknowledged id, of all processes and repetitions; there must be exactly one. */
  readonly acknowledged: ReadonlySet<string>
}

/** A time without progress: no database, no connection to it, or no process. Milliseconds since the epoch. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
  readonly what: string
}

export interface ObservedExecution {
  readonly id: string
  readonly versionId: string
  /** Its input number. */
  readonly n: number
  readonly state: string
  readonly output: unknown
  readonly error: { readonly type: string; readonly title: string } | undefined
  readonly answer: unknown
  readonly parentId: string | undefined
  readonly actor: string
  /** The execution that it retries. */
  readonly retryOf: string | undefined
}

/** An execution whose process was killed, and its recovery. */
export interface Recovery {
  readonly executionId: string
  /** Undefined if the process was not killed, but lost the execution with its connection or lost its lease. */
  readonly pid: number | undefined
  readonly killedAtMs: number
  /** When another process claimed it; undefined if none did. */
  readonly takenUpAtMs: number | undefined
  /** The first journal entry, end or parking after the kill. */
  readonly progressAtMs: number | undefined
}

export interface FiredTimer {
  readonly executionId: string
  readonly position: string
  readonly dueAtMs: number
  readonly firedAtMs: number
}

/** The usage of an account as it is metered, and as its rows are counted. */
export interface Metered {
  readonly accountId: string
  readonly metered: { readonly executions: number; readonly tasks: number }
  readonly counted: { readonly executions: number; readonly tasks: number }
}

/** The data for the checks of a ledger run. */
export interface Observations {
  readonly starts: readonly RecordedStart[]
  readonly executions: readonly ObservedExecution[]
  /** Execution ids in the database by the idempotency key of their start. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** Executions that became dead letters. */
  readonly deadLettered: ReadonlySet<string>
  readonly left: { readonly claimed: number; readonly waits: number; readonly listeners: number; readonly messages: number }
  readonly effects: ReadonlyMap<string, BookedEffect>
  /** When the outcome of an effect was journalled, by key, for effects with more than one request. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly recoveries: readonly Recovery[]
  readonly timers: readonly FiredTimer[]
  readonly outages: readonly Outage[]
  /** Executions whose journal does not lead to the recorded end. */
  readonly differences: readonly string[]
  readonly usage: readonly Metered[]
  /** Processes that ended without being killed. */
  readonly deaths: readonly string[]
}

/** The time in which no living process owned the execution. */
export function withoutProcess({ killedAtMs, takenUpAtMs }: Recovery): Outage {
  return { fromMs: killedAtMs, toMs: takenUpAtMs ?? Number.POSITIVE_INFINITY, what: 'its process was dead' }
}

/** The duration of a period without its outages. */
export function msWithout(outages: readonly Outage[], fromMs: number, toMs: number): number {
  let ms = 0
  let atMs = fromMs
  for (const outage of outages.toSorted((one, other) => one.fromMs - other.fromMs)) {
    if (outage.toMs <= atMs) continue
    if (outage.fromMs >= toMs) break
    ms += Math.max(0, outage.fromMs - atMs)
    atMs = Math.max(atMs, outage.toMs)
  }
  return ms + Math.max(0, toMs - atMs)
}
