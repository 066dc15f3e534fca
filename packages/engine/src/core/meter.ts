/** Counts work in steps, so that what users wrote comes to the same end on every machine. A step takes half a microsecond at most. */
export interface Meter {
  /** Called with the steps of what is done next. Throws to end the work; nothing of it remains then. */
  spend(steps: number): void
}
