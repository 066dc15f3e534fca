import { type RawBuilder, sql } from 'kysely'

/** Kinds of entries that are no tasks: waiting for a time, and expressions that ran out of their budget. */
const uncountedKinds = sql.raw(`('timer', 'computation')`)

/**
 * The tasks of ended executions by account and hour of their end; `ends` names rows of `takeEndsSql` or `openEndsSql`: a query with the columns
 * `account_id`, `hour` and `tasks`. A task is an outcome in the journal: a call, a script, a child, an event, a message; each attempt counts. What a
 * retry has taken over from the execution that it retries was counted there: it is from before the retry, and at the same position unless the retry
 * runs another version. `offset 0` makes it read by primary keys (execution-ends.ts).
 */
export function tasksOfEndsSql(ends: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select e.account_id, date_bin('1 hour', e.ended_at, timestamptz '2000-01-01T00:00:00Z') as hour, count(*)::int8 as tasks
    from ${ends} x cross join lateral unnest(x.execution_ids) as i (id)
    cross join lateral (select * from executions found where found.id = i.id and found.account_id = x.account_id offset 0) e
    cross join lateral (
      select position, ended_at from journal entry where entry.execution_id = e.id and phase = 'ended' and kind not in ${uncountedKinds} offset 0
    ) j
    where e.retry_of is null or (j.ended_at >= e.created_at and not exists (
      select from journal o where o.execution_id = e.retry_of and o.phase = 'ended' and o.position = j.position and o.ended_at = j.ended_at))
    group by 1, 2`
}
