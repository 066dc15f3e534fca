import { sql } from 'kysely'
import { terminalStatesSql } from '#core/execution-state.ts'
import type { SqlDatabase, SqlExecutor } from '#postgres/storage/sql-database.ts'
import { findSurvivors, survivorsMax } from './drop-partition.ts'
import {
  changePartitions,
  idColumnOf,
  lockTablesExclusive,
  type Partition,
  type PartitionedTable,
  partitionedTables,
} from './partitions.ts'
import { isExpiredSql, type RetentionRules, ruleTable } from './retention-rules.ts'

/** Executions that are read at a time, of which the survivors are copied. */
const batchSize = 1_000
const hasEndedSql = sql`e.state in ${sql.raw(terminalStatesSql)}`

/** Whether at least half of a partition has expired, and too much of it to be deleted row by row. */
export async function isWorthCompacting(db: SqlExecutor, { name }: Partition, rules: RetentionRules): Promise<boolean> {
  const { rows } = await sql<{ expired: number; kept: number }>`
    select (count(*) filter (where ${isExpiredSql(rules)}))::float8 as expired, (count(*) filter (where not ${isExpiredSql(rules)}))::float8 as kept
    from ${sql.table(`executions_${name}`)} e left join ${ruleTable(rules)} on r.id = e.workflow_id`.execute(db)
  const [counts] = rows
  return counts !== undefined && counts.expired > survivorsMax && counts.expired >= counts.kept
}

/**
 * Replaces a partition that has too many survivors to be dropped by a copy of only the survivors, which frees the disk space of the rest.
 * Ended executions do not change, or with `holdCopies`, so they are copied while other processes read and write. Writes wait only while the copy takes the place
 * of the partition, together with what was deleted meanwhile and the executions that have not ended.
 *
 * @returns false when another process compacts, or so many executions have not ended that writes would wait for long.
 */
export function compactPartition(db: SqlDatabase, partition: Partition, rules: RetentionRules): Promise<boolean> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(hashtext('millrace.compact')) as locked`.execute(session)
    if (rows[0]?.locked !== true) return false
    try {
      await makeCopies(session, partition)
      await copyEnded(session, partition, rules)
      // The rest had not ended when it was read.
      const copied = sql`exists (select from ${copyOf('executions', partition)} c where c.id = e.id)`
      const uncopied = await findSurvivors(session, partition, rules, copied)
      return uncopied !== undefined && (await replacePartition(session, partition, uncopied))
    } finally {
      await dropCopies(session, partition)
      await sql`select pg_advisory_unlock(hashtext('millrace.compact'))`.execute(session)
    }
  })
}

/**
 * For changes of executions that have ended, such as erasures: until the end of the transaction no copy from before the change takes the place of their
 * partition. It waits for the copy that is being made, so it comes first in the transaction.
 */
export async function holdCopies(tx: SqlExecutor): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('millrace.compact'))`.execute(tx)
}

function copyOf(parent: PartitionedTable, { name }: Partition) {
  return sql.table(`${parent}_${name}_next`)
}

async function dropCopies(db: SqlExecutor, partition: Partition): Promise<void> {
  for (const parent of partitionedTables) await sql`drop table if exists ${copyOf(parent, partition)}`.execute(db)
}

/** With the bounds of the partition as a constraint, so that attaching them needs no scan of their rows. */
async function makeCopies(db: SqlExecutor, partition: Partition): Promise<void> {
  await dropCopies(db, partition)
  for (const parent of partitionedTables) {
    const [next, id] = [copyOf(parent, partition), sql.ref(idColumnOf(parent))]
    await sql`create table ${next} (like ${sql.table(parent)} including all)`.execute(db)
    await sql`alter table ${next} add constraint next_bound check (${id} is not null and ${id} >= ${sql.lit(partition.from)} and ${id} < ${sql.lit(partition.to)})`.execute(
      db,
    )
  }
}

/** Page by page along the primary key, so that each row is read once however large the partition is. */
async function copyEnded(db: SqlExecutor, partition: Partition, rules: RetentionRules): Promise<void> {
  for (let after = partition.from, read = batchSize; read === batchSize; ) {
    const { rows } = await sql<{ id: string; kept: boolean }>`
      select e.id, ${hasEndedSql} and not ${isExpiredSql(rules)} as kept
      from (select * from ${sql.table(`executions_${partition.name}`)} where id > ${after} order by id limit ${batchSize}) e
        left join ${ruleTable(rules)} on r.id = e.workflow_id
      order by e.id`.execute(db)
    read = rows.length
    after = rows.at(-1)?.id
    await copyRows(
      db,
      partition,
      rows.flatMap(({ id, kept }) => (kept ? id : [])),
    )
  }
}

/** The bounds make it a range of the primary key, even in a partition without statistics. */
async function copyRows(db: SqlExecutor, partition: Partition, ids: readonly string[]): Promise<void> {
  const sorted = ids.toSorted()
  const [first, last] = [sorted.at(0), sorted.at(-1)]
  if (first === undefined || last === undefined) return
  for (const parent of partitionedTables) {
    const id = sql.ref(idColumnOf(parent))
    await sql`insert into ${copyOf(parent, partition)} select * from ${sql.table(`${parent}_${partition.name}`)}
      where ${id} between ${first} and ${last} and ${id} = any(${ids}::uuid[])`.execute(db)
  }
}

async function replacePartition(db: SqlDatabase, partition: Partition, uncopied: readonly string[]): Promise<boolean> {
  return await changePartitions(db, async (tx, { dated }) => {
    if (!dated.some(({ name, from, to }) => name === partition.name && from === partition.from && to === partition.to)) return false
    await lockTablesExclusive.execute(tx)
    await copyRows(tx, partition, uncopied)
    await deleteMissing(tx, partition)
    for (const parent of partitionedTables) {
      const [table, old, next] = [sql.table(parent), sql.table(`${parent}_${partition.name}`), copyOf(parent, partition)]
      await sql`drop table ${old}`.execute(tx)
      await sql`alter table ${table} attach partition ${next} for values from (${sql.lit(partition.from)}) to (${sql.lit(partition.to)})`.execute(
        tx,
      )
      await sql`alter table ${next} drop constraint next_bound`.execute(tx)
      await sql`alter table ${next} rename to ${sql.table(`${parent}_${partition.name}`)}`.execute(tx)
    }
    return true
  })
}

/** Deletes from the copy what was deleted from the partition meanwhile, by another process or with its account. */
async function deleteMissing(tx: SqlExecutor, partition: Partition): Promise<void> {
  await sql`
    with deleted as (
      delete from ${copyOf('executions', partition)} c
      where not exists (select from ${sql.table(`executions_${partition.name}`)} e where e.id = c.id) returning c.id
    )
    delete from ${copyOf('journal', partition)} j using deleted where j.execution_id = deleted.id`.execute(tx)
}
