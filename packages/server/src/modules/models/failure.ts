import type { ModelCallFailure } from '@millrace/contract'
import { NetError } from '#platform/net/net-error.ts'

/** Why a model did not do what it was asked. The message is for users: it contains no key and no body. */
export interface ModelFailure {
  readonly kind: Extract<ModelCallFailure, 'provider' | 'timeout' | 'unreadable'>
  readonly message: string
  /** Whether the same request may succeed a little later. */
  readonly temporary: boolean
  readonly retryAfterMs: number | undefined
}

/** Reads the error of a provider or of the network. */
export function failureOf(error: unknown): ModelFailure {
  const status = statusOf(error)
  if (status !== undefined) {
    const temporary = status === 408 || status === 409 || status === 429 || status >= 500
    return {
      kind: 'provider',
      message: `the endpoint responded with ${status}${hints[status] ?? ''}`,
      temporary,
      retryAfterMs: retryAfterOf(error),
    }
  }
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError')
    return { kind: 'timeout', message: 'the endpoint did not respond in time', temporary: false, retryAfterMs: undefined }
  if (causesOf(error).some((cause) => unreadable.has(cause.name)))
    return {
      kind: 'unreadable',
      message: 'the endpoint responded with something that is not its protocol',
      temporary: true,
      retryAfterMs: undefined,
    }
  const refused = refusalOf(error)
  if (refused !== undefined) return { kind: 'provider', message: refused, temporary: false, retryAfterMs: undefined }
  const text = error instanceof Error ? error.message : ''
  if (text.includes('ended early'))
    return { kind: 'provider', message: 'its response ended early', temporary: true, retryAfterMs: undefined }
  return {
    kind: 'provider',
    message: 'the endpoint cannot be reached, or its response ended early',
    temporary: true,
    retryAfterMs: undefined,
  }
}

const causesMax = 5
/** Names of errors of the library about a response that is not of the protocol. */
const unreadable: ReadonlySet<string> = new Set(['AI_JSONParseError', 'AI_TypeValidationError', 'AI_InvalidResponseDataError'])
const refusals: ReadonlySet<NetError['reason']> = new Set(['denied', 'dns', 'too-large'])

/** The message for an address that accounts may not reach, and for a response over a limit. */
function refusalOf(error: unknown): string | undefined {
  const cause = causesOf(error).find((each) => each instanceof NetError)
  return cause !== undefined && refusals.has(cause.reason) ? cause.message : undefined
}

/** An error and what caused it. */
function causesOf(error: unknown): readonly Error[] {
  const found: Error[] = []
  for (let cause = error; found.length < causesMax && cause instanceof Error; cause = cause.cause) found.push(cause)
  return found
}

const hints: Readonly<Record<number, string>> = {
  400: ': it refuses the request',
  401: ': its key is not valid',
  403: ': its key is not allowed to do this',
  404: ': it does not know the model or the path',
  413: ': the request is too large',
  429: ': it is over its limit',
}

/** The status of a response that an error is about, if it is one of a failure. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const status: unknown = Reflect.get(error, 'statusCode')
  // A 200 whose body is not the protocol has a status too.
  return typeof status === 'number' && status >= 400 ? status : undefined
}

function retryAfterOf(error: unknown): number | undefined {
  const headers: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'responseHeaders') : undefined
  const value: unknown = typeof headers === 'object' && headers !== null ? Reflect.get(headers, 'retry-after') : undefined
  const seconds = typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** An error with the status of a response, for requests that no provider library sends. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError'
  readonly statusCode: number
  readonly responseHeaders: Readonly<Record<string, string>>

  constructor(response: Response) {
    super(`the endpoint responded with ${response.status}`)
    this.statusCode = response.status
    this.responseHeaders = Object.fromEntries(response.headers)
  }
}
