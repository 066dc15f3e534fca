import { type GuardedFetch } from '#platform/net/guarded-fetch.ts'
import { NetError } from '#platform/net/net-error.ts'
import { retryAfterMsOf } from './retry-plan.ts'
import { signatureHeaders } from './signature.ts'

export interface SendDeps {
  readonly http: Pick<GuardedFetch, 'request'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds on a clock that only goes forward. */
  readonly clock: () => number
}

/** What is sent, and where to. */
export interface Message {
  /** Stays the same over all attempts. */
  readonly id: string
  readonly url: string
  /** A CloudEvent in structured mode. */
  readonly body: string
  readonly secrets: readonly Uint8Array[]
}

/** What came of one attempt. */
export interface Outcome {
  readonly kind: 'delivered' | 'failed' | 'gone'
  readonly at: Date
  readonly durationMs: number
  readonly status: number | undefined
  readonly error: string | undefined
  readonly retryAfterMs: number | undefined
}

export const sendTimeoutMs = 15_000
const responseBytesMax = 1024 * 1024

/** Delivers a message once. Throws nothing but the reason of the signal. */
export async function send({ http, now, clock }: SendDeps, message: Message, signal: AbortSignal): Promise<Outcome> {
  const { id, url, body, secrets } = message
  const startedMs = clock()
  const at = new Date(now())
  const done = (more: Pick<Outcome, 'kind' | 'status' | 'error'> & { readonly retryAfterMs?: number | undefined }): Outcome => ({
    retryAfterMs: undefined,
    ...more,
    at,
    durationMs: Math.round(clock() - startedMs),
  })
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': 'Millrace',
    ...signatureHeaders({ id, timestamp: Math.floor(at.getTime() / 1000), body }, secrets),
  }
  const request = {
    method: 'POST',
    url,
    headers,
    body,
    followRedirects: false,
    timeoutMs: sendTimeoutMs,
    maxResponseBytes: responseBytesMax,
  }
  try {
    const { status, headers: answered } = await http.request(request, signal)
    if (status >= 200 && status < 300) return done({ kind: 'delivered', status, error: undefined })
    if (status === 410) return done({ kind: 'gone', status, error: 'the endpoint answered 410: it is gone' })
    const retryAfterMs = retryAfterMsOf(answered['retry-after'], now())
    return done({ kind: 'failed', status, error: errorOf(status), retryAfterMs })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof NetError)) throw error
    return done({ kind: 'failed', status: undefined, error: error.message })
  }
}

function errorOf(status: number): string {
  const redirects = status >= 300 && status < 400
  return `the endpoint answered ${status}${redirects ? ': redirects are not followed, change the URL of the subscription' : ''}`
}
