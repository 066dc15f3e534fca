import { type RawBuilder, sql } from 'kysely'
import type { ErrorData } from '#core/error.ts'
import type { TerminalState } from '#core/execution-state.ts'
import type { Label } from '#core/label.ts'
import { labelsColumn, labelsOf, type TriggerKind } from './execution-row.ts'
import type { SqlExecutor } from './sql-database.ts'

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
  return sql`select e.id, e.account_id, e.workflow_id, e.state, e.actor, e.parent_id, e.retry_of, e.depth, e.caused_by, e.created_at, e.started_at, e.ended_at,
      case when e.state = 'faulted' then e.error end as error
    from ${ends} x cross join lateral unnest(x.execution_ids) as i (id)
    cross join lateral (select * from executions found where found.id = i.id and found.account_id = x.account_id and found.trigger <> 'test' offset 0) e`
}

/** Deletes the ends of an account that were not evaluated. */
export async function deleteEndsOf(executor: Parameters<RawBuilder<unknown>['execute']>[0], accountId: string): Promise<void> {
  await sql`delete from execution_ends where account_id = ${accountId}`.execute(executor)
}

/** An execution that has ended, with what it says to others. */
export interface EndedExecution {
  readonly id: string
  readonly accountId: string
  readonly workflowId: string
  readonly versionId: string
  readonly state: TerminalState
  readonly trigger: TriggerKind
  /** Who or what started it, as `kind:id`. */
  readonly actor: string
  readonly retryOf: string | undefined
  readonly createdAt: Date
  /** Undefined for one that never began. */
  readonly startedAt: Date | undefined
  readonly endedAt: Date
  /** Of a faulted one. */
  readonly error: ErrorData | undefined
  readonly labels: readonly Label[]
}

interface EndedRow {
  readonly id: string
  readonly account_id: string
  readonly workflow_id: string
  readonly version_id: string
  readonly state: TerminalState
  readonly trigger: TriggerKind
  readonly actor: string
  readonly retry_of: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date
  readonly error: string | null
  readonly labels: string | null
}

/** Reads executions that have ended, whatever their accounts, by id; those that are not kept any more are left out. */
export async function findEnded(executor: SqlExecutor, ids: readonly string[]): Promise<ReadonlyMap<string, EndedExecution>> {
  const { rows } = await sql<EndedRow>`
    select id, account_id, workflow_id, version_id, state, trigger, actor, retry_of, created_at, started_at, ended_at,
      case when state = 'faulted' then error::text end as error, ${sql.raw(labelsColumn)}
    from executions e where id = any(${ids}::uuid[]) and ended_at is not null`.execute(executor)
  return new Map(rows.map((row) => [row.id, endedOf(row)]))
}

function endedOf(row: EndedRow): EndedExecution {
  return {
    id: row.id,
    accountId: row.account_id,
    workflowId: row.workflow_id,
    versionId: row.version_id,
    state: row.state,
    trigger: row.trigger,
    actor: row.actor,
    retryOf: row.retry_of ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the engine out of ErrorData.
    error: row.error === null ? undefined : (JSON.parse(row.error) as ErrorData),
    labels: labelsOf(row.labels),
  }
}

/** Kinds of entries that are no tasks: waiting for a time, and expressions that ran out of their budget. */
const uncountedKinds = sql.raw(`('timer', 'computation')`)

/**
 * The tasks of ended executions by account and hour of their end; `ends` names rows of `takeEndsSql` or `openEndsSql`: a query with the columns
 * `account_id`, `hour` and `tasks`. A task is an outcome in the journal: a call, a script, a child, an event, a message; each attempt counts. What a
 * retry has taken over from the execution that it retries was counted there: it is from before the retry, and at the same position unless the retry
 * runs another version. `offset 0` makes it read by primary keys.
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
