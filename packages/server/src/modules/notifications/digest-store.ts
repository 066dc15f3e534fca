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

/** Users whose next mail is due, at most `limit`. */
export async function findDueDigests(db: Executor, limit: number): Promise<readonly Recipient[]> {
  const { rows } = await sql<Recipient>`
    select distinct n.account_id as "accountId", n.user_id as "userId" from notifications n
    left join notification_digests d on d.account_id = n.account_id and d.user_id = n.user_id
    where n.mail_due_since is not null and ${due} limit ${limit}`.execute(db)
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
