import type { Duration } from './duration.ts'
import type { JsonObject } from './json.ts'

/** An error as the definition describes it (RFC 7807). */
export interface ErrorDefinition {
  readonly type: string
  readonly status: number
  readonly instance?: string
  readonly title?: string
  readonly detail?: string
}

/** Catches the errors whose properties all equal the given ones; `details` is the schema's spelling of `detail`. */
export interface ErrorFilter {
  readonly type?: string
  readonly status?: number
  readonly instance?: string
  readonly title?: string
  readonly detail?: string
  readonly details?: string
}

export type Backoff =
  | { readonly constant: JsonObject; readonly exponential?: never; readonly linear?: never }
  | { readonly exponential: JsonObject; readonly constant?: never; readonly linear?: never }
  | { readonly linear: JsonObject; readonly constant?: never; readonly exponential?: never }

export interface RetryLimit {
  readonly attempt?: { readonly count?: number; readonly duration?: Duration }
  readonly duration?: Duration
}

/** How a failed try is tried again (dsl-reference, Retry). */
export interface RetryPolicy {
  readonly when?: string
  readonly exceptWhen?: string
  readonly delay?: Duration
  readonly backoff?: Backoff
  readonly limit?: RetryLimit
  readonly jitter?: { readonly from: Duration; readonly to: Duration }
}
