import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { digestMinutesDefault, type Recipient } from './model.ts'

type Executor = Kysely<Rows>

/** The next mail of a user. */
export interface Digest {
  readonly email: string
  readonly name: string | undefined
  readonly entries: readonly DigestEntry[]
  /** Notifications that do not fit into the mail. */
  readonly more: number
}

export interface DigestEntry {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly link: string | null
  readonly count: number
  readonly last_at: Date
}

const due = sql`coalesce(d.last_sent_at, '-infinity') + make_interval(mins => coalesce(d.every_minutes, ${digestMinutesDefault})) <= now()`

/**
 * Takes users whose next mail is due, at most `limit`: the one first whose turn is longest ago, then the one whose notifications wait longest. A user whose
 * mail fails remains due, and gets the next turn after all others.
 */
export async function takeDueDigests(db: Executor, limit: number): Promise<readonly Recipient[]> {
  const { rows } = await sql<Recipient>`
    with waiting as (
      select account_id, user_id, min(mail_due_since) as since from notifications where mail_due_since is not null group by account_id, user_id
    ), taken as (
      select u.account_id, u.id as user_id from waiting w
      join users u on u.account_id = w.account_id and u.id = w.user_id
      left join notification_digests d on d.account_id = u.account_id and d.user_id = u.id
      where ${due} order by d.queued_at nulls first, w.since limit ${limit}
    )
    insert into notification_digests (account_id, user_id, queued_at) select account_id, user_id, now() from taken order by account_id, user_id
    on conflict (account_id, user_id) do update set queued_at = excluded.queued_at
    returning account_id as "accountId", user_id as "userId"`.execute(db)
  return rows
}

/** The mail that is due for a user; undefined when all were read or mailed meanwhile. */
export async function readDigest(db: Executor, { accountId, userId }: Recipient, entriesMax: number): Promise<Digest | undefined> {
  const { rows: users } = await sql<{ readonly email: string; readonly name: string | null }>`
    select u.email, u.name from users u left join notification_digests d on d.account_id = u.account_id and d.user_id = u.id
    where u.account_id = ${accountId} and u.id = ${userId} and ${due}`.execute(db)
  const { rows: entries } = await sql<DigestEntry & { readonly total: number }>`
    select id, title, body, link, count, last_at, count(*) over ()::int4 as total from notifications
    where account_id = ${accountId} and user_id = ${userId} and mail_due_since is not null
    order by last_at desc, id desc limit ${entriesMax}`.execute(db)
  const [user] = users
  const [first] = entries
  if (user === undefined || first === undefined) return undefined
  return { email: user.email, name: user.name ?? undefined, entries, more: first.total - entries.length }
}

/** Records that a mail was sent: what occurred up to its last entry waits for no mail any more. */
export async function recordDigest(db: Executor, { accountId, userId }: Recipient, lastAt: Date): Promise<void> {
  await sql`
    with mailed as (
      update notifications set mail_due_since = null, mailed_at = now()
      where account_id = ${accountId} and user_id = ${userId} and mail_due_since is not null and date_trunc('milliseconds', last_at) <= ${lastAt}
    )
    insert into notification_digests (account_id, user_id, last_sent_at) values (${accountId}, ${userId}, now())
    on conflict (account_id, user_id) do update set last_sent_at = excluded.last_sent_at`.execute(db)
}
