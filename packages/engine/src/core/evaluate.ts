import type { Computation } from './computation.ts'
import { WorkflowError } from './error.ts'
import type { Json } from './json.ts'
import type { Walk } from './request.ts'
import type { Work } from './work.ts'

/** An evaluation that takes longer than the turn of the walk: the walk stalls until its driver has the result. */
export class Deferred<T> {
  readonly #rest: Rest<T>
  constructor(rest: Rest<T>) {
    this.#rest = rest
  }

  /** @throws WorkflowError when the computation failed. */
  *settle(): Walk<T> {
    const rest = this.#rest
    if (rest.kind === 'retry') {
      yield { kind: 'turn' }
      return yield* settled(rest.again())
    }
    const reply = yield { kind: 'compute', evaluation: rest.evaluation, computation: rest.computation }
    if (reply === undefined || !('steps' in reply)) throw new Error('a computation was resumed with a reply that is not its outcome')
    rest.work.spend(reply.steps)
    if (!reply.ok) throw new WorkflowError(reply.error)
    return rest.finish(reply.value, reply.steps)
  }

  map<U>(change: (value: T) => U): Deferred<U> {
    const rest = this.#rest
    return new Deferred<U>(
      rest.kind === 'retry'
        ? { kind: 'retry', again: () => mapped(rest.again(), change) }
        : { ...rest, finish: (result, steps) => change(rest.finish(result, steps)) },
    )
  }
}

type Rest<T> =
  /** The turn was over before it began. */
  | { readonly kind: 'retry'; readonly again: () => Evaluated<T> }
  | {
      readonly kind: 'compute'
      readonly work: Work
      readonly evaluation: number
      readonly computation: Computation
      readonly finish: (result: Json, steps: number) => T
    }

export type Evaluated<T> = T | Deferred<T>

/** The value of an evaluation, after a stall if it was deferred. */
export function* settled<T>(value: Evaluated<T>): Walk<T> {
  return value instanceof Deferred ? yield* value.settle() : value
}

export function mapped<T, U>(value: Evaluated<T>, change: (value: T) => U): Evaluated<U> {
  return value instanceof Deferred ? value.map(change) : change(value)
}

/** How something is evaluated, on this thread or another. */
export interface Evaluator<A, B, T> {
  /** @throws an error that `isInterruption` accepts when it takes too long. */
  attempt(one: A, other: B, work: Work): T
  isInterruption(error: unknown): boolean
  /** The same as data. */
  computation(one: A, other: B): Computation
  /** The value out of the result of the computation. */
  finish(result: Json, one: A, other: B, steps: number): T
}

/** Evaluates at once if that takes little time, and otherwise returns what the walk must wait for. */
export function evaluate<A, B, T>(evaluator: Evaluator<A, B, T>, one: A, other: B, work: Work): Evaluated<T> {
  const evaluation = ++work.evaluations
  const failure = work.failure(evaluation)
  if (failure !== undefined) throw new WorkflowError(failure)
  // After a wait for a turn it is attempted, so that every turn makes progress.
  if (work.isTurnOver()) return new Deferred<T>({ kind: 'retry', again: () => attempt(evaluator, one, other, work, evaluation) })
  return attempt(evaluator, one, other, work, evaluation)
}

function attempt<A, B, T>(evaluator: Evaluator<A, B, T>, one: A, other: B, work: Work, evaluation: number): Evaluated<T> {
  const before = work.spent
  try {
    return evaluator.attempt(one, other, work)
  } catch (error) {
    if (!evaluator.isInterruption(error)) throw error
    // The computation is done from its beginning, and counts as a whole.
    work.spent = before
    const computation = evaluator.computation(one, other)
    return new Deferred<T>({
      kind: 'compute',
      work,
      evaluation,
      computation,
      finish: (result, steps) => evaluator.finish(result, one, other, steps),
    })
  }
}
