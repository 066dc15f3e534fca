import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type Channels, type Notification, type NotificationKind, unreadMax } from './model.ts'

type Executor = Kysely<Rows>

interface NotificationRow {
  readonly id: string
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
  readonly link: string | null
  readonly count: number
  readonly read_at: Date | null
  readonly created_at: Date
  readonly last_at: Date
}

export interface NotificationFilter {
  readonly limit: number
  /** The last notification of the page before: its last time, as text with microseconds, and its id. */
  readonly before: readonly [string, string] | undefined
  readonly unread: boolean | undefined
  readonly kind: NotificationKind | undefined
}

const columns = sql`id, kind, title, body, link, count, read_at, created_at, last_at`

/** A notification with its place in the list. */
export interface ListedNotification {
  readonly notification: Notification
  readonly place: readonly [string, string]
}

export async function listNotifications(
  tx: Executor,
  accountId: string,
  userId: string,
  { limit, before, unread, kind }: NotificationFilter,
): Promise<readonly ListedNotification[]> {
  const conditions = [
    ...(before === undefined ? [] : [sql`(last_at, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`]),
    ...(unread === undefined ? [] : [unread ? sql`read_at is null` : sql`read_at is not null`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
  ]
  // A date of JavaScript has milliseconds only, so the place in the list is text.
  const { rows } = await sql<NotificationRow & { readonly place: string }>`
    select ${columns}, last_at::text as place from notifications
    where account_id = ${accountId} and user_id = ${userId} and in_app ${sql.join(
      conditions.map((condition) => sql`and ${condition}`),
      sql` `,
    )}
    order by last_at desc, id desc limit ${limit}`.execute(tx)
  return rows.map((row) => ({ notification: notificationOf(row), place: [row.place, row.id] }))
}

export async function countUnread(tx: Executor, accountId: string, userId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from (
      select from notifications where account_id = ${accountId} and user_id = ${userId} and in_app and read_at is null limit ${unreadMax}
    ) unread`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Whether a user has an unread notification of the same group as another one, which therefore cannot become unread. */
export async function hasUnreadOfGroup(tx: Executor, accountId: string, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from notifications n
    join notifications o on o.account_id = n.account_id and o.user_id = n.user_id and o.kind = n.kind and o.group_key = n.group_key and o.id <> n.id
    where n.account_id = ${accountId} and n.user_id = ${userId} and n.id = ${id} and o.read_at is null limit 1`.execute(tx)
  return rows.length > 0
}

/** Marks one notification of a user; undefined when the user has no such notification. */
export async function markNotification(
  tx: Executor,
  accountId: string,
  userId: string,
  { id, readAt }: { readonly id: string; readonly readAt: Date | undefined },
): Promise<Notification | undefined> {
  const { rows } = await sql<NotificationRow>`
    update notifications set read_at = ${readAt === undefined ? sql`null` : sql`coalesce(read_at, ${readAt}::timestamptz)`},
      mail_due_since = ${readAt === undefined ? sql`mail_due_since` : sql`null`}
    where account_id = ${accountId} and user_id = ${userId} and id = ${id} and in_app returning ${columns}`.execute(tx)
  return rows[0] === undefined ? undefined : notificationOf(rows[0])
}

/** Marks the unread notifications of a user as read; returns how many. */
export async function markAll(
  tx: Executor,
  accountId: string,
  userId: string,
  { readAt, kind, until }: { readonly readAt: Date; readonly kind: NotificationKind | undefined; readonly until: Date | undefined },
): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    with marked as (
      update notifications set read_at = ${readAt}, mail_due_since = null
      where account_id = ${accountId} and user_id = ${userId} and in_app and read_at is null
        and ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
        and ${until === undefined ? sql`true` : sql`date_trunc('milliseconds', last_at) <= ${until}`}
      returning 1
    ) select count(*)::int4 as count from marked`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function readPreferences(
  tx: Executor,
  accountId: string,
  userId: string,
): Promise<{ readonly kinds: ReadonlyMap<string, Channels>; readonly digestMinutes: number | undefined; readonly firstAtOnce: boolean }> {
  const { rows } = await sql<{ readonly kind: string; readonly in_app: boolean; readonly mail: boolean; readonly webhook: boolean }>`
    select kind, in_app, mail, webhook from notification_preferences where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  const { rows: digests } = await sql<{ readonly every_minutes: number; readonly first_at_once: boolean }>`
    select every_minutes, first_at_once from notification_digests where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  return {
    kinds: new Map(rows.map(({ kind, in_app: inApp, mail, webhook }) => [kind, { inApp, mail, webhook }])),
    digestMinutes: digests[0]?.every_minutes,
    firstAtOnce: digests[0]?.first_at_once ?? true,
  }
}

export async function writePreference(
  tx: Executor,
  accountId: string,
  userId: string,
  { kind, inApp, mail, webhook }: Channels & { readonly kind: string },
): Promise<void> {
  await sql`
    insert into notification_preferences (account_id, user_id, kind, in_app, mail, webhook)
    values (${accountId}, ${userId}, ${kind}, ${inApp}, ${mail}, ${webhook})
    on conflict (account_id, user_id, kind) do update set in_app = excluded.in_app, mail = excluded.mail, webhook = excluded.webhook`.execute(
    tx,
  )
}

export async function writeDigestInterval(tx: Executor, accountId: string, userId: string, minutes: number): Promise<void> {
  await sql`
    insert into notification_digests (account_id, user_id, every_minutes) values (${accountId}, ${userId}, ${minutes})
    on conflict (account_id, user_id) do update set every_minutes = excluded.every_minutes`.execute(tx)
}

export async function writeFirstAtOnce(tx: Executor, accountId: string, userId: string, firstAtOnce: boolean): Promise<void> {
  await sql`
    insert into notification_digests (account_id, user_id, first_at_once) values (${accountId}, ${userId}, ${firstAtOnce})
    on conflict (account_id, user_id) do update set first_at_once = excluded.first_at_once`.execute(tx)
}

/** Deletes notifications whose last occurrence is before a time, at most `limit`. */
export async function deleteOldNotifications(db: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from notifications where id in (
      select id from notifications where last_at < ${before} order by last_at limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes every row of an account. */
export async function deleteNotificationsOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from notifications where account_id = ${accountId}`.execute(tx)
  await sql`delete from notification_preferences where account_id = ${accountId}`.execute(tx)
  await sql`delete from notification_digests where account_id = ${accountId}`.execute(tx)
  await sql`delete from notification_webhooks where account_id = ${accountId}`.execute(tx)
}

function notificationOf(row: NotificationRow): Notification {
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    body: row.body,
    link: row.link ?? undefined,
    count: row.count,
    readAt: row.read_at ?? undefined,
    createdAt: row.created_at,
    lastAt: row.last_at,
  }
}
