import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { deleteExecutions } from './retention-delete.ts'

type Executor = Kysely<Rows>

export async function hasUnfinished(executor: Executor, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from executions where account_id = ${accountId} and state not in ('completed', 'faulted', 'cancelled')
    ) as found`.execute(executor)
  return rows[0]?.found === true
}

/** Deletes executions that have ended, with all that is kept of them, at most `limit`; returns how many. */
export async function deleteEnded(executor: Executor, accountId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from executions where account_id = ${accountId} and state in ('completed', 'faulted', 'cancelled')
    order by id limit ${limit}`.execute(executor)
  await deleteExecutions(
    executor,
    rows.map(({ id }) => id),
  )
  return rows.length
}

export async function deleteDeadLetters(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from dead_letters where account_id = ${accountId}`.execute(executor)
}
