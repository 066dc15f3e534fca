/** What a rule found. `seen` counts what it looked at, so that a rule which matches nothing any more is noticed. */
export interface Findings {
  readonly seen: number
  readonly violations: readonly string[]
}
