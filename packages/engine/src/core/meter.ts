/** Counts work in steps, so that budgets have the same effect on every machine. A step takes at most half a microsecond. */
export interface Meter {
  /** Called with the steps of the next piece of work. Throws to abort the work, which then has no result. */
  spend(steps: number): void
}
