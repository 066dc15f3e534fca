import { sql } from 'kysely'
import type { SqlExecutor } from './sql-database.ts'

/** Executions of a workflow that wait for their turn; more than this are not counted. */
export const awaitedTurnsMax = 1_000

export async function countAwaitedTurns(executor: SqlExecutor, accountId: string, workflowId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from (
      select from execution_turns t join executions e on e.id = t.execution_id
      where t.workflow_id = ${workflowId} and t.account_id = ${accountId} and not t.admitted and e.state = 'pending' limit ${awaitedTurnsMax}
    ) waiting`.execute(executor)
  return rows[0]?.count ?? 0
}
