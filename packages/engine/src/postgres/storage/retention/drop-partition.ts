import { type RawBuilder, sql } from 'kysely'
import type { SqlDatabase, SqlExecutor } from '#postgres/storage/sql-database.ts'
import {
  changePartitions,
  idColumnOf,
  lockTablesExclusive,
  type Partition,
  type PartitionedTable,
  type Partitions,
  partitionedTables,
  setLockTimeout,
} from './partitions.ts'
import { isExpiredSql, type RetentionRules, ruleTable } from './retention-rules.ts'

/** Executions, and their journal entries, that may outlive their partition at most: they are moved while writes wait. */
export const survivorsMax = 1_000
const entriesMax = 20_000

/**
 * Executions `e` of a partition that have not expired, without those that satisfy `excluded`.
 * @returns undefined when they are too many to be moved while writes wait.
 */
export async function findSurvivors(
  db: SqlExecutor,
  partition: Partition,
  rules: RetentionRules,
  excluded: RawBuilder<unknown> = sql`false`,
): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ${sql.table(`executions_${partition.name}`)} e left join ${ruleTable(rules)} on r.id = e.workflow_id
    where not ${isExpiredSql(rules)} and not ${excluded} limit ${survivorsMax + 1}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length > survivorsMax) return undefined
  const entries = await sql<{ count: number }>`
    select count(*)::int4 as count from (
      select from ${sql.table(`journal_${partition.name}`)} where execution_id = any(${ids}::uuid[]) limit ${entriesMax + 1}
    ) counted`.execute(db)
  return (entries.rows[0]?.count ?? 0) > entriesMax ? undefined : ids
}

/**
 * Drops the oldest partition, after moving its survivors to the partition `kept`. The list of survivors was read before, without a lock: an
 * execution expires only after it has ended, and an ended one does not change, so the list can only have become shorter. Everything happens
 * in one transaction, so a process that dies changes nothing. Writes wait while it runs (some 30 ms), and while it waits for statements under
 * way, which the lock timeout bounds.
 *
 * @returns false when another process has dropped it.
 */
export async function dropPartition(db: SqlDatabase, partition: Partition, survivors: readonly string[]): Promise<boolean> {
  for (const parent of partitionedTables) await boundKeptPartition(db, parent, partition.to)
  return await changePartitions(db, async (tx, current) => {
    if (current.dated[0]?.name !== partition.name) return false
    await lockTablesExclusive.execute(tx)
    for (const parent of partitionedTables) await dropOldest(tx, parent, current, survivors)
    await sql`delete from execution_keys where execution_id < ${partition.to}`.execute(tx)
    return true
  })
}

/** Checks the new upper bound of the partition `kept` before anything is locked; attaching it then needs no scan of its rows. */
async function boundKeptPartition(db: SqlDatabase, parent: PartitionedTable, to: string): Promise<void> {
  const [table, id] = [sql.table(`${parent}_kept`), sql.ref(idColumnOf(parent))]
  await db.transaction().execute(async (tx) => {
    await setLockTimeout.execute(tx)
    await sql`alter table ${table} drop constraint if exists kept_bound`.execute(tx)
    await sql`alter table ${table} add constraint kept_bound check (${id} < ${sql.lit(to)}) not valid`.execute(tx)
  })
  await sql`alter table ${table} validate constraint kept_bound`.execute(db)
}

async function dropOldest(
  tx: SqlExecutor,
  parent: PartitionedTable,
  { kept, dated: [oldest] }: Partitions,
  survivors: readonly string[],
): Promise<void> {
  if (oldest === undefined) throw new Error('there is no partition to be dropped')
  const [table, old, id] = [sql.table(parent), sql.table(`${parent}_${oldest.name}`), sql.ref(idColumnOf(parent))]
  const [keptTable, fallback] = [sql.table(`${parent}_kept`), sql.table(`${parent}_default`)]
  await sql`alter table ${table} detach partition ${old}`.execute(tx)
  await sql`alter table ${table} detach partition ${keptTable}`.execute(tx)
  await sql`insert into ${keptTable} select * from ${old} where ${id} = any(${survivors}::uuid[])`.execute(tx)
  // Rows between the two partitions exist only if a clock was wrong.
  await sql`with misplaced as (delete from ${fallback} where ${id} >= ${kept.to} and ${id} < ${oldest.to} returning *)
    insert into ${keptTable} select * from misplaced`.execute(tx)
  await sql`alter table ${table} attach partition ${keptTable} for values from (minvalue) to (${sql.lit(oldest.to)})`.execute(tx)
  await sql`alter table ${keptTable} drop constraint kept_bound`.execute(tx)
  await sql`drop table ${old}`.execute(tx)
}
