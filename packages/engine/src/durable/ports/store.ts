import type { ErrorData } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Message } from './bus.ts'
import type { ExecutionSnapshot, ExecutionHead } from './execution.ts'
import type { JournalEntry } from './journal.ts'

/** An execution taken for this process, with all that it has durably done. */
export interface ClaimedExecution {
  readonly head: ExecutionHead
  readonly startedAtMs: number
  readonly cancelRequested: boolean
  readonly suspendRequested: boolean
  readonly entries: readonly JournalEntry[]
  /** Came while nobody ran it, in order. */
  readonly messages: readonly Message[]
}

/** A claimed execution and the job that brought it, which is done when the execution has ended or is parked. */
export interface ClaimedJob {
  readonly jobId: string
  readonly execution: ClaimedExecution
  /** Whether processes keep dying of it, or beside it, since it last got on. */
  readonly suspect: boolean
}

export interface ClaimOptions {
  /** Jobs that end in the same transaction. */
  readonly done?: readonly string[]
  /** How many suspects may be among those taken; the others are put off. Any number unless given. */
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
  readonly keys?: Readonly<Record<string, string>> | undefined
  readonly input: Json
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  readonly decisions: string
  readonly startedAtMs: number
  readonly entries: readonly JournalEntry[]
}

/** A new execution that goes on from an ended one, with what it takes over from it. */
export interface Continuation {
  readonly id: string
  readonly of: ExecutionRecord
  readonly versionId: string
  readonly actor: string
  readonly input: Json
  readonly startedAtMs: number
  readonly entries: readonly JournalEntry[]
  /** Under which it asks for effects that the ended one may have done, by position. */
  readonly keys: Readonly<Record<string, string>>
  /** Published with it. */
  readonly events?: readonly JsonObject[] | undefined
}

export interface Signal {
  readonly id: string
  readonly cancel: boolean
  readonly suspend: boolean
  /** When it was told, as the database has it. */
  readonly at: string
}

/** What the database knows beside the journal's writes. */
export interface Store {
  /** Makes this process known. Until it is, nothing can be written. */
  register(): Promise<void>
  /** Says that this process lives. @returns false when it has been given up and its executions are others'. */
  heartbeat(): Promise<boolean>
  /** Executions of this process that something has happened to which was not heard yet. */
  signals(): Promise<readonly Signal[]>
  /**
   * Says which signals have been acted on. One that was not is there again, and keeps an execution from going to sleep over it; so does
   * one that came since.
   */
  acknowledge(signals: readonly Signal[]): Promise<void>
  /** Takes executions that nobody runs from the queue, at most `count`: a job and the claim that it leads to are one transaction. */
  claim(count: number, taking?: ClaimOptions): Promise<readonly ClaimedJob[]>
  /**
   * Executions that a take has claimed for this process without its having heard of it, the connection having broken over the commit.
   * @param jobIds all jobs that this process knows of.
   */
  findUnackedClaims(jobIds: readonly string[]): Promise<readonly string[]>
  /** Puts executions of this process back on the queue, whatever they were doing. */
  release(ids: readonly string[]): Promise<void>
  /** Gives executions of this process up as if it had died with them: they are recovered. No death is held against them. */
  abandonClaims(ids: readonly string[]): Promise<void>
  /** All that is kept of an execution. */
  findRecord(accountId: string, id: string): Promise<ExecutionRecord | undefined>
  /** Starts an execution that goes on from an ended one. @returns its id, or that of another that does so already. */
  continueFrom(continuation: Continuation): Promise<string>
  /** What came to the waits of an execution and was not taken yet, in order. */
  messages(executionId: string): Promise<readonly Message[]>
  findSnapshots(ids: readonly string[]): Promise<readonly ExecutionSnapshot[]>
  /** @returns what came of it: it is cancelled, the one who runs it was told, it had ended already, there is none. */
  cancel(accountId: string, id: string): Promise<'cancelled' | 'requested' | 'ended' | 'unknown'>
  /**
   * Holds an execution: at once when nobody runs it, else as soon as the effects under way have ended.
   * @param events published in the same transaction when the state of an execution that nobody runs changes.
   * @returns `already` for one that is held.
   */
  suspend(
    accountId: string,
    id: string,
    events?: readonly JsonObject[],
  ): Promise<'suspended' | 'requested' | 'already' | 'ended' | 'unknown'>
  /** Lets a suspended execution go on. @returns `running` for one that is not suspended. */
  resume(accountId: string, id: string, events?: readonly JsonObject[]): Promise<'resumed' | 'running' | 'ended' | 'unknown'>
  find(accountId: string, id: string): Promise<ExecutionSnapshot | undefined>
  findByKey(accountId: string, key: string): Promise<{ readonly id: string; readonly digest: string } | undefined>
  /** Takes the executions of processes that are gone away from them. @returns how many were put on the queue and how many given up. */
  recover(): Promise<{ readonly requeued: number; readonly deadLettered: number }>
  unregister(): Promise<void>
}
