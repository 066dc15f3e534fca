import { type RawBuilder, sql } from 'kysely'
import type { SqlExecutor } from './sql-database.ts'

export async function hasExecution(executor: SqlExecutor, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from executions where account_id = ${accountId} and id = ${id}`.execute(executor)
  return rows.length > 0
}

/** A condition: whether an execution of an outer query does not exist, or exists no more. */
export function isExecutionMissingSql(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(select true from executions e where e.id = ${id}) is null`
}

/** A query for the id of an execution's workflow, to be used as a scalar. */
export function workflowIdQuery(executionId: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`select e.workflow_id from executions e where e.id = ${executionId}`
}

/** The actors, as `kind:id`, who started an execution, the executions that it retries, and its parents. */
export async function findActors(executor: SqlExecutor, accountId: string, id: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly actor: string }>`
    with recursive origins (id, actor, parent_id, retry_of) as (
      select id, actor, parent_id, retry_of from executions where account_id = ${accountId} and id = ${id}
      union
      select e.id, e.actor, e.parent_id, e.retry_of from executions e join origins o on e.id in (o.parent_id, o.retry_of)
      where e.account_id = ${accountId}
    )
    select distinct actor from origins`.execute(executor)
  return rows.map(({ actor }) => actor)
}
