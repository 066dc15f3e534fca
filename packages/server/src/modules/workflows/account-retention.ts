import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** For how long an account has decided to keep ended executions, in milliseconds. */
export async function findAccountRetention(tx: Kysely<Rows>, accountId: string): Promise<number | undefined> {
  return readAccountRetention(tx, accountId, undefined)
}

/** For how long an account keeps ended executions, in milliseconds; undefined: for ever, which an operator may have set for it. */
export async function readAccountRetention(
  tx: Kysely<Rows>,
  accountId: string,
  ofInstallation: number | undefined,
): Promise<number | undefined> {
  const { rows } = await sql<{ milliseconds: number | null }>`
    select milliseconds::float8 as milliseconds from account_retention where account_id = ${accountId}`.execute(tx)
  const [own] = rows
  return own === undefined ? ofInstallation : (own.milliseconds ?? undefined)
}

/** @param milliseconds undefined: as long as the installation keeps them. */
export async function putAccountRetention(tx: Kysely<Rows>, accountId: string, milliseconds: number | undefined): Promise<void> {
  if (milliseconds === undefined) await sql`delete from account_retention where account_id = ${accountId}`.execute(tx)
  else
    await sql`
      insert into account_retention (account_id, milliseconds) values (${accountId}, ${milliseconds})
      on conflict (account_id) do update set milliseconds = excluded.milliseconds`.execute(tx)
}
