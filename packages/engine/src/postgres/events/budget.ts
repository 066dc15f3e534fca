/** Steps that an account may take in one turn. */
export interface Budget {
  spend(steps: number): void
  readonly isSpent: boolean
  readonly spent: number
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
