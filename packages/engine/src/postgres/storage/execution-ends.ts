import { type RawBuilder, sql } from 'kysely'

/** Takes ends that were not evaluated yet, at most `limit` batches: a `delete` for a common table expression. */
export function takeEndsSql(limit: number): RawBuilder<unknown> {
  return sql`delete from execution_ends where id in (select id from execution_ends order by id limit ${limit} for update skip locked)
    returning account_id, execution_ids`
}

/** The ends of an account that were not evaluated yet: a query. */
export function openEndsSql(accountId: string): RawBuilder<unknown> {
  return sql`select account_id, execution_ids from execution_ends where account_id = ${accountId}`
}

/**
 * The executions of ends, without those of tests; the ends are rows of `takeEndsSql` or `openEndsSql` under a name: a query. `offset 0` makes it look
 * up each execution by its primary key: the planner does not know how few there are, and would read whole partitions for a hash join.
 */
export function endedExecutionsSql(ends: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select e.id, e.account_id, e.workflow_id, e.state, e.actor, e.parent_id, e.retry_of, e.created_at, e.started_at, e.ended_at,
      case when e.state = 'faulted' then e.error end as error
    from ${ends} x cross join lateral unnest(x.execution_ids) as i (id)
    cross join lateral (select * from executions found where found.id = i.id and found.account_id = x.account_id and found.trigger <> 'test' offset 0) e`
}

/** Deletes the ends of an account that were not evaluated. */
export async function deleteEndsOf(executor: Parameters<RawBuilder<unknown>['execute']>[0], accountId: string): Promise<void> {
  await sql`delete from execution_ends where account_id = ${accountId}`.execute(executor)
}
