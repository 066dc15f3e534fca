import { type OutgoingWebhook, type PostDeps, postWebhook } from '#platform/net/post-webhook.ts'
import { retryAfterMsOf } from './retry-schedule.ts'

export interface SendDeps extends PostDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number
}

/** A CloudEvent in structured mode, with its destination. */
export type OutgoingEvent = Omit<OutgoingWebhook, 'contentType'>

/** The outcome of one attempt. */
export interface AttemptOutcome {
  readonly kind: 'delivered' | 'failed' | 'gone'
  readonly at: Date
  readonly durationMs: number
  readonly status: number | undefined
  readonly error: string | undefined
  readonly retryAfterMs: number | undefined
}

/** Makes one attempt. Throws only the reason of the signal. */
export async function send(deps: SendDeps, event: OutgoingEvent, signal: AbortSignal): Promise<AttemptOutcome> {
  const { now, clock } = deps
  const startedMs = clock()
  const at = new Date(now())
  const webhook = { ...event, contentType: 'application/cloudevents+json; charset=utf-8' }
  const posted = await postWebhook(deps, webhook, at, signal)
  const base = { at, durationMs: Math.round(clock() - startedMs), retryAfterMs: undefined }
  const { status, error } = posted
  if (status === undefined) return { ...base, kind: 'failed', status, error }
  if (status >= 200 && status < 300) return { ...base, kind: 'delivered', status, error: undefined }
  if (status === 410) return { ...base, kind: 'gone', status, error: 'the endpoint responded 410 Gone' }
  return { ...base, kind: 'failed', status, error: errorOf(status), retryAfterMs: retryAfterMsOf(posted.headers['retry-after'], now()) }
}

function errorOf(status: number): string {
  const isRedirect = status >= 300 && status < 400
  return `the endpoint responded ${status}${isRedirect ? ': redirects are not followed, change the URL of the subscription' : ''}`
}
