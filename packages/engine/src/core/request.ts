import type { ErrorData } from './error.ts'
import type { Json } from './json.ts'
import type { Strand } from './scope.ts'

/** What the walk of an execution asks of the world outside, and waits for. */
export type Request = EffectRequest | TimerRequest | ChildRequest
/** What a generator of the interpreter yields: a request, branches to run side by side, or a pause so that others get the processor. */
export type Yielded = Request | ForkRequest | PauseRequest

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

export interface Branch {
  readonly strand: Strand
  readonly walk: Walk<Json>
}

/** A part of the interpreter: yields what it needs, is resumed with what came of it, returns what it produced. */
export type Walk<T> = Generator<Yielded, T, Reply>

/** What a request is answered with: an outcome, or the results of a fork by branch (one for a race). */
export type Reply = Outcome | BranchResults | undefined

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
