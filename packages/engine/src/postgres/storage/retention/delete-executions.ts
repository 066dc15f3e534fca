import { sql } from 'kysely'
import { isExecutionMissingSql } from '#postgres/storage/execution-origin.ts'
import type { SqlExecutor } from '#postgres/storage/sql-database.ts'
import { leastIdAt } from '#postgres/storage/time-of-id.ts'
import type { Partition } from './partitions.ts'
import { isExpiredSql, type RetentionRules, ruleTable } from './retention-rules.ts'

/**
 * Deletes executions that have ended, with their journals, labels, keys and turns. What is known of a retry stays for as long as one of both
 * executions: the one that was retried is not retried again, and the retry uses its idempotency keys, also for a further retry.
 */
export async function deleteExecutions(db: SqlExecutor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with deleted as (delete from executions where id = any(${ids}::uuid[])),
      entries as (delete from journal where execution_id = any(${ids}::uuid[])),
      labels as (delete from execution_labels where execution_id = any(${ids}::uuid[])),
      keys as (delete from execution_keys where execution_id = any(${ids}::uuid[])),
      turns as (delete from execution_turns where execution_id = any(${ids}::uuid[]))
    delete from execution_retries r
    where r.retry_of = any(${ids}::uuid[]) and (r.execution_id = any(${ids}::uuid[]) or ${isExecutionMissingSql(sql`r.execution_id`)})
      or r.execution_id = any(${ids}::uuid[]) and ${isExecutionMissingSql(sql`r.retry_of`)}`.execute(db)
}

/** Deletes what is known of retries whose executions were dropped with their partitions. The look-ups are by primary keys. */
export async function deleteForgottenRetries(db: SqlExecutor, before: Date, limit: number): Promise<void> {
  await sql`
    delete from execution_retries where retry_of in (
      select r.retry_of from execution_retries r
      where r.execution_id < ${leastIdAt(before.getTime())} and ${isExecutionMissingSql(sql`r.execution_id`)} and ${isExecutionMissingSql(sql`r.retry_of`)}
      limit ${limit} for update skip locked
    )`.execute(db)
}

/**
 * Expired executions of workflows with a shorter retention than the installation, at most `limit`: they are deleted before
 * their partition is dropped. One scan of executions_by_workflow for each workflow, from its oldest execution.
 */
export async function findExpiredEarly(db: SqlExecutor, rules: RetentionRules, limit: number): Promise<readonly string[]> {
  const early = [...rules.workflows].flatMap(([id, before]) =>
    before !== undefined && (rules.before === undefined || before > rules.before) ? [{ id, before }] : [],
  )
  if (early.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select e.id
    from unnest(${early.map(({ id }) => id)}::uuid[], ${early.map(({ before }) => before)}::timestamptz[],
        ${early.map(({ before }) => leastIdAt(before.getTime()))}::uuid[]) as r (id, before, below)
      cross join lateral (
        select e.id from executions e where e.workflow_id = r.id and e.id < r.below and ${isExpiredSql(rules)}
        order by e.id nulls first limit ${limit}
      ) e
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Expired executions of one partition, at most `limit`. */
export async function findExpiredIn(
  db: SqlExecutor,
  { name }: Pick<Partition, 'name'>,
  rules: RetentionRules,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ${sql.table(`executions_${name}`)} e left join ${ruleTable(rules)} on r.id = e.workflow_id
    where ${isExpiredSql(rules)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the labels of expired executions of a partition before it is dropped or replaced: they have a table without partitions. Page by page
 * along its primary key, so the work is that for executions with labels.
 */
export async function deleteLabelsIn(db: SqlExecutor, { name, from, to }: Partition, rules: RetentionRules, limit: number): Promise<void> {
  for (let after = from, read = limit; read === limit; ) {
    const { rows } = await sql<{ id: string; expired: boolean }>`
      select l.id, coalesce(${isExpiredSql(rules)}, true) as expired
      from (select distinct execution_id as id from execution_labels
          where ${after === undefined ? sql`true` : sql`execution_id > ${after}`} and execution_id < ${to} order by 1 limit ${limit}) l
        left join ${sql.table(`executions_${name}`)} e on e.id = l.id left join ${ruleTable(rules)} on r.id = e.workflow_id
      order by l.id`.execute(db)
    read = rows.length
    after = rows.at(-1)?.id
    const expired = rows.flatMap(({ id, expired: isExpired }) => (isExpired ? id : []))
    if (expired.length > 0) await sql`delete from execution_labels where execution_id = any(${expired}::uuid[])`.execute(db)
  }
}

/** Deletes idempotency keys of executions that were started before a time, at most `limit`. Returns how many. */
export async function deleteExecutionKeys(db: SqlExecutor, beforeMs: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from execution_keys where (account_id, key) in (
      select account_id, key from execution_keys where execution_id < ${leastIdAt(beforeMs)}
      order by execution_id limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
