import type { ErrorData } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Label } from '#core/label.ts'
import type { Message } from './bus.ts'
import type { ExecutionSnapshot, ExecutionHead } from './execution.ts'
import type { JournalEntry } from './journal.ts'

/** An execution claimed for this process, with its journal. */
export interface ClaimedExecution {
  readonly head: ExecutionHead
  readonly startedAtMs: number
  readonly cancelRequested: boolean
  readonly suspendRequested: boolean
  readonly entries: readonly JournalEntry[]
  /** Messages that no run has consumed yet, in order. */
  readonly messages: readonly Message[]
}

/** A claimed execution and its job, which ends when the execution has ended or is parked. */
export interface ClaimedJob {
  readonly jobId: string
  readonly execution: ClaimedExecution
  /** Whether processes that ran it have crashed since its last progress. */
  readonly suspect: boolean
}

export interface ClaimOptions {
  /** Jobs that end in the same transaction. */
  readonly done?: readonly string[]
  /** How many crash suspects may be claimed; the jobs of the others are delayed. Unbounded by default. */
  readonly suspectsMax?: number
}

export interface ExecutionRecord {
  readonly id: string
  readonly accountId: string
  readonly workflowId: string
  readonly versionId: string
  readonly state: ExecutionState
  readonly trigger: string
  readonly depth: number
  readonly causedBy?: string | undefined
  readonly keys?: Readonly<Record<string, string>> | undefined
  readonly input: Json
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  readonly decisions: string
  readonly startedAtMs: number
  readonly entries: readonly JournalEntry[]
}

/** A new execution that retries an ended one, with the part of the journal that it takes over. */
export interface Continuation {
  readonly id: string
  readonly of: ExecutionRecord
  readonly versionId: string
  readonly actor: string
  readonly input: Json
  readonly labels?: readonly Label[] | undefined
  readonly startedAtMs: number
  readonly entries: readonly JournalEntry[]
  /** Idempotency keys of effects that the ended one may have performed, by position. */
  readonly keys: Readonly<Record<string, string>>
  /** Events that are published in the same transaction. */
  readonly events?: readonly JsonObject[] | undefined
}

export interface Signal {
  readonly id: string
  readonly cancel: boolean
  readonly suspend: boolean
  /** When the signal was set, as database text. */
  readonly at: string
}

/** The title of the fault of an execution that becomes a dead letter. */
export const DEAD_LETTER = 'Dead letter'

/** An execution that becomes a dead letter. */
export interface DeadExecution {
  readonly id: string
  readonly accountId: string
  readonly versionId: string
  readonly error: ErrorData
}

/** The engine's tables, except for writes of the journal. */
export interface Store {
  /** Inserts the row of this process. Without it, all writes are fenced. */
  register(): Promise<void>
  /** Renews the lease of this process. @returns false when it is fenced and its executions were reassigned. */
  heartbeat(): Promise<boolean>
  /** Signals of executions of this process that are not acknowledged. */
  signals(): Promise<readonly Signal[]>
  /**
   * Removes signals that have been acted on. Signals that remain are read again, and keep their execution from being parked; so do
   * signals that were set since.
   */
  acknowledge(signals: readonly Signal[]): Promise<void>
  /** Claims at most `count` executions from the queue; a job is taken in the transaction of its claim. */
  claim(count: number, options?: ClaimOptions): Promise<readonly ClaimedJob[]>
  /**
   * Executions that were claimed for this process by a call of `claim` that failed: the connection broke during the commit.
   * @param running the claimed executions that this process runs.
   */
  findUnackedClaims(running: readonly string[]): Promise<readonly string[]>
  /** Puts executions of this process back on the queue, in any state. */
  release(ids: readonly string[]): Promise<void>
  /** Abandons claims of this process: the executions are recovered, and their crash count stays as it is. */
  abandonClaims(ids: readonly string[]): Promise<void>
  /** An execution with its whole journal. */
  findRecord(accountId: string, id: string): Promise<ExecutionRecord | undefined>
  /** Starts a retry of an ended execution. @returns its id, or that of an earlier retry. */
  continueFrom(continuation: Continuation): Promise<string>
  /** Messages to the waits of an execution that were not consumed, in order. */
  messages(executionId: string): Promise<readonly Message[]>
  findSnapshots(ids: readonly string[]): Promise<readonly ExecutionSnapshot[]>
  /** @returns `cancelled` at once, `requested` by a signal to the process that runs it, `ended` before, or `unknown`. */
  cancel(accountId: string, id: string): Promise<'cancelled' | 'requested' | 'ended' | 'unknown'>
  /**
   * Suspends an execution: at once when no process runs it, otherwise by a signal, after the effects under way have ended.
   * @param events published in the same transaction if the execution is suspended at once.
   * @returns `already` for a suspended execution.
   */
  suspend(
    accountId: string,
    id: string,
    events?: readonly JsonObject[],
  ): Promise<'suspended' | 'requested' | 'already' | 'ended' | 'unknown'>
  /** Resumes a suspended execution. @returns `running` for an execution that is not suspended. */
  resume(accountId: string, id: string, events?: readonly JsonObject[]): Promise<'resumed' | 'running' | 'ended' | 'unknown'>
  find(accountId: string, id: string): Promise<ExecutionSnapshot | undefined>
  findByKey(accountId: string, key: string): Promise<{ readonly id: string; readonly digest: string } | undefined>
  /**
   * Recovers the executions of dead processes.
   * @param eventsOf the events that are published in the same transaction for an execution that becomes a dead letter; none unless given. It must not
   *   throw.
   * @returns how many were put back on the queue, and how many became dead letters.
   */
  recover(
    eventsOf?: (dead: DeadExecution) => Promise<readonly JsonObject[]>,
  ): Promise<{ readonly requeued: number; readonly deadLettered: number }>
  unregister(): Promise<void>
}
