import type { ErrorData } from '#core/error.ts'
import { type ExecutionState, isTerminal, type TerminalState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { CompiledWorkflow } from '#core/node.ts'

/** What an execution is, from the moment it is accepted. Times are milliseconds since the epoch. */
export interface ExecutionHead {
  readonly id: string
  readonly accountId: string
  readonly workflowId: string
  readonly versionId: string
  readonly trigger: string
  /** Who started it, as `kind:id`. */
  readonly actor: string
  readonly input: Json
  readonly parentId: string | undefined
  readonly depth: number
  readonly createdAtMs: number
  readonly idempotency: { readonly key: string; readonly digest: string } | undefined
  /** Keys of effects, by position, that the execution which this one goes on from has asked for without knowing what came of them. */
  readonly keys?: Readonly<Record<string, string>> | undefined
}

/** An outcome, or the beginning of something whose outcome comes later, as the journal keeps it. */
export interface JournalEntry {
  readonly seq: number
  readonly position: string
  readonly phase: 'started' | 'ended'
  /** The function of an effect, `timer`, `workflow`, `wait` (that one was opened), `message`, `emit` or `answer`. */
  readonly kind: string
  readonly ok: boolean
  /** The outcome's value or error; of a `started` child its execution id, of a wait its topic. */
  readonly value: Json
  readonly decisions: string
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** How an execution stands after a write. */
export type Progress =
  | { readonly state: 'waiting'; readonly wakeAtMs: number | undefined }
  | { readonly state: 'pending' }
  /** `told`: events that say so, which are true only where nobody has let it go meanwhile. */
  | { readonly state: 'suspended'; readonly told?: readonly JsonObject[] | undefined }
  | {
      readonly state: TerminalState
      readonly output: Json | undefined
      readonly error: ErrorData | undefined
      readonly decisions: string
      readonly endedAtMs: number
      /** The execution to be told, when it runs in another process or waits. */
      readonly tell: string | undefined
    }

type TerminalProgress = Extract<Progress, { readonly state: TerminalState }>

export function isTerminalProgress(progress: Progress): progress is TerminalProgress {
  return isTerminal(progress.state)
}

/** Everything that one execution has to write at one time; goes to the database whole or not at all. */
export interface Write {
  readonly executionId: string
  readonly accountId: string
  readonly accept: { readonly head: ExecutionHead; readonly startedAtMs: number | undefined } | undefined
  readonly entries: readonly JournalEntry[]
  readonly children: readonly { readonly head: ExecutionHead; readonly startedAtMs: number | undefined }[]
  /** Executions that nobody waits for any more. */
  readonly cancels: readonly string[]
  readonly waits: WaitChanges | undefined
  /** Events to be published, complete. */
  readonly events: readonly JsonObject[]
  /** For whoever waits for the execution. */
  readonly answer: { readonly body: Json } | undefined
  readonly progress: Progress | undefined
}

export interface WaitChanges {
  readonly opened: readonly Wait[]
  /** Positions of waits that have ended; what came to them and was not taken is given back. */
  readonly closed: readonly string[]
  /** Messages that are in the journal now. */
  readonly taken: readonly string[]
}

/** What came to a wait from outside. */
export interface Message {
  readonly id: string
  /** Of the wait. */
  readonly position: string
  readonly value: Json
}

/** `refused`: an execution with this idempotency key exists already. */
export interface Written {
  readonly refused: boolean
}

/**
 * Writes durably: resolves when what was given is committed. Rejects when it is not known to be, and with an UnwritableError when provably
 * nothing of it is.
 */
export interface Journal {
  write(write: Write): Promise<Written>
}

/** Raised for a write whose content the journal cannot hold: nothing of it was written, and the same write would fail again. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/** The title of the fault of an execution whose values cannot be written. */
export const NOT_STORABLE = 'Not storable'

/** An execution taken for this process, with all that it has durably done. */
export interface Claimed {
  readonly head: ExecutionHead
  readonly startedAtMs: number
  readonly cancelRequested: boolean
  readonly suspendRequested: boolean
  readonly entries: readonly JournalEntry[]
  /** Came while nobody ran it, in order. */
  readonly messages: readonly Message[]
}

/** A claimed execution and the job that brought it, which is done when the execution has ended or is parked. */
export interface Taken {
  readonly jobId: string
  readonly execution: Claimed
  /** Whether processes keep dying of it, or beside it, since it last got on. */
  readonly suspect: boolean
}

export interface Taking {
  /** Jobs that end in the same transaction. */
  readonly done?: readonly string[]
  /** How many suspects may be among those taken; the others are put off. Any number unless given. */
  readonly suspectsMax?: number
}

export interface ChildOutcome {
  readonly id: string
  readonly state: ExecutionState
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** What it answered to whoever waits, before its end or at it. */
  readonly answer: { readonly body: Json } | undefined
}

export interface ResolvedWorkflow {
  readonly workflowId: string
  readonly versionId: string
}

/** Where definitions come from; answers the same for the same version for ever. */
export interface Definitions {
  load(accountId: string, versionId: string): Promise<CompiledWorkflow>
  /** @returns undefined when the account has no published workflow of that name and version. */
  resolve(
    accountId: string,
    reference: { readonly namespace: string; readonly name: string; readonly version: string },
  ): Promise<ResolvedWorkflow | undefined>
}

export interface EffectCall {
  readonly accountId: string
  readonly executionId: string
  readonly arguments: Json
  readonly input: Json
  readonly secrets: JsonObject
  /** The same over recoveries of one attempt, so that a receiver can tell a repetition from a new request. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
}

/** Performs an effect. Raises WorkflowError for what the workflow may catch. */
export type EffectFunction = (call: EffectCall) => Promise<Json>

export interface Secrets {
  read(accountId: string, names: readonly string[]): Promise<JsonObject>
}

/** Told of what the engine cannot put into an execution: bugs and the state of its own machinery. */
export interface Reporter {
  warn(message: string, details: Readonly<Record<string, unknown>>): void
}

/** Named points between two durable steps. A crash test stops the process at each of them. */
export type Boundary = (name: BoundaryName) => void

export type BoundaryName =
  | 'accept-submitted'
  | 'accept-committed'
  | 'effect-starting'
  | 'effect-done'
  | 'entry-submitted'
  | 'entry-committed'
  | 'park-submitted'
  | 'park-committed'
  | 'end-submitted'
  | 'end-committed'
  | 'claimed'
  | 'replayed'

export interface Recorded {
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
  readonly of: Recorded
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
  heard(signals: readonly Signal[]): Promise<void>
  /** Takes executions that nobody runs from the queue, at most `count`: a job and the claim that it leads to are one transaction. */
  take(count: number, taking?: Taking): Promise<readonly Taken[]>
  /**
   * Executions that a take has claimed for this process without its having heard of it, the connection having broken over the commit.
   * @param jobIds all jobs that this process knows of.
   */
  strays(jobIds: readonly string[]): Promise<readonly string[]>
  /** Puts executions of this process back on the queue, whatever they were doing. */
  release(ids: readonly string[]): Promise<void>
  /** Gives executions of this process up as if it had died with them: they are recovered. No death is held against them. */
  disown(ids: readonly string[]): Promise<void>
  /** All that is kept of an execution. */
  record(accountId: string, id: string): Promise<Recorded | undefined>
  /** Starts an execution that goes on from an ended one. @returns its id, or that of another that does so already. */
  continueFrom(continuation: Continuation): Promise<string>
  /** What came to the waits of an execution and was not taken yet, in order. */
  messages(executionId: string): Promise<readonly Message[]>
  childOutcomes(ids: readonly string[]): Promise<readonly ChildOutcome[]>
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
  find(accountId: string, id: string): Promise<ChildOutcome | undefined>
  findByKey(accountId: string, key: string): Promise<{ readonly id: string; readonly digest: string } | undefined>
  /** Takes the executions of processes that are gone away from them. @returns how many were put on the queue and how many given up. */
  recover(): Promise<{ readonly requeued: number; readonly deadLettered: number }>
  unregister(): Promise<void>
}

/** Events of accounts, and messages to waits. */
export interface Bus {
  /** @param reached told of executions that something came to. */
  start(reached: (executionIds: readonly string[]) => void): void
  /** There are new events, or new listeners. */
  nudge(): void
  /** Puts complete CloudEvents on the bus of an account. @returns how many were not there before, by source and id. */
  publish(accountId: string, events: readonly JsonObject[]): Promise<number>
  /** Answers a wait. @returns false when it is not open, or was answered before. */
  deliver(delivery: Delivery): Promise<boolean>
  stop(): Promise<void>
}

export interface Delivery {
  readonly accountId: string
  readonly executionId: string
  /** Of the wait. */
  readonly position: string
  readonly topic: string
  readonly value: Json
}

/** Carries execution ids to whoever has room; a job stays taken until it is done or its process dies. */
export interface Queue {
  done(jobIds: readonly string[]): Promise<void>
  /** Keeps jobs that are under way from being given to another process. */
  touch(jobIds: readonly string[]): Promise<void>
}
