import { createLoop } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'
import { type PostDeps, postWebhook } from '#platform/net/post-webhook.ts'
import type { Recipient, WebhookFormat } from './model.ts'
import { notify } from './notify.ts'
import { webhookMessage } from './webhook-message.ts'
import type { WebhookSecrets, WebhookTarget } from './webhook-secrets.ts'
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

export interface WebhookDeliveryDeps extends PostDeps {
  readonly db: Kysely<Rows>
  readonly secrets: WebhookSecrets
  /** Milliseconds since the epoch. */
  readonly now: () => number
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
    const failure = await sendOne(deps, user, { format: webhook.format, target, notification }, signal)
    if (failure !== undefined) return failed(deps, used, failure)
    await recordSent(db, used, notification.id)
    if (now() >= endMs) break
  }
  await releaseWebhook(db, user)
}

interface Failure {
  readonly error: string
  readonly isGone: boolean
}

interface Outgoing {
  readonly format: WebhookFormat
  readonly target: WebhookTarget
  readonly notification: DueNotification
}

async function sendOne(
  deps: WebhookDeliveryDeps,
  { accountId }: Recipient,
  { format, target: { url, secret }, notification }: Outgoing,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { kind, title, body: text, link, count, created_at: createdAt, last_at: lastAt } = notification
  const id = toTypeId('ntf', notification.id)
  const page = link === null ? null : `${deps.origin}${link}`
  const webhook = {
    id: `${id}_${lastAt.getTime()}`,
    accountId,
    url,
    contentType: 'application/json; charset=utf-8',
    body: webhookMessage(format, { id, kind, title, body: text, url: page, count, createdAt, lastAt }),
    secrets: format === 'standard' ? [secret] : [],
  }
  const { status, error } = await postWebhook(deps, webhook, new Date(deps.now()), signal)
  if (status === undefined) return { error, isGone: false }
  return status >= 200 && status < 300 ? undefined : { error: `The address responded ${status}.`, isGone: status === 410 }
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
