import { type RawBuilder, sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'
import { preparedMark } from '#platform/db/database-client.ts'

export type CodePurpose = 'enroll' | 'sign-in' | 'second-factor'

/** A code that was sent; without a user for a number that no user has. */
export interface PhoneCode {
  readonly requestHash: Uint8Array
  readonly purpose: CodePurpose
  readonly user: { readonly accountId: string; readonly userId: string } | undefined
  readonly number: string
  readonly codeHash: Uint8Array
  readonly secondFactor: boolean
  readonly expiresAt: Date
}

/** After so many wrong codes a request has ended. */
export const codeFailuresMax = 5

/** The id of no user. */
const noUser = '00000000-0000-0000-0000-000000000000'

/** Stores a code, and returns the locale of its user. The work is the same without a user. */
export async function insertPhoneCode(tx: Executor, code: PhoneCode, at: Date): Promise<string | undefined> {
  const { requestHash, purpose, user, number, codeHash, secondFactor, expiresAt } = code
  const { rows } = await sql<{ readonly locale: string | null }>`${sql.raw(preparedMark('insert_phone_code'))}with inserted as (
      insert into phone_codes (request_hash, account_id, user_id, purpose, number, code_hash, second_factor, created_at, expires_at)
      values (${requestHash}, ${user?.accountId ?? null}, ${user?.userId ?? null}, ${purpose}, ${number}, ${codeHash}, ${secondFactor},
        ${at}, ${expiresAt})
    )
    select locale from users where account_id = ${user?.accountId ?? noUser}::uuid and id = ${user?.userId ?? noUser}::uuid`.execute(tx)
  return rows[0]?.locale ?? undefined
}

interface CodeRow {
  readonly account_id: string | null
  readonly user_id: string | null
  readonly number: string
  readonly code_hash: Buffer
  readonly second_factor: boolean
}

/** Counts an attempt before its code is checked, so that concurrent attempts are all counted; `undefined` when the request has ended. */
export async function countCodeAttempt(
  db: Executor,
  purpose: CodePurpose,
  requestHash: Uint8Array,
  at: Date,
): Promise<Pick<PhoneCode, 'user' | 'number' | 'codeHash' | 'secondFactor'> | undefined> {
  const { rows } = await sql<CodeRow>`
    update phone_codes set failures = failures + 1
    where request_hash = ${requestHash} and purpose = ${purpose} and expires_at > ${at} and failures < ${codeFailuresMax}
    returning account_id, user_id, number, code_hash, second_factor`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { account_id: accountId, user_id: userId, number, code_hash: codeHash, second_factor: secondFactor } = row
  return { user: accountId === null || userId === null ? undefined : { accountId, userId }, number, codeHash, secondFactor }
}

/** Uses a code up; false when another request has used it. */
export async function deletePhoneCode(db: Executor, requestHash: Uint8Array): Promise<boolean> {
  const { rows } = await sql`delete from phone_codes where request_hash = ${requestHash} returning 1`.execute(db)
  return rows.length === 1
}

/** Deletes at most `limit` codes that have expired, and returns their number; to be run periodically. */
export async function deleteExpiredPhoneCodes(db: Executor, at: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from phone_codes where request_hash in (
      select request_hash from phone_codes where expires_at < ${at} limit ${limit} for update skip locked
    ) returning 1`.execute(db)
  return rows.length
}

/** The user who signs in by a number alone. Across accounts, since the account of a sign-in is not known yet. */
export async function findPhoneUser(
  db: Executor,
  number: string,
): Promise<{ readonly accountId: string; readonly userId: string } | undefined> {
  const { rows } = await sql<{ readonly account_id: string; readonly user_id: string }>`
    select account_id, user_id from user_phones where number = ${number} and not second_factor`.execute(db)
  return rows[0] === undefined ? undefined : { accountId: rows[0].account_id, userId: rows[0].user_id }
}

/** Has a row while a user signs in by a number alone, and keeps that from being changed until the session is opened. */
export function phoneGuard(accountId: string, userId: string, number: string): RawBuilder<unknown> {
  return sql`
    select 1 from user_phones
    where account_id = ${accountId}::uuid and user_id = ${userId}::uuid and number = ${number}::text and not second_factor for share`
}

/** Stores the number of a user in place of an earlier one; false when another user has the number. */
export async function putPhone(
  tx: Executor,
  accountId: string,
  { userId, number, secondFactor }: { readonly userId: string; readonly number: string; readonly secondFactor: boolean },
  at: Date,
): Promise<boolean> {
  await sql`delete from user_phones where account_id = ${accountId} and user_id = ${userId}`.execute(tx)
  const { rows } = await sql`
    insert into user_phones (user_id, account_id, number, second_factor, verified_at)
    values (${userId}, ${accountId}, ${number}, ${secondFactor}, ${at}) on conflict do nothing returning 1`.execute(tx)
  return rows.length === 1
}

export async function deletePhone(tx: Executor, accountId: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from user_phones where account_id = ${accountId} and user_id = ${userId} returning 1`.execute(tx)
  return rows.length === 1
}
