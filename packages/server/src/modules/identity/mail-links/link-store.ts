import { sql } from 'kysely'
import type { User } from '#modules/identity/model.ts'
import { type Executor, userColumns, userOf, type UserRow } from '#modules/identity/store.ts'

export type LinkPurpose = 'verify-email' | 'reset-password' | 'magic-link'

/** The user of a link, with what a mail to them needs. */
export interface LinkedUser {
  readonly user: User
  readonly locale: string | undefined
}

export interface NewLink {
  readonly purpose: LinkPurpose
  /** Normalised. */
  readonly email: string
  readonly hash: Uint8Array
  readonly requestHash: Uint8Array | undefined
  readonly expiresAt: Date
}

/** More links of one kind are not made for one user in an hour, so that a mailbox cannot be filled. */
const linksPerHour = 5

type LinkedRow = UserRow & { readonly locale: string | null }

/**
 * Stores a link for the user who has the address; `undefined` when there is no such user, the address is confirmed already, or the user has had
 * too many of them. One statement, whose work hardly differs between these cases.
 */
export async function insertLink(tx: Executor, link: NewLink, at: Date): Promise<LinkedUser | undefined> {
  const { purpose, email, hash, requestHash, expiresAt } = link
  const hourAgo = new Date(at.getTime() - 60 * 60 * 1000)
  const { rows } = await sql<LinkedRow>`
    with made as (
      insert into mail_links (hash, account_id, user_id, purpose, email, request_hash, created_at, expires_at)
      select ${hash}, u.account_id, u.id, ${purpose}, u.email, ${requestHash ?? null}::bytea, ${at}, ${expiresAt} from users u
      where u.email = ${email} and (${purpose} <> 'verify-email' or u.email_verified_at is null)
        and (select count(*) from mail_links l where l.user_id = u.id and l.purpose = ${purpose} and l.created_at > ${hourAgo}) < ${linksPerHour}
      returning user_id
    )
    select ${userColumns}, u.locale from made join users u on u.id = made.user_id`.execute(tx)
  return rows[0] === undefined ? undefined : linkedOf(rows[0])
}

/** The user of a link that is still valid, without using the link up. */
export async function findLink(db: Executor, purpose: LinkPurpose, hash: Uint8Array, at: Date): Promise<LinkedUser | undefined> {
  const { rows } = await sql<LinkedRow>`
    select ${userColumns}, u.locale from mail_links l join users u on u.id = l.user_id and u.email = l.email
    where l.hash = ${hash} and l.purpose = ${purpose} and l.expires_at > ${at} and l.used_at is null`.execute(db)
  return rows[0] === undefined ? undefined : linkedOf(rows[0])
}

/**
 * Uses a link up; `undefined` when it is not valid any more, or belongs to another browser.
 *
 * One statement: of concurrent requests with one link, the first locks the row, and the others find it used.
 */
export async function useLink(
  tx: Executor,
  { purpose, hash, requestHash }: Pick<NewLink, 'purpose' | 'hash' | 'requestHash'>,
  at: Date,
): Promise<LinkedUser | undefined> {
  const { rows } = await sql<LinkedRow>`
    update mail_links l set used_at = ${at} from users u
    where l.hash = ${hash} and l.purpose = ${purpose} and l.expires_at > ${at} and l.used_at is null
      and u.id = l.user_id and u.email = l.email and (l.request_hash is null or l.request_hash = ${requestHash ?? null}::bytea)
    returning ${userColumns}, u.locale`.execute(tx)
  return rows[0] === undefined ? undefined : linkedOf(rows[0])
}

/** Voids every unused link and every unfinished sign-in of a user, for when the password of the user changes. */
export async function voidLinks(tx: Executor, accountId: string, userId: string, at: Date): Promise<void> {
  await sql`
    with ended as (delete from sign_in_challenges where account_id = ${accountId} and user_id = ${userId})
    update mail_links set used_at = ${at}
    where account_id = ${accountId} and user_id = ${userId} and used_at is null and purpose <> 'verify-email'`.execute(tx)
}

/** Deletes at most `limit` links that expired more than an hour ago; until then they count towards the limit of an hour. */
export async function deleteExpiredLinks(db: Executor, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from mail_links where hash in (
      select hash from mail_links where expires_at < ${new Date(at.getTime() - 60 * 60 * 1000)} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}

function linkedOf({ locale, ...row }: LinkedRow): LinkedUser {
  return { user: userOf(row), locale: locale ?? undefined }
}
