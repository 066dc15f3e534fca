import { ERROR_TYPE_BASE, type ErrorData, standardErrors, type StandardErrorType } from '#core/error.ts'

export type StandardError = Exclude<StandardErrorType, 'runtime'>

export interface HttpCallErrorOptions {
  readonly status?: number
  readonly title?: string
  /** How long the other side asks to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A call that failed in a way that a workflow can catch. */
export class HttpCallError extends Error {
  readonly kind: StandardError
  /** The interpreter adds `instance`. */
  readonly error: ErrorData
  readonly retryAfterMs: number | undefined

  constructor(name: StandardError, detail: string, options: HttpCallErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'HttpCallError'
    this.kind = name
    const { status, title } = standardErrors[name]
    this.error = {
      type: ERROR_TYPE_BASE + name,
      status: options.status ?? status,
      title: options.title ?? title,
      detail,
    }
    this.retryAfterMs = options.retryAfterMs
  }

  /** The same error in other words. */
  withDetail(detail: string): HttpCallError {
    const { status, title } = this.error
    return new HttpCallError(this.kind, detail, { status, title, retryAfterMs: this.retryAfterMs, cause: this.cause })
  }
}

/** The error for arguments that cannot make a request. */
export function invalidArgument(detail: string): HttpCallError {
  return new HttpCallError('validation', detail)
}

/** The error for an authentication policy that cannot work as it is written. */
export function invalidPolicy(detail: string): HttpCallError {
  return new HttpCallError('configuration', detail)
}
