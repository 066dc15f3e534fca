import { type PostDeps, postWebhook } from '#platform/net/post-webhook.ts'
import type { WebhookFormat } from './model.ts'
import { type OutgoingNotification, webhookMessage } from './webhook-message.ts'
import type { WebhookTarget } from './webhook-secrets.ts'

export interface SendWebhookDeps extends PostDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export interface SentWebhook {
  readonly accountId: string
  readonly format: WebhookFormat
  readonly target: WebhookTarget
  readonly message: OutgoingNotification
}

/** Why an attempt failed. */
export interface Failure {
  /** Of the response; undefined without one. */
  readonly status: number | undefined
  readonly error: string
  readonly isGone: boolean
}

/** Makes one attempt. @returns undefined for a success. Throws only the reason of the signal. */
export async function sendWebhook(
  deps: SendWebhookDeps,
  { accountId, format, target: { url, secret }, message }: SentWebhook,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const webhook = {
    id: `${message.id}_${message.lastAt.getTime()}`,
    accountId,
    url,
    contentType: 'application/json; charset=utf-8',
    body: webhookMessage(format, message),
    secrets: format === 'standard' ? [secret] : [],
  }
  const { status, error } = await postWebhook(deps, webhook, new Date(deps.now()), signal)
  if (status === undefined) return { status, error, isGone: false }
  return status >= 200 && status < 300 ? undefined : { status, error: `The address responded ${status}.`, isGone: status === 410 }
}
