import { type RawBuilder, sql } from 'kysely'

/** Executions with the times that are added up: a query over a relation of ended executions. */
export function measuredSql(ended: RawBuilder<unknown>): RawBuilder<unknown> {
  const ms = (from: string, to: string) => sql.raw(`greatest(0, round(extract(epoch from ${to} - ${from}) * 1000))::bigint`)
  return sql`select account_id, workflow_id, state, ended_at, (retry_of is not null)::int as retried, (started_at is not null)::int as begun,
      case when started_at is not null then ${ms('started_at', 'ended_at')} end as duration_ms,
      case when started_at is not null then ${ms('created_at', 'started_at')} end as wait_ms,
      case when state = 'faulted' then coalesce(millrace_error_part(error, 'instance', 200), '') end as task,
      case when state = 'faulted' then coalesce(millrace_error_part(error, 'type', 200), '') end as error_type
    from ${ended}`
}

/** Times are added up in classes whose bounds grow by this factor. */
const classGrowth = 1.04

/** The time in milliseconds that stands for a class: at most 2 percent from every time in it. */
export function timeOfClass(timeClass: number): number {
  return timeClass === 0 ? 0 : Math.round(classGrowth ** (timeClass - 0.5))
}
