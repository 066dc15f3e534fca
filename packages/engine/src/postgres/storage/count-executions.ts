import { sql } from 'kysely'
import type { SqlExecutor } from './sql-database.ts'
import { leastIdAt } from './time-of-id.ts'

export interface ExecutionCount {
  readonly accountId: string
  readonly amount: number
}

/** Executions that were created from `from` until `to`, by account: one scan of the ids of that time, which are UUIDv7. */
export async function countExecutionsByAccount(executor: SqlExecutor, from: Date, to: Date): Promise<readonly ExecutionCount[]> {
  const { rows } = await sql<ExecutionCount>`
    select account_id as "accountId", count(*)::int8 as amount from executions
    where id >= ${leastIdAt(from.getTime())} and id < ${leastIdAt(to.getTime())} group by account_id`.execute(executor)
  return rows
}

/** Executions of an account that were created since a time: a range of executions_by_account. */
export async function countExecutionsSince(executor: SqlExecutor, accountId: string, from: Date): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select count(*)::int8 as amount from executions
    where account_id = ${accountId} and id >= ${leastIdAt(from.getTime())}`.execute(executor)
  return rows[0]?.amount ?? 0
}
