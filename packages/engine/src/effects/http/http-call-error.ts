/** An error as the DSL describes it; the interpreter adds `instance`. Source: DSL reference, Error. */
export interface DslError {
  readonly type: string
  readonly status: number
  readonly title: string
  readonly detail?: string
  readonly instance?: string
}

export type StandardError = 'configuration' | 'validation' | 'expression' | 'authentication' | 'authorization' | 'timeout' | 'communication'

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
  readonly error: DslError
  readonly retryAfterMs: number | undefined

  constructor(name: StandardError, detail: string, options: HttpCallErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'HttpCallError'
    this.kind = name
    const { status, title } = defaults[name]
    this.error = {
      type: `https://open-workflow-specification.org/spec/1.0.0/errors/${name}`,
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

/** The default status of each type is the DSL reference's. */
const defaults: Readonly<Record<StandardError, { readonly status: number; readonly title: string }>> = {
  configuration: { status: 400, title: 'Invalid configuration' },
  validation: { status: 400, title: 'Invalid arguments' },
  expression: { status: 400, title: 'Invalid expression' },
  authentication: { status: 401, title: 'Authentication failed' },
  authorization: { status: 403, title: 'Not allowed' },
  timeout: { status: 408, title: 'Timed out' },
  communication: { status: 500, title: 'Communication failed' },
}
