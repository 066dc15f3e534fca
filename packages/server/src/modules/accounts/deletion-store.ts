import { type Kysely, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** Records, in the transaction that deletes an account, that its data is to be deleted too. */
export async function recordDeletion(tx: Transaction<Rows>, accountId: string, at: Date): Promise<void> {
  await sql`insert into deleted_accounts (id, deleted_at) values (${accountId}, ${at})`.execute(tx)
}

/** Deleted accounts of which data is left, the oldest deletion first. */
export async function findDeleted(db: Kysely<Rows>, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from deleted_accounts order by deleted_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Forgets a deleted account, of which no data is left. */
export async function forgetDeleted(tx: Transaction<Rows>, accountId: string): Promise<void> {
  await sql`delete from deleted_accounts where id = ${accountId}`.execute(tx)
}
