import type { Evaluate } from '#events/evaluate.ts'

/** Parsing or writing this many characters of an event or a scope counts as one step. */
const CHARACTERS_PER_STEP = 64

/** The steps that an account may take in one slice. */
export interface Budget {
  spend(steps: number): void
  readonly isSpent: boolean
  readonly spent: number
}

/** How a pass evaluates filters, and the budget that it charges. */
export interface MatchLimits {
  readonly evaluate: Evaluate
  readonly budget: Budget
}

export function createBudget(stepsMax: number): Budget {
  let spent = 0
  return {
    spend(steps) {
      spent += steps
    },
    get isSpent() {
      return spent >= stepsMax
    },
    get spent() {
      return spent
    },
  }
}

export function stepsOfSize(characters: number): number {
  return characters / CHARACTERS_PER_STEP
}
