import { type Kysely, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { findSurvivors, survivorsMax } from './retention-drop.ts'
import { changePartitions, haltEverybody, idOf, type Partition, partitioned } from './retention-partitions.ts'
import { expired, type RetentionRules, ruleTable } from './retention-rules.ts'

type Executor = Kysely<Rows>

/** Executions that are read, and of which those that are kept are copied, at a time. */
const batchSize = 1_000
const ended = sql`e.state in ('completed', 'faulted', 'cancelled')`

/** Whether at least half of a partition may go, and too much of it may to be deleted row by row. */
export async function isWorthCompacting(db: Executor, { name }: Partition, rules: RetentionRules): Promise<boolean> {
  const { rows } = await sql<{ expired: number; kept: number }>`
    select (count(*) filter (where ${expired(rules)}))::float8 as expired, (count(*) filter (where not ${expired(rules)}))::float8 as kept
    from ${sql.table(`executions_${name}`)} e left join ${ruleTable(rules)} on r.id = e.workflow_id`.execute(db)
  const [counted] = rows
  return counted !== undefined && counted.expired > survivorsMax && counted.expired >= counted.kept
}

/**
 * Replaces a partition of which too much is kept to be moved by a copy that holds nothing else, so that the disk has the room of the rest
 * back. What has ended does not change, so it is copied while everybody goes on; writes wait only while the copy takes the place of the
 * partition, for what was deleted meanwhile and for executions that have not ended.
 *
 * @returns false when another process is at it, or so many have not ended that writes would wait for long.
 */
export function compactPartition(db: Executor, partition: Partition, rules: RetentionRules): Promise<boolean> {
  return db.connection().execute(async (session) => {
    const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(hashtext('millrace.compact')) as locked`.execute(session)
    if (rows[0]?.locked !== true) return false
    try {
      await makeCopies(session, partition)
      await copyEnded(session, partition, rules)
      // What had not ended when it was read.
      const copied = sql`exists (select from ${copyOf('executions', partition)} c where c.id = e.id)`
      const moved = await findSurvivors(session, partition, rules, copied)
      return moved !== undefined && (await replace(session, partition, moved))
    } finally {
      await dropCopies(session, partition)
      await sql`select pg_advisory_unlock(hashtext('millrace.compact'))`.execute(session)
    }
  })
}

function copyOf(parent: (typeof partitioned)[number], { name }: Partition) {
  return sql.table(`${parent}_${name}_next`)
}

async function dropCopies(db: Executor, partition: Partition): Promise<void> {
  for (const parent of partitioned) await sql`drop table if exists ${copyOf(parent, partition)}`.execute(db)
}

/** With the bounds of the partition as a condition, so that attaching them needs no look at their rows. */
async function makeCopies(db: Executor, partition: Partition): Promise<void> {
  await dropCopies(db, partition)
  for (const parent of partitioned) {
    const [next, id] = [copyOf(parent, partition), sql.ref(idOf(parent))]
    await sql`create table ${next} (like ${sql.table(parent)} including all)`.execute(db)
    await sql`alter table ${next} add constraint next_bound check (${id} is not null and ${id} >= ${sql.lit(partition.from)} and ${id} < ${sql.lit(partition.to)})`.execute(
      db,
    )
  }
}

/** Page by page along the primary key, so that each row is read once however large the partition is. */
async function copyEnded(db: Executor, partition: Partition, rules: RetentionRules): Promise<void> {
  for (let behind = partition.from, read = batchSize; read === batchSize; ) {
    const { rows } = await sql<{ id: string; kept: boolean }>`
      select e.id, ${ended} and not ${expired(rules)} as kept
      from (select * from ${sql.table(`executions_${partition.name}`)} where id > ${behind} order by id limit ${batchSize}) e
        left join ${ruleTable(rules)} on r.id = e.workflow_id
      order by e.id`.execute(db)
    read = rows.length
    behind = rows.at(-1)?.id
    await copy(
      db,
      partition,
      rows.flatMap(({ id, kept }) => (kept ? id : [])),
    )
  }
}

/** The bounds make it a range of the primary key, whatever is known of a partition that nobody has counted. */
async function copy(db: Executor, partition: Partition, ids: readonly string[]): Promise<void> {
  const sorted = ids.toSorted()
  const [first, last] = [sorted.at(0), sorted.at(-1)]
  if (first === undefined || last === undefined) return
  for (const parent of partitioned) {
    const id = sql.ref(idOf(parent))
    await sql`insert into ${copyOf(parent, partition)} select * from ${sql.table(`${parent}_${partition.name}`)}
      where ${id} between ${first} and ${last} and ${id} = any(${ids}::uuid[])`.execute(db)
  }
}

async function replace(db: Executor, partition: Partition, moved: readonly string[]): Promise<boolean> {
  return await changePartitions(db, async (tx, { dated }) => {
    if (!dated.some(({ name, from, to }) => name === partition.name && from === partition.from && to === partition.to)) return false
    await haltEverybody.execute(tx)
    await copy(tx, partition, moved)
    await deleteGone(tx, partition)
    for (const parent of partitioned) {
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

/** What was deleted while it was copied, by another process or with its account, must not be there again. */
async function deleteGone(tx: Transaction<Rows>, partition: Partition): Promise<void> {
  await sql`
    with gone as (
      delete from ${copyOf('executions', partition)} c
      where not exists (select from ${sql.table(`executions_${partition.name}`)} e where e.id = c.id) returning c.id
    )
    delete from ${copyOf('journal', partition)} j using gone where j.execution_id = gone.id`.execute(tx)
}
