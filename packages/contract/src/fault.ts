import { type ErrorCode, errorCatalogue } from './errors.ts'
import type { JsonValue } from './json.ts'
import type { InvalidPart } from './problem.ts'

export interface FaultDetails {
  /** Replaces the catalogue's sentence: names the thing, what is wrong with it, and what to do. */
  readonly detail?: string
  readonly errors?: readonly InvalidPart[]
  /** Further members of the problem, such as `diagnostics`. */
  readonly extensions?: Readonly<Record<string, JsonValue>>
  readonly retryAfterSeconds?: number
  /** For the log; never leaves the server. */
  readonly cause?: unknown
}

/** An error that a caller can cause, with its code from the catalogue; becomes problem+json. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly details: FaultDetails

  constructor(code: ErrorCode, details: FaultDetails = {}) {
    super(details.detail ?? errorCatalogue[code].detail, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'Fault'
    this.code = code
    this.details = details
  }
}
