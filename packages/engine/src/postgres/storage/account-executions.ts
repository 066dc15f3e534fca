import { sql } from 'kysely'
import { terminalStatesSql, unfinishedStatesSql } from '#core/execution-state.ts'
import { deleteExecutions } from './retention/delete-executions.ts'
import type { SqlExecutor } from './sql-database.ts'

const terminal = sql.raw(terminalStatesSql)

/** Unfinished executions of an account without a cancel request, at most `limit`. */
export async function findUncancelledExecutions(db: SqlExecutor, accountId: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from executions
    where account_id = ${accountId} and state in ${sql.raw(unfinishedStatesSql)} and cancel_requested_at is null
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function hasUnfinishedExecutions(db: SqlExecutor, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from executions where account_id = ${accountId} and state not in ${terminal}) as found`.execute(db)
  return rows[0]?.found === true
}

/** Deletes executions of an account that have ended, with their journals, at most `limit`; returns how many. */
export async function deleteEndedExecutions(db: SqlExecutor, accountId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from executions where account_id = ${accountId} and state in ${terminal}
    order by id limit ${limit}`.execute(db)
  await deleteExecutions(
    db,
    rows.map(({ id }) => id),
  )
  return rows.length
}
