import type { Computation, ComputationOutcome } from './computation.ts'
import type { ErrorData } from './error.ts'
import type { Json, JsonObject } from './json.ts'
import type { Strand } from './scope.ts'

/** What the walk of an execution asks of the world outside, and waits for. */
export type Request = EffectRequest | TimerRequest | ChildRequest | MessageRequest | EmitRequest | AnswerRequest
/**
 * What a generator of the interpreter yields: a request, branches to run side by side, the end of a wait, or a pause so that others get the
 * processor. The last two are answered at once. With a stall the whole walk stops until its driver resumes it.
 */
export type Yielded = Request | ForkRequest | CloseRequest | PauseRequest | Stall

interface Positioned {
  /** Unique within the execution, and the same in every walk: task reference, iterations, visits and attempts. */
  readonly position: string
  readonly strand: Strand
}

/** Perform a function once and journal what came of it. */
export interface EffectRequest extends Positioned {
  readonly kind: 'effect'
  readonly function: string
  readonly arguments: Json
  /** The task's transformed input, for what a function reads beside its arguments. */
  readonly input: Json
}

/** Answer at `dueAtMs` or later. */
export interface TimerRequest extends Positioned {
  readonly kind: 'timer'
  readonly dueAtMs: number
}

/** Start another workflow, and when `await` is set answer with what became of it. */
export interface ChildRequest extends Positioned {
  readonly kind: 'child'
  readonly namespace: string
  readonly name: string
  readonly version: string
  readonly input: Json
  readonly await: boolean
}

/** Answer with the next message that comes to a wait. The first request of a wait opens it, a `CloseRequest` ends it. */
export interface MessageRequest extends Positioned {
  readonly kind: 'message'
  readonly wait: Wait
}

/** Something that messages from outside come to: events that are listened for, the answer to an approval. */
export interface Wait {
  /** Unique within the execution. */
  readonly position: string
  /** Who sends the messages: `events`, or a waiting function of the default catalog. */
  readonly topic: string
  readonly arguments: Json
}

/** Publish an event, in one transaction with the journal's entry. The attributes that it lacks are filled in; the outcome is the event. */
export interface EmitRequest extends Positioned {
  readonly kind: 'emit'
  readonly event: JsonObject
}

/** Answer whoever waits for the execution, in one transaction with the journal's entry. */
export interface AnswerRequest extends Positioned {
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
 * `race` takes the first that ends, either way. Branches that are not needed any more are abandoned.
 */
export type ForkMode = 'all' | 'any' | 'race'

export interface PauseRequest {
  readonly kind: 'pause'
}

/**
 * Why a walk stands still, all strands of it: its turn is over, or an evaluation is done elsewhere. What stands still does not depend on the
 * order in which anything comes from outside, so no walk over the journal has to know of it.
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

/** A part of the interpreter: yields what it needs, is resumed with what came of it, returns what it produced. */
export type Walk<T> = Generator<Yielded, T, Reply>

/** What a request is answered with: an outcome, the results of a fork by branch (one for a race), or the result of a computation. */
export type Reply = Outcome | BranchResults | ComputationOutcome | undefined

/** What became of a request: what the journal keeps. */
export type Outcome = { readonly ok: true; readonly value: Json } | Failure

export interface Failure {
  readonly ok: false
  readonly error: ErrorData
  /** How long the other side asks to be left alone, in milliseconds. */
  readonly retryAfterMs?: number | undefined
}

export interface BranchResults {
  /** Completed branches in branch order; of `any` and `race` the winner alone. */
  readonly completed: readonly { readonly index: number; readonly output: Json }[]
}
