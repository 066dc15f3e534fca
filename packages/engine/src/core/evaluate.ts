import type { Computation } from './computation.ts'
import { WorkflowError } from './error.ts'
import type { Json } from './json.ts'
import type { Walk } from './request.ts'
import type { Work } from './work.ts'

/** An evaluation without a result yet: its walk stalls until the next turn, or until another thread has computed the result. */
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
  /** The turn was over before the evaluation began. */
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

/** An evaluation of two operands, on this thread or in another. */
export interface Evaluator<A, B, T> {
  /** @throws an error that `isInterruption` accepts when it takes too long. */
  attempt(first: A, second: B, work: Work): T
  isInterruption(error: unknown): boolean
  /** The same evaluation as data for another thread. */
  computation(first: A, second: B): Computation
  /** Converts the result of the computation to the value. */
  finish(result: Json, first: A, second: B, steps: number): T
}

/** Evaluates on this thread, or returns a `Deferred` when the turn is over or the evaluation is interrupted. */
export function evaluate<A, B, T>(evaluator: Evaluator<A, B, T>, first: A, second: B, work: Work): Evaluated<T> {
  const evaluation = ++work.evaluations
  const failure = work.failure(evaluation)
  if (failure !== undefined) throw new WorkflowError(failure)
  // `again` does not check the turn, so that every turn makes progress.
  if (work.isTurnOver()) return new Deferred<T>({ kind: 'retry', again: () => attempt(evaluator, first, second, work, evaluation) })
  return attempt(evaluator, first, second, work, evaluation)
}

function attempt<A, B, T>(evaluator: Evaluator<A, B, T>, first: A, second: B, work: Work, evaluation: number): Evaluated<T> {
  const before = work.spent
  try {
    return evaluator.attempt(first, second, work)
  } catch (error) {
    if (!evaluator.isInterruption(error)) throw error
    // The computation starts from the beginning, so its steps count as a whole.
    work.spent = before
    const computation = evaluator.computation(first, second)
    return new Deferred<T>({
      kind: 'compute',
      work,
      evaluation,
      computation,
      finish: (result, steps) => evaluator.finish(result, first, second, steps),
    })
  }
}
