import type { BookedEffect } from './ledger-book.ts'

/** What was asked of the workers, and what they said to it. */
export interface RecordedStart {
  readonly token: number
  readonly versionId: string
  readonly n: number
  /** Every id that it was acknowledged with, by whatever process, however often it was said: one and the same. */
  readonly acknowledged: ReadonlySet<string>
}

/** A stretch of time in which nothing could be done: no database, no way to it, or no process. Milliseconds since the epoch. */
export interface Outage {
  readonly fromMs: number
  readonly toMs: number
  readonly what: string
}

export interface ObservedExecution {
  readonly id: string
  readonly versionId: string
  /** What it was given to reckon with. */
  readonly n: number
  readonly state: string
  readonly output: unknown
  readonly error: { readonly type: string; readonly title: string } | undefined
  readonly answer: unknown
  readonly parentId: string | undefined
  readonly actor: string
  /** The execution that it goes on from. */
  readonly retryOf: string | undefined
}

/** An execution whose process was killed, and how it went on. */
export interface Recovery {
  readonly executionId: string
  /** Undefined when the process was not killed, but had lost the execution with its connection, or was given up while it was silent. */
  readonly pid: number | undefined
  readonly killedAtMs: number
  /** When another process claimed it; undefined for one that never was. */
  readonly takenUpAtMs: number | undefined
  /** The first entry in its journal, or its end or rest, after that. */
  readonly progressAtMs: number | undefined
}

export interface FiredTimer {
  readonly executionId: string
  readonly position: string
  readonly dueAtMs: number
  readonly firedAtMs: number
}

/** Everything by which a ledger run is judged. */
export interface Observations {
  readonly starts: readonly RecordedStart[]
  readonly executions: readonly ObservedExecution[]
  /** Executions by the key of their start, as the database has them. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** Executions that were given up as what kills its process. */
  readonly deadLettered: ReadonlySet<string>
  readonly left: { readonly claimed: number; readonly waits: number; readonly listeners: number; readonly messages: number }
  readonly effects: ReadonlyMap<string, BookedEffect>
  /** When the outcome of an effect was written down, by key, of those that were asked for more than once. */
  readonly outcomes: ReadonlyMap<string, number>
  readonly recoveries: readonly Recovery[]
  readonly timers: readonly FiredTimer[]
  readonly outages: readonly Outage[]
  /** Executions whose journal does not lead to their end. */
  readonly differences: readonly string[]
  /** Processes that ended without being killed. */
  readonly deaths: readonly string[]
}

/** The time in which no living process had the execution. */
export function withoutProcess({ killedAtMs, takenUpAtMs }: Recovery): Outage {
  return { fromMs: killedAtMs, toMs: takenUpAtMs ?? Number.POSITIVE_INFINITY, what: 'its process was dead' }
}

/** How much of a stretch of time was no outage. */
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
