import { type RawBuilder, sql } from 'kysely'

/**
 * The attempts of tasks in ended executions: a query over rows of `endedExecutionsSql`, with the columns `account_id`, `workflow_id`, `ended_at` (of
 * the execution), `task` (JSON Pointer in the definition, cut), `ok` and `ms`. An attempt has an outcome in the journal; each iteration and visit of a
 * task has its own. It lasts from its first entry to its last one, so a wait for people, events or a child counts from its begin. Pauses (`wait`,
 * delays before attempts) and tasks that only compute are left out, and so are outcomes that a retry has taken over. `offset 0` makes it read by
 * primary keys (execution-ends.ts).
 */
export function taskAttemptsSql(ended: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select e.account_id, e.workflow_id, e.ended_at, left(${taskSql}, 500) as task, t.ok, t.ms
    from ${ended} e cross join lateral (
      select ${baseSql} as position, bool_and(ok) as ok,
        greatest(0, round(extract(epoch from max(ended_at) - min(started_at)) * 1000))::bigint as ms
      from journal entry
      where entry.execution_id = e.id and kind not in ('timer', 'computation', 'variables')
        and (e.retry_of is null or entry.ended_at >= e.created_at)
      group by 1 having bool_or(phase = 'ended') offset 0
    ) t`
}

/** Messages are recorded below the wait that they end. */
const baseSql = sql.raw(String.raw`case when kind = 'message' then regexp_replace(position, '/(message|event/\d+)$', '') else position end`)

/** Positions of one task differ by iteration (`[i]`), visit (`~n`) and attempt (`!n`). */
const taskSql = sql.raw(
  String.raw`case when t.position ~ '[][~!]' then regexp_replace(t.position, '\[\d+\]|~\d+(?=[][/!]|$)|!\d+', '', 'g') else t.position end`,
)
