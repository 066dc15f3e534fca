import { endedExecutionsSql, openEndsSql, taskAttemptsSql } from '@millrace/engine/storage'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { measuredSql } from './evaluated.ts'
import type { Piece } from './period.ts'

type Executor = Kysely<Rows>

/** In the figures, the workflow that stands for all workflows of the account. */
export const allWorkflows = '00000000-0000-0000-0000-000000000000'

/** The executions that figures are about. */
export interface Selection {
  /** Undefined: all workflows. */
  readonly workflowId: string | undefined
  /** The period by its buckets. */
  readonly pieces: readonly Piece[]
  /** The period as one, in fewer pieces. */
  readonly whole: readonly Piece[]
  readonly from: number
  readonly to: number
  /** Starts of the buckets, oldest first. */
  readonly starts: readonly number[]
}

export interface CountRow {
  readonly key: string
  readonly state: 'completed' | 'faulted' | 'cancelled'
  readonly executions: number
  readonly retries: number
  readonly begun: number
  readonly duration_ms: number
  readonly wait_ms: number
}

export interface TimeRow {
  readonly key: string
  readonly measure: 'duration' | 'wait'
  readonly class: number
  readonly executions: number
}

export interface FailureRow {
  readonly workflow_id: string
  readonly task: string
  readonly error_type: string
  readonly executions: number
}

export interface TaskRow {
  readonly workflow_id: string
  readonly task: string
  readonly attempts: number
  readonly failed: number
  readonly duration_ms: number
  readonly longest_ms: number
}

/**
 * Counts by bucket or by workflow. One statement reads the added figures and the ends that are not added yet, so that each execution counts exactly once
 * at every moment. The figures of a piece are one range of an index; `lateral` keeps the planner from reading them all.
 */
export async function readCounts(
  executor: Executor,
  accountId: string,
  selection: Selection,
  by: 'bucket' | 'workflow',
): Promise<readonly CountRow[]> {
  const [pieces, condition] =
    by === 'bucket'
      ? [selection.pieces, sql`c.workflow_id = ${selection.workflowId ?? allWorkflows}`]
      : [selection.whole, sql`c.workflow_id <> ${allWorkflows}`]
  const { rows } = await sql<CountRow>`
    with ${liveSql(accountId, selection)},
    u as (
      select ${by === 'bucket' ? sql`p.bucket::text` : sql`c.workflow_id::text`} as key, c.state, c.executions, c.retries, c.begun, c.duration_ms, c.wait_ms
      from ${piecesSql(pieces)} cross join lateral (
        select workflow_id, state, executions, retries, begun, duration_ms, wait_ms from execution_counts c
        where ${rangeSql(accountId)} and ${condition} offset 0
      ) c
      union all
      select ${by === 'bucket' ? bucketSql(selection) : sql`workflow_id::text`}, state, 1, retried, begun, coalesce(duration_ms, 0), coalesce(wait_ms, 0) from live
    )
    select key, state, sum(executions)::int8 as executions, sum(retries)::int8 as retries, sum(begun)::int8 as begun,
      sum(duration_ms)::int8 as duration_ms, sum(wait_ms)::int8 as wait_ms
    from u group by key, state`.execute(executor)
  return rows
}

/** Classes of times: of all selected executions, or of each of some workflows. */
export async function readTimes(
  executor: Executor,
  accountId: string,
  selection: Selection,
  workflowIds: readonly string[] | undefined,
): Promise<readonly TimeRow[]> {
  const key = workflowIds === undefined ? sql`''` : sql`workflow_id::text`
  const ofFigures = workflowIds === undefined ? sql`c.workflow_id = ${selection.workflowId ?? allWorkflows}` : sql`c.workflow_id = w.id`
  const chosen = workflowIds === undefined ? sql`true` : sql`workflow_id = any(${workflowIds}::uuid[])`
  const { rows } = await sql<TimeRow>`
    with ${liveSql(accountId, selection)},
    u as (
      select ${key} as key, c.measure, c.class, c.executions
      from ${piecesSql(selection.whole)} cross join unnest(${workflowIds ?? [allWorkflows]}::uuid[]) as w (id) cross join lateral (
        select workflow_id, measure, class, executions from execution_times c where ${rangeSql(accountId)} and ${ofFigures} offset 0
      ) c
      union all
      select ${key}, m.measure, millrace_time_class(m.ms), 1
      from live cross join lateral (values ('duration', duration_ms), ('wait', wait_ms)) as m (measure, ms)
      where m.ms is not null and ${chosen}
    )
    select key, measure, class, sum(executions)::int8 as executions from u group by key, measure, class order by key, measure, class`.execute(
    executor,
  )
  return rows
}

/** Where executions faulted, most often first; with the workflow of each place. */
export async function readFailures(
  executor: Executor,
  accountId: string,
  selection: Selection,
  limit: number,
): Promise<readonly FailureRow[]> {
  const { rows } = await sql<FailureRow>`
    with ${liveSql(accountId, selection)},
    u as (
      select c.workflow_id, c.task, c.error_type, c.executions
      from ${piecesSql(selection.whole)} cross join lateral (
        select workflow_id, task, error_type, executions from execution_failures c where ${rangeSql(accountId)} and ${ofWorkflowSql(selection)} offset 0
      ) c
      union all
      select workflow_id, task, error_type, 1 from live where task is not null
    )
    select workflow_id, task, error_type, sum(executions)::int8 as executions from u group by 1, 2, 3 order by 4 desc, 2, 3, 1 limit ${limit}`.execute(
    executor,
  )
  return rows
}

/** The tasks whose attempts took longest on average. */
export async function readSlowestTasks(
  executor: Executor,
  accountId: string,
  selection: Selection,
  limit: number,
): Promise<readonly TaskRow[]> {
  const { rows } = await sql<TaskRow>`
    with ${endedSql(accountId)},
    u as (
      select c.workflow_id, c.task, c.attempts, c.failed, c.duration_ms, c.longest_ms
      from ${piecesSql(selection.whole)} cross join lateral (
        select workflow_id, task, attempts, failed, duration_ms, longest_ms from execution_tasks c
        where ${rangeSql(accountId)} and ${ofWorkflowSql(selection)} offset 0
      ) c
      union all
      select c.workflow_id, c.task, 1, case when c.ok then 0 else 1 end, c.ms, c.ms from (${taskAttemptsSql(sql`ended`)}) c
      where ${endedWithinSql(selection)} and ${ofWorkflowSql(selection)}
    )
    select workflow_id, task, sum(attempts)::int8 as attempts, sum(failed)::int8 as failed, sum(duration_ms)::int8 as duration_ms,
      max(longest_ms)::int8 as longest_ms
    from u group by 1, 2 order by sum(duration_ms) / sum(attempts) desc, 1, 2 limit ${limit}`.execute(executor)
  return rows
}

/** Deletes the figures of an account. */
export async function deleteFiguresOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from execution_counts where account_id = ${accountId}`.execute(tx)
  await sql`delete from execution_times where account_id = ${accountId}`.execute(tx)
  await sql`delete from execution_failures where account_id = ${accountId}`.execute(tx)
  await sql`delete from execution_tasks where account_id = ${accountId}`.execute(tx)
}

/** Executions that ended in the period and are not added to the figures yet. */
function liveSql(accountId: string, selection: Selection): RawBuilder<unknown> {
  return sql`${endedSql(accountId)}, live as (
    select * from (${measuredSql(sql`ended`)}) c where ${endedWithinSql(selection)} and ${ofWorkflowSql(selection)}
  )`
}

function endedSql(accountId: string): RawBuilder<unknown> {
  return sql`ends as (${openEndsSql(accountId)}), ended as (${endedExecutionsSql(sql`ends`)})`
}

function endedWithinSql({ from, to }: Selection): RawBuilder<unknown> {
  return sql`c.ended_at >= ${new Date(from)} and c.ended_at < ${new Date(to)}`
}

/** Rows of the selected workflow; all rows where none is selected. */
function ofWorkflowSql({ workflowId }: Selection): RawBuilder<unknown> {
  return workflowId === undefined ? sql`true` : sql`c.workflow_id = ${workflowId}`
}

function piecesSql(pieces: readonly Piece[]): RawBuilder<unknown> {
  const times = (of: (piece: Piece) => number) => pieces.map((piece) => new Date(of(piece)))
  return sql`unnest(${pieces.map(({ minutes }) => minutes)}::int4[], ${times((piece) => piece.from)}::timestamptz[], ${times((piece) => piece.to)}::timestamptz[],
    ${pieces.map(({ bucket }) => bucket)}::int4[]) as p (minutes, first, behind, bucket)`
}

function rangeSql(accountId: string): RawBuilder<unknown> {
  return sql`c.account_id = ${accountId} and c.minutes = p.minutes and c.at >= p.first and c.at < p.behind`
}

function bucketSql({ starts }: Selection): RawBuilder<unknown> {
  return sql`(width_bucket(ended_at, ${starts.map((start) => new Date(start))}::timestamptz[]) - 1)::text`
}
