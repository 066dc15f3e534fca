/** A duration given by its parts; at least one of them, all whole numbers that are not negative. */
export interface DurationParts {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

/** An ISO 8601 duration, a runtime expression that gives one, or its parts (dsl-reference, Duration). */
export type Duration = string | DurationParts

/** What follows when `after` has passed (dsl-reference, Timeout). */
export interface Timeout {
  readonly after: Duration
}
