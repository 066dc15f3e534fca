import type { GuardedFetch, OutgoingRequest } from '#platform/net/guarded-fetch.ts'
import { NetError } from '#platform/net/net-error.ts'
import { retryAfterMsOf } from './retry-schedule.ts'
import { depthHeaders } from '#platform/net/depth.ts'
import { signatureHeaders } from '#platform/net/webhook-signature.ts'

export interface SendDeps {
  readonly http: Pick<GuardedFetch, 'request'>
  /** The body as it may leave the installation. Throws a NetError if nothing may; everything may unless given. */
  readonly admit?: (event: Pick<OutgoingEvent, 'accountId' | 'url' | 'body'>) => Promise<string>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number
}

/** An event with its destination. */
export interface OutgoingEvent {
  /** The same in all attempts. */
  readonly id: string
  readonly accountId: string
  readonly url: string
  /** A CloudEvent in structured mode. */
  readonly body: string
  /** How many executions caused the event; none unless given. */
  readonly depth?: number
  readonly secrets: readonly Uint8Array[]
}

/** The outcome of one attempt. */
export interface AttemptOutcome {
  readonly kind: 'delivered' | 'failed' | 'gone'
  readonly at: Date
  readonly durationMs: number
  readonly status: number | undefined
  readonly error: string | undefined
  readonly retryAfterMs: number | undefined
}

export const sendTimeoutMs = 15_000
const responseBytesMax = 1024 * 1024

/** Makes one attempt. Throws only the reason of the signal. */
export async function send({ http, admit, now, clock }: SendDeps, event: OutgoingEvent, signal: AbortSignal): Promise<AttemptOutcome> {
  const { id, secrets } = event
  const startedMs = clock()
  const at = new Date(now())
  const outcomeOf = (
    more: Pick<AttemptOutcome, 'kind' | 'status' | 'error'> & { readonly retryAfterMs?: number | undefined },
  ): AttemptOutcome => ({
    retryAfterMs: undefined,
    ...more,
    at,
    durationMs: Math.round(clock() - startedMs),
  })
  try {
    const body = (await admit?.(event)) ?? event.body
    const request = requestOf(event, body, signatureHeaders({ id, timestamp: Math.floor(at.getTime() / 1000), body }, secrets))
    const { status, headers: responseHeaders } = await http.request(request, signal)
    if (status >= 200 && status < 300) return outcomeOf({ kind: 'delivered', status, error: undefined })
    if (status === 410) return outcomeOf({ kind: 'gone', status, error: 'the endpoint responded 410 Gone' })
    const retryAfterMs = retryAfterMsOf(responseHeaders['retry-after'], now())
    return outcomeOf({ kind: 'failed', status, error: errorOf(status), retryAfterMs })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof NetError)) throw error
    return outcomeOf({ kind: 'failed', status: undefined, error: error.message })
  }
}

function requestOf({ url, depth }: OutgoingEvent, body: string, signature: Readonly<Record<string, string>>): OutgoingRequest {
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': 'Millrace',
    ...depthHeaders(depth),
    ...signature,
  }
  return { method: 'POST', url, headers, body, followRedirects: false, timeoutMs: sendTimeoutMs, maxResponseBytes: responseBytesMax }
}

function errorOf(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return `the endpoint responded ${status}${isRedirect ? ': redirects are not followed, change the URL of the subscription' : ''}`
}
