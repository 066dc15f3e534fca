import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { DigestEntry } from './digest-store.ts'
import type { NotificationKind, Recipient, WebhookFormat, WebhookState } from './model.ts'

type Executor = Kysely<Rows>

/** The URL of a user as it is stored. */
export interface StoredWebhook extends WebhookState {
  readonly sealed: Buffer
}

interface WebhookRow {
  readonly format: WebhookFormat
  readonly sealed: Buffer
  readonly last_sent_at: Date | null
  readonly failing_since: Date | null
  readonly last_error: string | null
  readonly disabled_at: Date | null
}

/** A notification that waits. */
export interface DueNotification extends DigestEntry {
  readonly kind: NotificationKind
  readonly created_at: Date
}

export async function findWebhook(executor: Executor, { accountId, userId }: Recipient): Promise<StoredWebhook | undefined> {
  const { rows } = await sql<WebhookRow>`
    select format, sealed, last_sent_at, failing_since, last_error, disabled_at from notification_webhooks
    where account_id = ${accountId} and user_id = ${userId}`.execute(executor)
  const [row] = rows
  if (row === undefined) return undefined
  return {
    format: row.format,
    sealed: row.sealed,
    lastSentAt: row.last_sent_at ?? undefined,
    failingSince: row.failing_since ?? undefined,
    lastError: row.last_error ?? undefined,
    disabledAt: row.disabled_at ?? undefined,
  }
}

/** Sets the URL of a user. What failed before counts no more. */
export async function writeWebhook(
  tx: Executor,
  { accountId, userId }: Recipient,
  { format, sealed, at }: { readonly format: WebhookFormat; readonly sealed: Buffer; readonly at: Date },
): Promise<void> {
  await sql`
    insert into notification_webhooks (account_id, user_id, format, sealed, created_at) values (${accountId}, ${userId}, ${format}, ${sealed}, ${at})
    on conflict (account_id, user_id) do update
    set format = excluded.format, sealed = excluded.sealed, failing_since = null, last_error = null, next_attempt_at = null, disabled_at = null`.execute(
    tx,
  )
}

export async function deleteWebhook(tx: Executor, { accountId, userId }: Recipient): Promise<void> {
  await sql`delete from notification_webhooks where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  await forgetDue(tx, { accountId, userId })
}

/**
 * Takes users with notifications that may be sent now, the one first whose turn is longest ago. For the time of the lease no other process takes them.
 * A row whose user is gone is not taken: nothing could be sent, and it would be claimable again at once.
 */
export async function claimWebhooks(
  db: Executor,
  { usersMax, leaseSeconds }: { readonly usersMax: number; readonly leaseSeconds: number },
): Promise<readonly Recipient[]> {
  const { rows } = await sql<Recipient>`
    update notification_webhooks set next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
    where (account_id, user_id) in (
      select w.account_id, w.user_id from notification_webhooks w join users u on u.account_id = w.account_id and u.id = w.user_id
      where w.disabled_at is null and coalesce(w.next_attempt_at, '-infinity') <= now() and exists (
        select from notifications n where n.account_id = w.account_id and n.user_id = w.user_id and n.webhook_due_since is not null
      )
      order by greatest(w.last_sent_at, w.next_attempt_at) nulls first limit ${usersMax} for update of w skip locked
    )
    returning account_id as "accountId", user_id as "userId"`.execute(db)
  return rows
}

/** Ends the lease: what else waits may be sent at once. */
export async function releaseWebhook(db: Executor, { accountId, userId }: Recipient): Promise<void> {
  await sql`
    update notification_webhooks set next_attempt_at = null where account_id = ${accountId} and user_id = ${userId}`.execute(db)
}

/** The notifications that wait, the one that waits longest first; none when the user is no longer there. */
export async function readDue(db: Executor, { accountId, userId }: Recipient, limit: number): Promise<readonly DueNotification[]> {
  const { rows } = await sql<DueNotification>`
    select n.id, n.kind, n.title, n.body, n.link, n.count, n.created_at, n.last_at from notifications n
    join users u on u.account_id = n.account_id and u.id = n.user_id
    where n.account_id = ${accountId} and n.user_id = ${userId} and n.webhook_due_since is not null
    order by n.webhook_due_since, n.id limit ${limit}`.execute(db)
  return rows
}

/** A URL as it was when something was sent to it. What is recorded of it changes nothing of a URL that was set meanwhile. */
export interface UsedWebhook extends Recipient {
  readonly sealed: Buffer
}

/** Records that a notification was sent. An occurrence during the sending counts in the list, and is not sent again. */
export async function recordSent(db: Executor, { accountId, userId, sealed }: UsedWebhook, id: string): Promise<void> {
  await sql`
    with sent as (
      update notifications set webhook_due_since = null, webhook_sent_at = now()
      where account_id = ${accountId} and user_id = ${userId} and id = ${id}
    )
    update notification_webhooks set last_sent_at = now(), failing_since = null, last_error = null
    where account_id = ${accountId} and user_id = ${userId} and sealed = ${sealed}`.execute(db)
}

/**
 * Records a failed attempt; returns since when all attempts fail. The next one waits as long as the failure lasts already, from a minute to an hour.
 */
export async function recordFailure(db: Executor, { accountId, userId, sealed }: UsedWebhook, error: string): Promise<Date | undefined> {
  const { rows } = await sql<{ readonly failing_since: Date }>`
    update notification_webhooks set failing_since = coalesce(failing_since, now()), last_error = ${error},
      next_attempt_at = now() + least(interval '1 hour', greatest(interval '1 minute', now() - coalesce(failing_since, now())))
    where account_id = ${accountId} and user_id = ${userId} and sealed = ${sealed} returning failing_since`.execute(db)
  return rows[0]?.failing_since
}

/** Stops sending to the URL of a user until it is set again, and forgets what waits; false if it was stopped or set already. */
export async function disableWebhook(tx: Executor, { accountId, userId, sealed }: UsedWebhook): Promise<boolean> {
  const { rows } = await sql`
    update notification_webhooks set disabled_at = now()
    where account_id = ${accountId} and user_id = ${userId} and sealed = ${sealed} and disabled_at is null returning 1`.execute(tx)
  if (rows.length === 0) return false
  await forgetDue(tx, { accountId, userId })
  return true
}

/** Lets the notifications of a user wait no longer. */
export async function forgetDue(db: Executor, { accountId, userId }: Recipient): Promise<void> {
  await sql`
    update notifications set webhook_due_since = null
    where account_id = ${accountId} and user_id = ${userId} and webhook_due_since is not null`.execute(db)
}
