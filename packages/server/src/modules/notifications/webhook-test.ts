import { Fault } from '@millrace/contract'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Recipient } from './model.ts'
import { type Failure, sendWebhook, type SendWebhookDeps } from './send-webhook.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import { findWebhook } from './webhook-store.ts'

export interface WebhookTestDeps extends SendWebhookDeps {
  readonly database: Pick<Database, 'account'>
  readonly secrets: WebhookSecrets
  readonly newId: () => string
  /** URL of the installation, without a slash at its end. */
  readonly origin: string
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
}

/** Sends one message to the URL of the user. No transaction is open while it sends, and the state of the URL stays. */
export type WebhookTest = (user: Recipient) => Promise<Failure | undefined>

export function createWebhookTest(deps: WebhookTestDeps): WebhookTest {
  return async (user) => {
    const { format, target } = await deps.database.account(user.accountId, async (tx) => {
      const webhook = await findWebhook(tx, user)
      const opened = webhook === undefined ? undefined : await deps.secrets.open(tx, user, webhook.sealed)
      if (webhook === undefined || opened === undefined)
        throw new Fault('conflict', { detail: 'There is no address to send to. Set `webhook` in the preferences first.' })
      return { format: webhook.format, target: opened }
    })
    const at = new Date(deps.now())
    const message = {
      id: toTypeId('ntf', deps.newId()),
      kind: 'system.notice',
      title: 'Test of your notifications',
      body: 'This address receives your notifications.',
      url: `${deps.origin}/notifications`,
      count: 1,
      createdAt: at,
      lastAt: at,
    } as const
    return sendWebhook(deps, { accountId: user.accountId, format, target, message }, deps.closing).catch((cause: unknown) => {
      throw deps.closing.aborted ? new Fault('overloaded', { detail: 'The server is shutting down. Try again later.', cause }) : cause
    })
  }
}
