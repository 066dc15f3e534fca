import { isObject, type Json } from './json.ts'

/**
 * An error of the definition language: RFC 9457 problem details, `instance` being the JSON Pointer of the task it comes from.
 * Source: Open Workflow Specification DSL 1.0.3, "Error".
 */
export interface ErrorData {
  readonly type: string
  readonly status: number
  readonly title: string
  readonly detail?: string
  readonly instance?: string
}

export type StandardErrorType =
  | 'configuration'
  | 'validation'
  | 'expression'
  | 'authentication'
  | 'authorization'
  | 'timeout'
  | 'communication'
  | 'runtime'

export const ERROR_TYPE_BASE = 'https://open-workflow-specification.org/spec/1.0.0/errors/'

export interface WorkflowErrorOptions extends ErrorOptions {
  readonly retryAfterMs?: number | undefined
}

/** The error that a task raises. `try` catches no other exception. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError'
  readonly data: ErrorData
  /** The delay in milliseconds that the failed service asks for; a retry waits at least that long. Workflows cannot read it. */
  readonly retryAfterMs: number | undefined
  constructor(data: ErrorData, options: WorkflowErrorOptions = {}) {
    super(data.detail === undefined ? data.title : `${data.title}: ${data.detail}`, options)
    this.data = data
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The language's standard errors: the default statuses are those of the reference, the titles our own. */
export const standardErrors: Readonly<Record<StandardErrorType, { readonly status: number; readonly title: string }>> = {
  configuration: { status: 400, title: 'Configuration error' },
  validation: { status: 400, title: 'Validation error' },
  expression: { status: 400, title: 'Expression error' },
  authentication: { status: 401, title: 'Authentication error' },
  authorization: { status: 403, title: 'Authorization error' },
  timeout: { status: 408, title: 'Timeout' },
  communication: { status: 500, title: 'Communication error' },
  runtime: { status: 500, title: 'Runtime error' },
}

/** One of the language's standard errors, with its default status and title. */
export function standardError(type: StandardErrorType, detail: string, instance?: string): WorkflowError {
  const { status, title } = standardErrors[type]
  return new WorkflowError({ type: ERROR_TYPE_BASE + type, status, title, detail, ...(instance === undefined ? {} : { instance }) })
}

/** The error with its `instance` set, unless it is set already. */
export function located(error: WorkflowError, instance: string): WorkflowError {
  if (error.data.instance !== undefined) return error
  return new WorkflowError({ ...error.data, instance }, { cause: error, retryAfterMs: error.retryAfterMs })
}

export function errorToJson(error: ErrorData): Json {
  return {
    type: error.type,
    status: error.status,
    title: error.title,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.instance === undefined ? {} : { instance: error.instance }),
  }
}

/** The error that `errorToJson` wrote. */
export function errorFromJson(value: Json): ErrorData {
  const { type, status, title, detail, instance } = isObject(value) ? value : {}
  return {
    type: typeof type === 'string' ? type : `${ERROR_TYPE_BASE}runtime`,
    status: typeof status === 'number' ? status : 500,
    title: typeof title === 'string' ? title : 'Error',
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof instance === 'string' ? { instance } : {}),
  }
}

/**
 * Whether two error types name the same error. Five bases of type URIs are in use for the standard errors, the specification's own
 * documents included, so standard types are compared by their last path segment; all other types must be equal.
 */
export function sameErrorType(one: string, other: string): boolean {
  if (one === other) return true
  const segment = lastSegment(one)
  return Object.hasOwn(standardErrors, segment) && segment === lastSegment(other)
}

function lastSegment(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1)
}
