import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { leastId } from '#platform/ids.ts'
import type { Partition } from './retention-partitions.ts'
import { expired, type RetentionRules, ruleTable } from './retention-rules.ts'

type Executor = Kysely<Rows>

/** Deletes executions that have ended, and all that is kept of them. */
export async function deleteExecutions(db: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with gone as (delete from executions where id = any(${ids}::uuid[])),
      written as (delete from journal where execution_id = any(${ids}::uuid[])),
      keys as (delete from execution_keys where execution_id = any(${ids}::uuid[]))
    delete from execution_retries where retry_of = any(${ids}::uuid[])`.execute(db)
}

/**
 * Executions of workflows that keep them for a shorter time than the installation does, at most `limit`: those do not wait for their
 * partition to be dropped. A scan of executions_by_workflow for each, from its oldest.
 */
export async function findExpiredEarly(db: Executor, rules: RetentionRules, limit: number): Promise<readonly string[]> {
  const early = [...rules.workflows].flatMap(([id, before]) =>
    before !== undefined && (rules.before === undefined || before > rules.before) ? [{ id, before }] : [],
  )
  if (early.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select e.id
    from unnest(${early.map(({ id }) => id)}::uuid[], ${early.map(({ before }) => before)}::timestamptz[],
        ${early.map(({ before }) => leastId(before.getTime()))}::uuid[]) as r (id, before, below)
      cross join lateral (
        select e.id from executions e where e.workflow_id = r.id and e.id < r.below and ${expired(rules)}
        order by e.id nulls first limit ${limit}
      ) e
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Executions of one partition that nobody keeps any more, at most `limit`. */
export async function findExpiredIn(
  db: Executor,
  { name }: Pick<Partition, 'name'>,
  rules: RetentionRules,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ${sql.table(`executions_${name}`)} e left join ${ruleTable(rules)} on r.id = e.workflow_id
    where ${expired(rules)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Keys of starts from before a time, at most `limit`. */
export async function sweepExecutionKeys(db: Executor, beforeMs: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from execution_keys where (account_id, key) in (
      select account_id, key from execution_keys where execution_id < ${leastId(beforeMs)}
      order by execution_id limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
