import type { Computation, ComputationOutcome } from './computation.ts'
import type { ErrorData } from './error.ts'
import type { Json, JsonObject } from './json.ts'
import type { Strand } from './scope.ts'

/** A request of a walk to its driver, for which the walk waits. */
export type Request = EffectRequest | TimerRequest | ChildRequest | MessageRequest | EmitRequest | ReplyRequest
/**
 * The values that generators of the interpreter yield: a request, branches to run concurrently, the end of a wait, or a pause in favour of other
 * strands. The machine resumes the last two at once. With a stall the whole walk stops until its driver resumes it.
 */
export type Yielded = Request | ForkRequest | CloseRequest | PauseRequest | Stall

interface Positioned {
  /** Unique within the execution, and the same in every walk: task reference, iterations, visits and attempts. */
  readonly position: string
  readonly strand: Strand
}

/** Perform a function once and journal its outcome. */
export interface EffectRequest extends Positioned {
  readonly kind: 'effect'
  readonly function: string
  readonly arguments: Json
  /** The task's transformed input, for what a function reads beside its arguments. */
  readonly input: Json
}

/** Resume at `dueAtMs` or later. */
export interface TimerRequest extends Positioned {
  readonly kind: 'timer'
  readonly dueAtMs: number
}

/** Start another workflow; with `await`, resume with its result. */
export interface ChildRequest extends Positioned {
  readonly kind: 'child'
  readonly namespace: string
  readonly name: string
  readonly version: string
  readonly input: Json
  readonly await: boolean
}

/** Resume with the next message for a wait. The first request of a wait opens it, a `CloseRequest` ends it. */
export interface MessageRequest extends Positioned {
  readonly kind: 'message'
  readonly wait: Wait
}

/** The receiver of messages, such as events or the verdict of an approval. */
export interface Wait {
  /** Unique within the execution. */
  readonly position: string
  /** The source of the messages: `events`, or a waiting function of the default catalog. */
  readonly topic: string
  readonly arguments: Json
}

/** Publish an event in the transaction of its journal entry. Missing attributes are filled in; the outcome is the complete event. */
export interface EmitRequest extends Positioned {
  readonly kind: 'emit'
  readonly event: JsonObject
}

/** Reply to the caller that waits for the execution, in the transaction of the journal entry. */
export interface ReplyRequest extends Positioned {
  readonly kind: 'answer'
  readonly body: Json
}

export interface CloseRequest {
  readonly kind: 'close'
  /** Of the wait. */
  readonly position: string
}

export interface ForkRequest {
  readonly kind: 'fork'
  readonly branches: readonly Branch[]
  readonly mode: ForkMode
}

/**
 * `all` waits for every branch and faults with the first that faults; `any` takes the first that completes and faults only when all have;
 * `race` takes the first that ends, either way. The remaining branches are abandoned.
 */
export type ForkMode = 'all' | 'any' | 'race'

export interface PauseRequest {
  readonly kind: 'pause'
}

/**
 * Why a walk stopped with all its strands: its turn is over, or an evaluation is done in another thread. Stalls do not depend on the order
 * of outcomes, so a replay need not repeat them.
 */
export type Stall = { readonly kind: 'turn' } | ComputeStall

export interface ComputeStall {
  readonly kind: 'compute'
  /** The number of the evaluation, the same in every walk. */
  readonly evaluation: number
  readonly computation: Computation
}

export interface Branch {
  readonly strand: Strand
  readonly walk: Walk<Json>
}

/** A part of the interpreter: yields requests, is resumed with replies, returns its result. */
export type Walk<T> = Generator<Yielded, T, Reply>

/** The value with which a walk is resumed: an outcome, the results of a fork by branch (one for a race), or the result of a computation. */
export type Reply = Outcome | BranchResults | ComputationOutcome | undefined

/** The outcome of a request, as the journal stores it. */
export type Outcome = { readonly ok: true; readonly value: Json } | Failure

export interface Failure {
  readonly ok: false
  readonly error: ErrorData
  /** The delay in milliseconds that the other side asks for. */
  readonly retryAfterMs?: number | undefined
}

export interface BranchResults {
  /** Completed branches in branch order; of `any` and `race` the winner alone. */
  readonly completed: readonly { readonly index: number; readonly output: Json }[]
}
