import { type RawBuilder, sql } from 'kysely'
import type { Label } from '#core/label.ts'
import { labelsColumn, labelsOf, type TriggerKind } from './execution-row.ts'
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

/** What distinguishes an execution from others in a list of something else. */
export interface ExecutionSubject {
  readonly workflowId: string
  readonly createdAt: Date
  readonly labels: readonly Label[]
}

/** The subjects of executions, by id. */
export async function findSubjects(
  executor: SqlExecutor,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExecutionSubject>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    readonly id: string
    readonly workflow_id: string
    readonly created_at: Date
    readonly labels: string | null
  }>`
    select e.id, e.workflow_id, e.created_at, ${sql.raw(labelsColumn)} from executions e
    where e.account_id = ${accountId} and e.id = any(${[...new Set(ids)]}::uuid[])`.execute(executor)
  return new Map(rows.map((row) => [row.id, { workflowId: row.workflow_id, createdAt: row.created_at, labels: labelsOf(row.labels) }]))
}

/** An execution from which another one descends, or that one itself. */
export interface Origin {
  /** The execution whose origin this is. */
  readonly of: string
  readonly id: string
  /** What started it; of a retry, what started the first one. */
  readonly trigger: TriggerKind
  /** Who started it, as `kind:id`. */
  readonly actor: string
  /** The execution that it retries, which retention may have deleted. */
  readonly retryOf: string | undefined
  /** Whether it called the execution, and is not merely what the execution retries. */
  readonly isCaller: boolean
}

interface OriginRow extends Pick<Origin, 'of' | 'id' | 'trigger' | 'actor'> {
  readonly retry_of: string | null
  readonly is_caller: boolean
}

/**
 * Executions, those that they retry, and the ones that called them, directly or not, the nearest first.
 * @param max of each execution, with itself; all unless given.
 */
export async function findOrigins(
  executor: SqlExecutor,
  accountId: string,
  ids: readonly string[],
  max?: number,
): Promise<readonly Origin[]> {
  if (ids.length === 0) return []
  // An execution is called by one or retries one, so that its origins are a line.
  const { rows } = await sql<OriginRow>`
    with recursive origins (root, id, trigger, actor, parent_id, retry_of, is_caller, distance) as (
      select id, id, trigger, actor, parent_id, retry_of, false, 0 from executions where account_id = ${accountId} and id = any(${ids}::uuid[])
      union all
      select o.root, e.id, e.trigger, e.actor, e.parent_id, e.retry_of, o.is_caller or e.id is not distinct from o.parent_id, o.distance + 1
      from executions e join origins o on e.id = coalesce(o.parent_id, o.retry_of)
      where e.account_id = ${accountId} ${max === undefined ? sql`` : sql`and o.distance + 1 < ${max}`}
    )
    select root as of, id, trigger, actor, retry_of, is_caller from origins order by distance`.execute(executor)
  return rows.map(({ of, id, trigger, actor, retry_of: retryOf, is_caller: isCaller }) => ({
    of,
    id,
    trigger,
    actor,
    retryOf: retryOf ?? undefined,
    isCaller,
  }))
}

/** The actors, as `kind:id`, who started an execution, the executions that it retries, and its parents. */
export async function findActors(executor: SqlExecutor, accountId: string, id: string): Promise<readonly string[]> {
  return [...new Set((await findOrigins(executor, accountId, [id])).map(({ actor }) => actor))]
}

/** The input of an execution, as JSON. */
export async function findInput(executor: SqlExecutor, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ readonly input: string }>`
    select input::text as input from executions where account_id = ${accountId} and id = ${id}`.execute(executor)
  return rows[0]?.input
}

/** The input of an execution and, once it has ended well, its output. */
export async function findInputAndOutput(
  executor: SqlExecutor,
  accountId: string,
  id: string,
): Promise<{ readonly input: string; readonly output: string | null } | undefined> {
  const { rows } = await sql<{ readonly input: string; readonly output: string | null }>`
    select input::text as input, output::text as output from executions where account_id = ${accountId} and id = ${id}`.execute(executor)
  return rows[0]
}
