/**
 * Performs one HTTP exchange.
 *
 * The port refuses forbidden addresses, pools connections, decodes `Content-Encoding` and enforces the limits of the request. On demand it
 * follows a few redirects, and drops credentials when the origin changes.
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
  /**
   * Called with the headers of a reply. Makes what is given each piece of its body and returns whether the body is whole; the rest is not read.
   * Undefined: the server ends the body. A body with a `Content-Encoding` is always read to its end.
   */
  readonly untilWhole?: BodyEnd
}

export type BodyEnd = (headers: Readonly<Record<string, string>>) => ((piece: Uint8Array) => boolean) | undefined

export interface HttpReply {
  readonly status: number
  /** Names in lower case; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The final URL, after redirects. */
  readonly url: string
}

/**
 * Why an exchange failed. A port throws an `Error` whose `reason` is one of these; the shape matters and not the class, so that a port need
 * not import this package.
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

/** Whether the error of a port is a failed exchange; any other error is a bug. */
export function isTransportFailure(error: unknown): error is Error & { readonly reason: TransportReason } {
  return error instanceof Error && 'reason' in error && reasons.has(error.reason)
}
