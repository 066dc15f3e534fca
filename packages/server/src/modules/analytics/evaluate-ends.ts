import { endedExecutionsSql, takeEndsSql, taskAttemptsSql } from '@millrace/engine/storage'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { measuredSql } from './evaluated.ts'
import { allWorkflows } from './figures-store.ts'

/** Executions of one workflow that faulted with one error. */
export interface FaultGroup {
  readonly accountId: string
  readonly workflowId: string
  readonly task: string
  readonly errorType: string
  /** Of the error, such as that of a response; empty without one. */
  readonly status: string
  readonly title: string
  readonly detail: string
  readonly count: number
  readonly latestId: string
}

/** Makes a statement with effects from the relation of ends that are evaluated. */
export type AlsoWithEnds = (taken: RawBuilder<unknown>) => RawBuilder<unknown>

/** Batches of ends in one evaluation; each names the executions of an account that one statement of the engine has ended. */
const endsMax = 200

export interface Evaluation {
  /** The faulted executions that no other execution waits for. */
  readonly faults: readonly FaultGroup[]
  /** It took as many ends as it may. Fewer that have arrived since wait for the next pass, so that they share it. */
  readonly hasMore: boolean
}

const origin = sql`timestamptz '1970-01-01T00:00:00Z'`
/** Each execution counts for its workflow and for all workflows of its account. */
const scopes = sql`lateral (values (workflow_id), (${allWorkflows}::uuid)) as scope (of_workflow)`
/** Executions are added up for parts of 15 minutes first, of which the longer parts consist, so that each execution is read once. */
const shortestPart = sql`date_bin(interval '15 minutes', ended_at, ${origin})`
const partsOfTime = sql`(values (15), (60), (1440), (5760), (23040), (92160)) as part (minutes)`
const partOf = sql`date_bin(make_interval(mins => part.minutes), at, ${origin})`

/**
 * Adds ended executions to the figures, each exactly once: the ends are deleted in the same statement. Runs in one process at a time.
 * @param also statements over the relation of the taken ends that belong to the same transaction, such as their metering.
 */
export async function evaluateEnds(tx: Kysely<Rows>, also: readonly AlsoWithEnds[] = []): Promise<Evaluation> {
  const { rows: locks } = await sql<{ readonly free: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('millrace execution ends')) as free`.execute(tx)
  if (locks[0]?.free !== true) return { faults: [], hasMore: false }
  const { rows } = await sql<{ readonly taken: number; readonly faults: readonly FaultGroup[] }>`
    with taken as (${takeEndsSql(endsMax)}),
    ${sql.join(
      also.map((statementOf, index) => sql`${sql.ref(`also_${index}`)} as (${statementOf(sql`taken`)}),`),
      sql` `,
    )}
    ended as materialized (${endedExecutionsSql(sql`taken`)}),
    measured as materialized (select *, ${shortestPart} as at from (${measuredSql(sql`ended`)}) m),
    counts as materialized (
      select account_id, workflow_id, at, state, count(*) as executions, sum(retried) as retries, sum(begun) as begun,
        coalesce(sum(duration_ms), 0) as duration_ms, coalesce(sum(wait_ms), 0) as wait_ms
      from measured group by 1, 2, 3, 4
    ),
    times as materialized (
      select account_id, workflow_id, at, measure, class, sum(executions) as executions from (
        select account_id, workflow_id, at, m.measure, m.ms, count(*) as executions
        from measured cross join lateral (values ('duration', duration_ms), ('wait', wait_ms)) as m (measure, ms) where m.ms is not null
        group by 1, 2, 3, 4, 5
      ) t cross join lateral (select millrace_time_class(t.ms) as class offset 0) c group by 1, 2, 3, 4, 5
    ),
    counted as (
      insert into execution_counts as c (account_id, workflow_id, minutes, at, state, executions, retries, begun, duration_ms, wait_ms)
      select account_id, of_workflow, part.minutes, ${partOf}, state, sum(executions), sum(retries), sum(begun), sum(duration_ms), sum(wait_ms)
      from counts cross join ${partsOfTime} cross join ${scopes} group by 1, 2, 3, 4, 5
      on conflict (account_id, minutes, at, workflow_id, state) do update set executions = c.executions + excluded.executions,
        retries = c.retries + excluded.retries, begun = c.begun + excluded.begun, duration_ms = c.duration_ms + excluded.duration_ms,
        wait_ms = c.wait_ms + excluded.wait_ms
    ),
    timed as (
      insert into execution_times as c (account_id, workflow_id, minutes, at, measure, class, executions)
      select account_id, of_workflow, part.minutes, ${partOf}, measure, class, sum(executions)
      from times cross join ${partsOfTime} cross join ${scopes} group by 1, 2, 3, 4, 5, 6
      on conflict (account_id, minutes, at, workflow_id, measure, class) do update set executions = c.executions + excluded.executions
    ),
    failed as (
      insert into execution_failures as c (account_id, workflow_id, minutes, at, task, error_type, executions)
      select account_id, workflow_id, part.minutes, ${partOf}, task, error_type, count(*)
      from measured cross join ${partsOfTime} where task is not null group by 1, 2, 3, 4, 5, 6
      on conflict (account_id, minutes, at, workflow_id, task, error_type) do update set executions = c.executions + excluded.executions
    ),
    tasks as materialized (
      select account_id, workflow_id, ${shortestPart} as at, task, count(*) as attempts, count(*) filter (where not ok) as failed, sum(ms) as duration_ms,
        max(ms) as longest_ms
      from (${taskAttemptsSql(sql`ended`)}) t group by 1, 2, 3, 4
    ),
    tasked as (
      insert into execution_tasks as c (account_id, workflow_id, minutes, at, task, attempts, failed, duration_ms, longest_ms)
      select account_id, workflow_id, part.minutes, ${partOf}, task, sum(attempts), sum(failed), sum(duration_ms), max(longest_ms)
      from tasks cross join ${partsOfTime} group by 1, 2, 3, 4, 5
      on conflict (account_id, minutes, at, workflow_id, task) do update set attempts = c.attempts + excluded.attempts,
        failed = c.failed + excluded.failed, duration_ms = c.duration_ms + excluded.duration_ms,
        longest_ms = greatest(c.longest_ms, excluded.longest_ms)
    ),
    faults as (
      select account_id as "accountId", workflow_id as "workflowId", coalesce(millrace_error_part(error, 'instance', 200), '') as task,
        coalesce(millrace_error_part(error, 'type', 200), '') as "errorType", coalesce(millrace_error_part(error, 'status', 10), '') as status,
        count(*)::int4 as count, max(id::text) as "latestId",
        coalesce((array_agg(millrace_error_part(error, 'title', 200) order by id desc))[1], 'Error') as title,
        coalesce((array_agg(millrace_error_part(error, 'detail', 1000) order by id desc))[1], '') as detail
      from ended where state = 'faulted' and parent_id is null group by 1, 2, 3, 4, 5
    )
    select (select count(*) from taken)::int4 as taken, coalesce((select jsonb_agg(to_jsonb(faults)) from faults), '[]') as faults`.execute(
    tx,
  )
  const { taken = 0, faults = [] } = rows[0] ?? {}
  return { faults, hasMore: taken === endsMax }
}
