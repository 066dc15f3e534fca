import type { ErrorData } from './error.ts'
import type { Meter } from './meter.ts'

/**
 * Steps that the expressions and schemas of one execution may take together, about a minute of a processor. Counted in steps and not in time,
 * so that every replay of the same journal has the same result.
 */
export const EXECUTION_STEPS_MAX = 100_000_000
/** The cost of entering a task, in steps. */
export const TASK_STEPS = 20

/** The current share of the processor of a walk. Walks without a turn run without interruption. */
export interface Turn {
  /** Steps until the clock is checked. */
  fuel: number
  /** Milliseconds after which one expression or schema is interrupted. */
  readonly interruptMs: number
  /** Checks the clock, and grants new fuel if there is time left. */
  isOver(): boolean
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number
  /** Begins a turn, with new fuel. @returns false when the event loop must run first. */
  tryBegin(): boolean
}

/** Thrown when the execution has used up its steps. No task can catch it. */
export class StepBudgetExceeded {
  readonly name = 'StepBudgetExceeded'
}

/** Thrown when an evaluation takes too long for this thread. */
export class InterruptedSignal {
  readonly name = 'InterruptedSignal'
}

/** Given for an execution in which data of a person was erased: the reference of the task that ended it with an error, if one did. */
export interface Erased {
  readonly failedAt: string | undefined
}

/** The pure work that one execution has done so far. */
export class Work {
  readonly turn: Turn | undefined
  readonly #erased: Erased | undefined
  /** The steps of all evaluations so far. */
  spent = 0
  /** The number of evaluations begun. It identifies an evaluation in every walk over the same journal. */
  evaluations = 0
  /** Evaluations that exceeded their time or memory, by number. This depends on time, so the journal stores their outcome. */
  readonly #failures: ReadonlyMap<number, ErrorData> | undefined

  constructor(turn?: Turn, failures?: ReadonlyMap<number, ErrorData>, erased?: Erased) {
    this.turn = turn
    this.#erased = erased
    this.#failures = failures === undefined || failures.size === 0 ? undefined : failures
  }

  /** Whether a failure of a schema or an expression may be due to the marks of an erasure: the execution itself did not fail here. */
  forgives(reference: string | undefined): boolean {
    return this.#erased !== undefined && this.#erased.failedAt !== reference
  }

  failure(evaluation: number): ErrorData | undefined {
    return this.#failures?.get(evaluation)
  }

  /** @throws StepBudgetExceeded */
  spend(steps: number): void {
    this.spent += steps
    if (this.turn !== undefined) this.turn.fuel -= steps
    if (this.spent > EXECUTION_STEPS_MAX) throw new StepBudgetExceeded()
  }

  /** Counts one evaluation, and interrupts it when it takes too long for the turn. */
  meter(): Meter {
    const { turn } = this
    if (turn === undefined) return this
    const endsAt = turn.elapsed() + turn.interruptMs
    return {
      spend: (steps) => {
        if (turn.elapsed() > endsAt) throw new InterruptedSignal()
        this.spend(steps)
      },
    }
  }

  /** Charges work to the turn but not to the step budget. */
  chargeTurn(steps: number): void {
    if (this.turn !== undefined) this.turn.fuel -= steps
  }

  isTurnOver(): boolean {
    return this.turn !== undefined && this.turn.fuel < 0 && this.turn.isOver()
  }
}
