import { sql } from 'kysely'
import type { User } from '#modules/identity/model.ts'
import { type Executor, userColumns, userOf, type UserRow } from '#modules/identity/store.ts'

export interface Member extends User {
  readonly secondFactor: boolean
}

const hasFactor = sql`(exists (select from user_totp t where t.account_id = u.account_id and t.user_id = u.id and t.confirmed_at is not null)
  or exists (select from user_phones p where p.account_id = u.account_id and p.user_id = u.id and p.second_factor))`

/** Users of an account, the newest first. */
export async function listMembers(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Member[]> {
  const { rows } = await sql<UserRow & { readonly second_factor: boolean }>`
    select ${userColumns}, ${hasFactor} as second_factor from users u
    where u.account_id = ${accountId} ${before === undefined ? sql`` : sql`and u.id < ${before}`}
    order by u.id desc limit ${limit}`.execute(tx)
  return rows.map((row) => ({ ...userOf(row), secondFactor: row.second_factor }))
}

export async function findMember(tx: Executor, accountId: string, userId: string): Promise<Member | undefined> {
  const { rows } = await sql<UserRow & { readonly second_factor: boolean }>`
    select ${userColumns}, ${hasFactor} as second_factor from users u where u.account_id = ${accountId} and u.id = ${userId}`.execute(tx)
  return rows[0] === undefined ? undefined : { ...userOf(rows[0]), secondFactor: rows[0].second_factor }
}
