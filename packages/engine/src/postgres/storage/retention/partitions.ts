import { sql } from 'kysely'
import type { SqlDatabase, SqlExecutor } from '#postgres/storage/sql-database.ts'
import { leastIdAt, timeOfId } from '#postgres/storage/time-of-id.ts'

/** The two partitioned tables; both are partitioned alike, by the id of the execution. */
export const partitionedTables = ['executions', 'journal'] as const
export type PartitionedTable = (typeof partitionedTables)[number]

/** A range of ids, and so of time, whose executions and journals lie in `executions_<name>` and `journal_<name>`. */
export interface Partition {
  readonly name: string
  /** The least id in it; undefined where it has no lower bound. */
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
/** Bounds the wait for a table lock, since every other statement queues behind the one that waits. */
export const setLockTimeout = sql`set local lock_timeout = '250ms'`
/** One process at a time changes the list of partitions. */
const partitionsLock = sql`select pg_advisory_xact_lock(hashtext('millrace.partitions'))`

/** Until the end of the transaction no other reads or writes executions or journals. */
export const lockTablesExclusive = sql`lock table executions, journal in access exclusive mode`

/** Changes the list of partitions in one transaction; `change` gets the list as it is under the lock. */
export async function changePartitions<T>(db: SqlDatabase, change: (tx: SqlExecutor, current: Partitions) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    await setLockTimeout.execute(tx)
    await partitionsLock.execute(tx)
    return change(tx, await readPartitions(tx))
  })
}

export async function readPartitions(db: SqlExecutor): Promise<Partitions> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select substr(c.relname, length('executions_') + 1) as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'executions'::regclass`.execute(db)
  const partitions = rows.flatMap(({ name, bound }): readonly Partition[] => {
    const match = /^FOR VALUES FROM \((?:MINVALUE|'([^']*)')\) TO \('([^']*)'\)$/.exec(bound)
    return match?.[2] === undefined ? [] : [{ name, from: match[1], to: match[2] }]
  })
  const kept = partitions.find(({ from }) => from === undefined)
  if (kept === undefined) throw new Error('the partition executions_kept is missing')
  const dated = partitions.filter(({ from }) => from !== undefined).toSorted((left, right) => (left.to < right.to ? -1 : 1))
  return { kept, dated }
}

const widthDaysMax = 91

/**
 * How long the time range of a partition is: a quarter of the retention. So there are few partitions (each adds a little to every statement
 * that does not name the time), and an expired execution stays at most a quarter of the retention longer, until its partition can be dropped.
 */
function partitionWidthMs(retentionMs: number | undefined): number {
  const days = retentionMs === undefined ? widthDaysMax : Math.round(retentionMs / 4 / dayMs)
  return Math.min(Math.max(days, 1), widthDaysMax) * dayMs
}

/** Makes partitions for the next days, so that no row has to go to the default partition. Returns how many it made. */
export async function makePartitions(db: SqlDatabase, nowMs: number, retentionMs: number | undefined): Promise<number> {
  const { kept, dated } = await readPartitions(db)
  const widthMs = partitionWidthMs(retentionMs)
  let beginMs = timeOfId((dated.at(-1) ?? kept).to)
  let made = 0
  for (; beginMs < nowMs + Math.max(widthMs, 2 * dayMs); made++) {
    // After a time without maintenance one partition reaches from the last one to the present.
    const endMs = Math.max(beginMs, Math.floor(nowMs / dayMs) * dayMs) + widthMs
    await makePartition(db, nowMs, beginMs, endMs)
    beginMs = endMs
  }
  return made
}

/** In one transaction, together with the rows that meanwhile went to the default partition. */
async function makePartition(db: SqlDatabase, nowMs: number, beginMs: number, endMs: number): Promise<void> {
  const name = new Date(beginMs).toISOString().slice(0, 10).replaceAll('-', '')
  const [from, to] = [leastIdAt(beginMs), leastIdAt(endMs)]
  await changePartitions(db, async (tx, { dated }) => {
    // Another process has made it.
    if ((dated.at(-1)?.to ?? '') >= to) return
    // A statement that was planned without the partition would miss the rows that are moved into it, and the job of an execution that is
    // not found is ended. So no statement may be under way then. A partition made ahead of time takes no rows, and needs no lock.
    if (beginMs <= nowMs || (await hasDefaultRows(tx, from, to))) await lockTablesExclusive.execute(tx)
    for (const parent of partitionedTables) {
      const [table, fallback, id] = [sql.table(`${parent}_${name}`), sql.table(`${parent}_default`), sql.ref(idColumnOf(parent))]
      await sql`create table ${table} (like ${sql.table(parent)} including all)`.execute(tx)
      await sql`with moved as (delete from ${fallback} where ${id} >= ${from} and ${id} < ${to} returning *)
        insert into ${table} select * from moved`.execute(tx)
      await sql`alter table ${sql.table(parent)} attach partition ${table} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(
        tx,
      )
    }
  })
}

async function hasDefaultRows(tx: SqlExecutor, from: string, to: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from executions_default where id >= ${from} and id < ${to})
      or exists (select from journal_default where execution_id >= ${from} and execution_id < ${to}) as found`.execute(tx)
  return rows[0]?.found === true
}

/** The column that a table is partitioned by. */
export function idColumnOf(table: PartitionedTable): string {
  return table === 'executions' ? 'id' : 'execution_id'
}
