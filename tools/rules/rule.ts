/** The result of a rule. `seen` counts the inspected items, to notice a rule that matches nothing any more. */
export interface Findings {
  readonly seen: number
  readonly violations: readonly string[]
}
