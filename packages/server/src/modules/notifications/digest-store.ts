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
  /** The last occurrence of all, with those that do not fit. */
  readonly lastAt: Date
}

export interface DigestEntry {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly link: string | null
  readonly count: number
  readonly last_at: Date
  /** When it was in a mail before. */
  readonly mailed_at: Date | null
}

/** Mails at once between two digests. Further first occurrences wait for the digest, so that many causes at a time do not fill a mailbox. */
export const atOnceMax = 5

const digestDue = sql`coalesce(d.last_sent_at, '-infinity') + make_interval(mins => coalesce(d.every_minutes, ${digestMinutesDefault})) <= now()`
const atOnceAllowed = sql`coalesce(d.first_at_once, true) and coalesce(d.sent_at_once, 0) < ${atOnceMax}`

/**
 * Takes users whose next mail is due, at most `limit`: the one first whose turn is longest ago, then the one whose notifications wait longest. A user whose
 * mail fails remains due, and gets the next turn after all others.
 */
export async function takeDueDigests(db: Executor, limit: number): Promise<readonly Recipient[]> {
  const { rows } = await sql<Recipient>`
    with waiting as (
      select account_id, user_id, min(mail_due_since) as since, bool_or(mail_at_once) as has_first
      from notifications where mail_due_since is not null group by account_id, user_id
    ), taken as (
      select u.account_id, u.id as user_id from waiting w
      join users u on u.account_id = w.account_id and u.id = w.user_id
      left join notification_digests d on d.account_id = u.account_id and d.user_id = u.id
      where ${digestDue} or (w.has_first and ${atOnceAllowed}) order by d.queued_at nulls first, w.since limit ${limit}
    )
    insert into notification_digests (account_id, user_id, queued_at) select account_id, user_id, now() from taken order by account_id, user_id
    on conflict (account_id, user_id) do update set queued_at = excluded.queued_at
    returning account_id as "accountId", user_id as "userId"`.execute(db)
  return rows
}

/** The mail that is due for a user, the first occurrences first; undefined when all were read or mailed meanwhile. */
export async function readDigest(db: Executor, { accountId, userId }: Recipient, entriesMax: number): Promise<Digest | undefined> {
  const { rows: users } = await sql<{ readonly email: string; readonly name: string | null }>`
    select u.email, u.name from users u left join notification_digests d on d.account_id = u.account_id and d.user_id = u.id
    where u.account_id = ${accountId} and u.id = ${userId} and (${digestDue} or (${atOnceAllowed} and exists (
      select from notifications n
      where n.account_id = u.account_id and n.user_id = u.id and n.mail_due_since is not null and n.mail_at_once
    )))`.execute(db)
  const { rows: entries } = await sql<DigestEntry & { readonly total: number; readonly newest: Date }>`
    select id, title, body, link, count, last_at, mailed_at, count(*) over ()::int4 as total, max(last_at) over () as newest from notifications
    where account_id = ${accountId} and user_id = ${userId} and mail_due_since is not null
    order by mail_at_once desc, last_at desc, id desc limit ${entriesMax}`.execute(db)
  const [user] = users
  const [first] = entries
  if (user === undefined || first === undefined) return undefined
  return { email: user.email, name: user.name ?? undefined, entries, more: first.total - entries.length, lastAt: first.newest }
}

/**
 * Records that a mail was sent: its entries, and what occurred up to its last occurrence, wait for no mail any more. An entry that occurs again during
 * the sending counts in the list alone. A mail between two digests does not delay the next digest.
 */
export async function recordDigest(
  db: Executor,
  { accountId, userId }: Recipient,
  { entries, lastAt }: Pick<Digest, 'entries' | 'lastAt'>,
): Promise<void> {
  await sql`
    with mailed as (
      update notifications set mail_due_since = null, mail_at_once = false, mailed_at = now()
      where account_id = ${accountId} and user_id = ${userId} and mail_due_since is not null
        and (id = any(${entries.map(({ id }) => id)}::uuid[]) or date_trunc('milliseconds', last_at) <= ${lastAt})
    )
    insert into notification_digests as d (account_id, user_id, last_sent_at) values (${accountId}, ${userId}, now())
    on conflict (account_id, user_id) do update set last_sent_at = case when ${digestDue} then excluded.last_sent_at else d.last_sent_at end,
      sent_at_once = case when ${digestDue} then 0 else d.sent_at_once + 1 end`.execute(db)
}
