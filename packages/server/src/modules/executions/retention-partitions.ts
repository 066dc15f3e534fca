import { type Kysely, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { leastId } from '#platform/ids.ts'

type Executor = Kysely<Rows>

/** The two tables that are partitioned, alike: by the id of the execution. */
export const partitioned = ['executions', 'journal'] as const

/** A stretch of time whose executions and journals lie in `executions_<name>` and `journal_<name>`. */
export interface Partition {
  readonly name: string
  /** The least id in it; undefined where it has no beginning. */
  readonly from: string | undefined
  /** The least id behind it. */
  readonly to: string
}

export interface Partitions {
  /** Executions that outlived their partition; it ends where the first of the others begins. */
  readonly kept: Partition
  /** By time, oldest first. */
  readonly dated: readonly Partition[]
}

const dayMs = 86_400_000
/** What holds a lock is short; whoever holds one for longer is not waited for, since everybody else would wait behind. */
export const lockTimeout = sql`set local lock_timeout = '250ms'`
/** One at a time changes what partitions there are. */
const partitionsLock = sql`select pg_advisory_xact_lock(hashtext('millrace.partitions'))`

/** Until the end of the transaction nobody reads or writes executions or journals. */
export const haltEverybody = sql`lock table executions, journal in access exclusive mode`

/** Changes what partitions there are, given those that there are now, in one transaction: whoever dies in it leaves them as they were. */
export async function changePartitions<T>(db: Executor, change: (tx: Transaction<Rows>, now: Partitions) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    await lockTimeout.execute(tx)
    await partitionsLock.execute(tx)
    return change(tx, await readPartitions(tx))
  })
}

export async function readPartitions(db: Executor): Promise<Partitions> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select substr(c.relname, length('executions_') + 1) as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'executions'::regclass`.execute(db)
  const partitions = rows.flatMap(({ name, bound }): readonly Partition[] => {
    const found = /^FOR VALUES FROM \((?:MINVALUE|'([^']*)')\) TO \('([^']*)'\)$/.exec(bound)
    return found?.[2] === undefined ? [] : [{ name, from: found[1], to: found[2] }]
  })
  const kept = partitions.find(({ from }) => from === undefined)
  if (kept === undefined) throw new Error('the partition executions_kept is gone')
  const dated = partitions.filter(({ from }) => from !== undefined).toSorted((one, other) => (one.to < other.to ? -1 : 1))
  return { kept, dated }
}

/**
 * How long the time of a partition is: a quarter of the time for which executions are kept, so that there are few (each costs every statement
 * that does not know the time a little) and that what is kept too long, until all of a partition can go, is no more than a quarter.
 */
export function widthOf(retentionMs: number | undefined): number {
  const days = retentionMs === undefined ? monthsWide : Math.round(retentionMs / 4 / dayMs)
  return Math.min(Math.max(days, 1), monthsWide) * dayMs
}

const monthsWide = 91

/** Makes partitions for the next days, so that nothing comes that has none. Returns how many it made. */
export async function makePartitions(db: Executor, nowMs: number, retentionMs: number | undefined): Promise<number> {
  const { kept, dated } = await readPartitions(db)
  const widthMs = widthOf(retentionMs)
  let beginMs = timeOf((dated.at(-1) ?? kept).to)
  let made = 0
  for (; beginMs < nowMs + Math.max(widthMs, 2 * dayMs); made++) {
    // After a time without upkeep one partition reaches from the last one to the present.
    const endMs = Math.max(beginMs, Math.floor(nowMs / dayMs) * dayMs) + widthMs
    await makePartition(db, nowMs, beginMs, endMs)
    beginMs = endMs
  }
  return made
}

/** In one transaction, with what has come to the default partition meanwhile. */
async function makePartition(db: Executor, nowMs: number, beginMs: number, endMs: number): Promise<void> {
  const name = new Date(beginMs).toISOString().slice(0, 10).replaceAll('-', '')
  const [from, to] = [leastId(beginMs), leastId(endMs)]
  await changePartitions(db, async (tx, { dated }) => {
    // Another process has been here.
    if ((dated.at(-1)?.to ?? '') >= to) return
    // Whoever has planned a statement without the partition would not find what is moved into it, and the job of an execution that is not
    // found is ended. So nobody may be in the middle of anything then; ahead of time there is nothing to be moved, and nobody waits.
    if (beginMs <= nowMs || (await hasStrays(tx, from, to))) await haltEverybody.execute(tx)
    for (const parent of partitioned) {
      const [table, spare, id] = [sql.table(`${parent}_${name}`), sql.table(`${parent}_default`), sql.ref(idOf(parent))]
      await sql`create table ${table} (like ${sql.table(parent)} including all)`.execute(tx)
      await sql`with moved as (delete from ${spare} where ${id} >= ${from} and ${id} < ${to} returning *) insert into ${table} select * from moved`.execute(
        tx,
      )
      await sql`alter table ${sql.table(parent)} attach partition ${table} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(
        tx,
      )
    }
  })
}

async function hasStrays(tx: Executor, from: string, to: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from executions_default where id >= ${from} and id < ${to})
      or exists (select from journal_default where execution_id >= ${from} and execution_id < ${to}) as found`.execute(tx)
  return rows[0]?.found === true
}

/** The column that a table is partitioned by. */
export function idOf(table: (typeof partitioned)[number]): string {
  return table === 'executions' ? 'id' : 'execution_id'
}

/** Milliseconds since the epoch: the first 48 bits of a UUIDv7. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
