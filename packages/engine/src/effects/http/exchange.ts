import { masked } from '#core/secret-mask.ts'
import type { HttpCallContext } from './context.ts'
import { HttpCallError, type StandardError } from './http-call-error.ts'
import { type HttpReply, type HttpRequest, isTransportFailure, type TransportReason } from './port.ts'

export type ExchangeRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'followRedirects' | 'untilWhole'> & {
  readonly body?: string | Uint8Array | undefined
}

/**
 * Performs one exchange within the limits of the call. Throws HttpCallError if it fails, and the signal's reason if it is aborted.
 */
export async function exchange(
  ctx: Pick<HttpCallContext, 'http' | 'limits'>,
  request: ExchangeRequest,
  signal: AbortSignal,
): Promise<HttpReply> {
  signal.throwIfAborted()
  const { body, ...rest } = request
  try {
    return await ctx.http.request({ ...rest, ...(body === undefined ? {} : { body }), ...ctx.limits }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!isTransportFailure(error)) throw error
    throw transportError(error, describeRequest(request.method, request.url))
  }
}

/** Method and address for a message. Values of the query that are credentials by their names are masked; the secrets of the execution are masked later. */
export function describeRequest(method: string, url: string): string {
  const { origin, pathname, search } = new URL(url)
  return `${method} ${origin}${pathname}${shownQuery(search)}`
}

const queryShownMax = 300
const credentialNames =
  /key(?!word)|token|secret|passw|pwd|auth(?!ors?$|or_|orId)|signature|credential|session|jwt|^(?:sig|code|otp|pin|sid|hmac)$/i

/** Whole parameters, as many as fit: a part of a secret would not be masked. */
function shownQuery(search: string): string {
  if (search.length < 2) return ''
  let shown = ''
  for (const parameter of search.slice(1).split('&')) {
    const end = parameter.indexOf('=')
    const name = end === -1 ? parameter : parameter.slice(0, end)
    const part = end !== -1 && credentialNames.test(decoded(name)) ? `${name}=${masked}` : parameter
    if (shown.length + part.length > queryShownMax) return `${shown === '' ? '?' : `${shown}&`}…`
    shown = shown === '' ? `?${part}` : `${shown}&${part}`
  }
  return shown
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function transportError(error: Error & { readonly reason: TransportReason }, subject: string): HttpCallError {
  const { kind, ...options } = meanings[error.reason]
  return new HttpCallError(kind, `${subject}: ${error.message}`, { ...options, cause: error })
}

const unreachable = { kind: 'communication', status: 503, title: 'Service not reachable' } as const
const unusable = { kind: 'communication', status: 502, title: 'Invalid response' } as const

const meanings: Readonly<Record<TransportReason, { readonly kind: StandardError; readonly status?: number; readonly title?: string }>> = {
  denied: { kind: 'authorization', title: 'Address not allowed' },
  timeout: { kind: 'timeout' },
  dns: unreachable,
  connect: unreachable,
  tls: unreachable,
  reset: unusable,
  protocol: unusable,
  'too-large': unusable,
  redirects: unusable,
}
