import { createLoop } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Recipient } from './model.ts'
import { notify } from './notify.ts'
import { type Failure, sendWebhook, type SendWebhookDeps } from './send-webhook.ts'
import type { OutgoingNotification } from './webhook-message.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'
import {
  claimWebhooks,
  disableWebhook,
  type DueNotification,
  findWebhook,
  forgetDue,
  readDue,
  recordFailure,
  recordSent,
  releaseWebhook,
  type UsedWebhook,
} from './webhook-store.ts'

export interface WebhookDeliveryDeps extends SendWebhookDeps {
  readonly db: Kysely<Rows>
  readonly secrets: WebhookSecrets
  /** URL of the installation, without a slash at its end. */
  readonly origin: string
  readonly onError: (error: unknown) => void
}

const usersMax = 8
const notificationsMax = 20
/** No further notification of a user is sent after this time, so that a slow URL does not delay the others for long. */
const sendingMsMax = 10_000
/** Longer than all requests of one user may take; after it another process sends what is left. */
const leaseSeconds = 60
const idleMs = 2_000
/** Sending to a URL that fails for so long stops. */
const failingMsMax = 3 * 24 * 60 * 60 * 1000

/**
 * Sends what waits for the URLs of users, until it is stopped. It runs beside the background jobs, because a URL may respond slowly, and each turn
 * takes a few users, the one first whose turn is longest ago.
 */
export function createWebhookSender(deps: WebhookDeliveryDeps) {
  const stopping = new AbortController()
  const loop = createLoop(idleMs, async () => {
    try {
      return await sendDueWebhooks(deps, stopping.signal)
    } catch (error) {
      if (!stopping.signal.aborted) deps.onError(error)
      return false
    }
  })
  return {
    start: () => loop.start(),
    async stop() {
      stopping.abort()
      await loop.stop()
    },
  }
}

/** Makes one turn. @returns whether there may be more. */
export async function sendDueWebhooks(deps: WebhookDeliveryDeps, signal: AbortSignal): Promise<boolean> {
  const users = await claimWebhooks(deps.db, { usersMax, leaseSeconds })
  const outcomes = await Promise.allSettled(users.map((user) => sendTo(deps, user, signal)))
  for (const outcome of outcomes) if (outcome.status === 'rejected' && !signal.aborted) deps.onError(outcome.reason)
  return users.length === usersMax
}

/** Sends what waits for the URL of one user, each at least once, the oldest first. The first failure ends it. */
async function sendTo(deps: WebhookDeliveryDeps, user: Recipient, signal: AbortSignal): Promise<void> {
  const { db, secrets, now } = deps
  const webhook = await findWebhook(db, user)
  if (webhook === undefined || webhook.disabledAt !== undefined) return forgetDue(db, user)
  const used = { ...user, sealed: webhook.sealed }
  const target = await secrets.open(db, user, webhook.sealed)
  if (target === undefined) return stopSending(deps, used, 'Its address was sealed under another key of the installation.')
  const endMs = now() + sendingMsMax
  for (const notification of await readDue(db, user, notificationsMax)) {
    const message = outgoing(deps.origin, notification)
    const failure = await sendWebhook(deps, { accountId: user.accountId, format: webhook.format, target, message }, signal)
    if (failure !== undefined) return failed(deps, used, failure)
    await recordSent(db, used, notification.id)
    if (now() >= endMs) break
  }
  await releaseWebhook(db, user)
}

async function failed(deps: WebhookDeliveryDeps, used: UsedWebhook, { error, isGone }: Failure): Promise<void> {
  const since = await recordFailure(deps.db, used, error)
  if (since !== undefined && (isGone || deps.now() - since.getTime() > failingMsMax)) await stopSending(deps, used, error)
}

/** Stops sending to the URL, and notifies its user in the list. */
async function stopSending({ db }: Pick<WebhookDeliveryDeps, 'db'>, used: UsedWebhook, reason: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await disableWebhook(tx, used))) return
    const { accountId, userId } = used
    const body = `${reason} Set the address again in the preferences to continue.`
    await notify(tx, {
      accountId,
      userIds: [userId],
      kind: 'system.notice',
      title: 'Your webhook for notifications was stopped',
      body,
      link: '/notifications',
    })
  })
}

function outgoing(origin: string, notification: DueNotification): OutgoingNotification {
  const { id, kind, title, body, link, count, created_at: createdAt, last_at: lastAt } = notification
  return { id: toTypeId('ntf', id), kind, title, body, url: link === null ? null : `${origin}${link}`, count, createdAt, lastAt }
}
