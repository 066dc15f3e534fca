/**
 * What the effect needs from the outside: one HTTP exchange.
 *
 * The port decides where a request may go (and refuses the rest), keeps connections, undoes `Content-Encoding`, and holds the limits
 * of the request. It follows redirects when asked to, at most a few, and leaves credentials behind when the origin changes.
 */
export interface HttpPort {
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpReply>
}

export interface HttpRequest {
  /** Upper case. */
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly followRedirects: boolean
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

export interface HttpReply {
  readonly status: number
  /** Names in lower case; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Where the reply came from, after redirects. */
  readonly url: string
}

/**
 * Why an exchange came to nothing. A port throws an `Error` whose `reason` is one of these; the shape counts and not the class, so that
 * a port need not import this package.
 */
export type TransportReason = 'denied' | 'dns' | 'connect' | 'tls' | 'reset' | 'protocol' | 'timeout' | 'too-large' | 'redirects'

const reasons: ReadonlySet<unknown> = new Set<TransportReason>([
  'denied',
  'dns',
  'connect',
  'tls',
  'reset',
  'protocol',
  'timeout',
  'too-large',
  'redirects',
])

/** Whether a port threw this to say that an exchange failed; anything else that it throws is a bug. */
export function isTransportFailure(error: unknown): error is Error & { readonly reason: TransportReason } {
  return error instanceof Error && 'reason' in error && reasons.has(error.reason)
}
