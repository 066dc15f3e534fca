import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { changePartitions, haltEverybody, idOf, lockTimeout, type Partition, partitioned, type Partitions } from './retention-partitions.ts'
import { expired, type RetentionRules, ruleTable } from './retention-rules.ts'

type Executor = Kysely<Rows>

/** So many executions may outlive their partition, and their journals have so many entries: they are moved while writes wait. */
export const survivorsMax = 1_000
const entriesMax = 20_000

/** Executions `e` of a partition that are still to be kept, those aside that are taken care of; undefined when they are too many to be moved. */
export async function findSurvivors(
  db: Executor,
  partition: Partition,
  rules: RetentionRules,
  aside: RawBuilder<unknown> = sql`false`,
): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ id: string }>`
    select e.id from ${sql.table(`executions_${partition.name}`)} e left join ${ruleTable(rules)} on r.id = e.workflow_id
    where not ${expired(rules)} and not ${aside} limit ${survivorsMax + 1}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length > survivorsMax) return undefined
  const entries = await sql<{ count: number }>`
    select count(*)::int4 as count from (
      select from ${sql.table(`journal_${partition.name}`)} where execution_id = any(${ids}::uuid[]) limit ${entriesMax + 1}
    ) found`.execute(db)
  return (entries.rows[0]?.count ?? 0) > entriesMax ? undefined : ids
}

/**
 * Drops the oldest partition, after moving what is still to be kept out of it. Which that is was found before: what may go has ended, and
 * what has ended does not change, so meanwhile it can only have become less. All in one transaction, so a process that dies leaves things
 * as they were. Writes wait while it runs (some 30 ms), and while it waits for those under way, which the timeout of locks bounds.
 *
 * @returns false when another process was here first.
 */
export async function dropPartition(db: Executor, partition: Partition, survivors: readonly string[]): Promise<boolean> {
  for (const parent of partitioned) await boundKept(db, parent, partition.to)
  return await changePartitions(db, async (tx, now) => {
    if (now.dated[0]?.name !== partition.name) return false
    await haltEverybody.execute(tx)
    for (const parent of partitioned) await retire(tx, parent, now, survivors)
    await sql`delete from execution_keys where execution_id < ${partition.to}`.execute(tx)
    return true
  })
}

/** What the partition of survivors will hold is checked before anything is locked; attaching it then needs no look at its rows. */
async function boundKept(db: Executor, parent: (typeof partitioned)[number], to: string): Promise<void> {
  const [table, id] = [sql.table(`${parent}_kept`), sql.ref(idOf(parent))]
  await db.transaction().execute(async (tx) => {
    await lockTimeout.execute(tx)
    await sql`alter table ${table} drop constraint if exists kept_bound`.execute(tx)
    await sql`alter table ${table} add constraint kept_bound check (${id} < ${sql.lit(to)}) not valid`.execute(tx)
  })
  await sql`alter table ${table} validate constraint kept_bound`.execute(db)
}

async function retire(
  tx: Transaction<Rows>,
  parent: (typeof partitioned)[number],
  { kept, dated: [oldest] }: Partitions,
  survivors: readonly string[],
): Promise<void> {
  if (oldest === undefined) throw new Error('there is no partition to be dropped')
  const [table, old, id] = [sql.table(parent), sql.table(`${parent}_${oldest.name}`), sql.ref(idOf(parent))]
  const [keeps, spare] = [sql.table(`${parent}_kept`), sql.table(`${parent}_default`)]
  await sql`alter table ${table} detach partition ${old}`.execute(tx)
  await sql`alter table ${table} detach partition ${keeps}`.execute(tx)
  await sql`insert into ${keeps} select * from ${old} where ${id} = any(${survivors}::uuid[])`.execute(tx)
  // Between the two there is nothing, unless clocks went wrong.
  await sql`with strays as (delete from ${spare} where ${id} >= ${kept.to} and ${id} < ${oldest.to} returning *) insert into ${keeps} select * from strays`.execute(
    tx,
  )
  await sql`alter table ${table} attach partition ${keeps} for values from (minvalue) to (${sql.lit(oldest.to)})`.execute(tx)
  await sql`alter table ${keeps} drop constraint kept_bound`.execute(tx)
  await sql`drop table ${old}`.execute(tx)
}
