import { type Kysely, sql, type Transaction } from 'kysely'
import { preparedMark } from '#platform/db/database-client.ts'
import type { Rows } from '#platform/db/rows.ts'

/** How a deleted account can be restored. */
export interface Restoration {
  readonly until: Date
  readonly userId: string
  readonly email: string
  readonly tokenHash: Uint8Array
}

/** Records, in the transaction that deletes an account, that its data is to be deleted too. */
export async function recordDeletion(
  tx: Transaction<Rows>,
  accountId: string,
  at: Date,
  restoration: Restoration | undefined,
): Promise<void> {
  const { until, userId, email, tokenHash } = restoration ?? {}
  await sql`
    insert into deleted_accounts (id, deleted_at, restorable_until, user_id, email, token_hash)
    values (${accountId}, ${at}, ${until ?? null}, ${userId ?? null}, ${email ?? null}, ${tokenHash ?? null})`.execute(tx)
}

/** Keeps the rows that disappear with the row of the account, in the transaction that deletes it. */
export async function keepRows(tx: Transaction<Rows>, accountId: string): Promise<void> {
  await sql`select millrace_keep_deleted_rows(${accountId})`.execute(tx)
}

/** A deleted account that can be restored. */
export interface Restorable {
  readonly accountId: string
  readonly userId: string
  readonly email: string
}

/** The deleted account of a link, locked until the transaction ends; `undefined` when the link is not valid any more. */
export async function lockRestorable(tx: Transaction<Rows>, tokenHash: Uint8Array, at: Date): Promise<Restorable | undefined> {
  const { rows } = await sql<{ id: string; user_id: string; email: string }>`
    select id, user_id, email from deleted_accounts where token_hash = ${tokenHash} and restorable_until > ${at} for update`.execute(tx)
  const [row] = rows
  return row === undefined ? undefined : { accountId: row.id, userId: row.user_id, email: row.email }
}

/** Puts the rows of a deleted account back. Fails with a violation of `users_email_unique` if another user has the address now. */
export async function restoreRows(tx: Transaction<Rows>, accountId: string): Promise<void> {
  await sql`select millrace_restore_deleted_rows(${accountId})`.execute(tx)
}

/** What the last deleted user of an address needs to sign in. */
export interface DeletedCredential {
  readonly hash: string | undefined
  readonly restorableUntil: Date
}

/** The last user of each address who was deleted and can be restored, in the order of the addresses. */
export async function findDeletedCredentials(
  db: Kysely<Rows>,
  emails: readonly string[],
  at: Date,
): Promise<readonly (DeletedCredential | undefined)[]> {
  const { rows } = await sql<{ readonly restorable_until: Date | null; readonly hash: string | null }>`${sql.raw(
    preparedMark('deleted_credentials'),
  )}select last.restorable_until, last.hash from unnest(${emails}::text[]) with ordinality as given (email, place)
    left join lateral (select d.restorable_until, (
        select r.content ->> 'hash' from deleted_rows r
        where r.account_id = d.id and r.table_name = 'user_passwords' and r.content ->> 'user_id' = d.user_id::text
      ) as hash
    from deleted_accounts d where d.email = given.email and d.restorable_until > ${at}
    order by d.deleted_at desc limit 1) as last on true
    order by given.place`.execute(db)
  return rows.map(({ restorable_until: restorableUntil, hash }) =>
    restorableUntil === null ? undefined : { hash: hash ?? undefined, restorableUntil },
  )
}

/** Takes deleted accounts that cannot be restored and of which data is left: those that were tried longest ago, so that one that fails delays no other. */
export async function takeDeleted(db: Kysely<Rows>, at: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update deleted_accounts set tried_at = ${at} where id in (
      select id from deleted_accounts where restorable_until is null or restorable_until <= ${at}
      order by tried_at nulls first, deleted_at limit ${limit} for update skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes accounts that can be restored and may run something still: all have to be cancelled once after the last start that was under way. */
export async function takeUncancelled(
  db: Kysely<Rows>,
  { at, lateStartsMs, limit }: { readonly at: Date; readonly lateStartsMs: number; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    update deleted_accounts set tried_at = ${at} where id in (
      select id from deleted_accounts
      where restorable_until is not null and (cancelled_at is null or cancelled_at < deleted_at + make_interval(secs => ${lateStartsMs / 1000}))
      order by tried_at nulls first, deleted_at limit ${limit} for update skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Records that everything that an account ran at a time was cancelled. */
export async function recordCancellation(db: Kysely<Rows>, accountId: string, at: Date): Promise<void> {
  await sql`update deleted_accounts set cancelled_at = ${at} where id = ${accountId}`.execute(db)
}

/** From its commit on, the account cannot be restored; false if it was restored before. */
export async function endRestorability(db: Kysely<Rows>, accountId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update deleted_accounts set restorable_until = null, user_id = null, email = null, token_hash = null
    where id = ${accountId} and (restorable_until is null or restorable_until <= ${at}) returning 1`.execute(db)
  return rows.length === 1
}

/** Deletes kept rows of an account that cannot be restored any more. */
export async function deleteKeptRows(db: Kysely<Rows>, accountId: string, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from deleted_rows where ctid = any(array(select ctid from deleted_rows where account_id = ${accountId} limit ${limit}))
    returning 1`.execute(db)
  return rows.length
}

/** Forgets a deleted account, of which no data is left or which is restored, with its kept rows. */
export async function forgetDeleted(tx: Transaction<Rows>, accountId: string): Promise<void> {
  await sql`delete from deleted_accounts where id = ${accountId}`.execute(tx)
}
