import type { ChangeKind } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import { inBatches } from '#platform/db/in-batches.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Change, ChangePosition } from './model.ts'

type Executor = Kysely<Rows>

/** A watch of an account. */
export interface Watched {
  /** Transactions from this one on are recorded. */
  readonly since: bigint
  /** The first transaction that is not known to have ended. */
  readonly settled: bigint
  /** Of this statement: a transaction below it may have begun before the watch. */
  readonly watchedBy: bigint
}

/** Begins or extends the watch of an account, so that its changes are recorded. */
export async function watchAccount(db: Executor, accountId: string, ms: number): Promise<Watched> {
  const { rows } = await sql<{ readonly since: string; readonly settled: string; readonly watched_by: string }>`
    insert into account_watches as w (account_id, until, since)
    values (${accountId}, now() + make_interval(secs => ${ms / 1000}), pg_snapshot_xmin(pg_current_snapshot()))
    on conflict (account_id) do update set until = excluded.until, since = case when w.until > now() then w.since else excluded.since end
    returning since::text as since, pg_snapshot_xmin(pg_current_snapshot())::text as settled, pg_current_xact_id()::text as watched_by`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a watch was not written')
  return { since: BigInt(row.since), settled: BigInt(row.settled), watchedBy: BigInt(row.watched_by) }
}

/** Which of the accounts have changes of transactions from `from` on, and up to which transaction all have ended. */
export async function findChanged(
  db: Executor,
  accountIds: readonly string[],
  from: bigint,
): Promise<{ readonly settled: bigint; readonly changed: readonly string[] }> {
  const { rows } = await sql<{ readonly settled: string; readonly changed: readonly string[] }>`
    select s.settled::text as settled, array(
      select a::text from unnest(${accountIds}::uuid[]) a
      where exists (select from account_changes c where c.account_id = a and c.xid >= ${String(from)}::xid8 and c.xid < s.settled)
    ) as changed
    from (select pg_snapshot_xmin(pg_current_snapshot()) as settled) s`.execute(db)
  return { settled: BigInt(rows[0]?.settled ?? from), changed: rows[0]?.changed ?? [] }
}

export interface ChangeFilter {
  readonly userId: string
  readonly kinds: readonly ChangeKind[]
  readonly after: ChangePosition
  /** Changes of this transaction and later ones are not read. */
  readonly settled: bigint
  readonly limit: number
}

/** Changes of an account for one user, in the order of their transactions. */
export async function readChanges(
  db: Executor,
  accountId: string,
  { userId, kinds, after, settled, limit }: ChangeFilter,
): Promise<readonly Change[]> {
  const { rows } = await sql<{
    readonly xid: string
    readonly id: string
    readonly at: Date
    readonly kind: ChangeKind
    readonly data: string
  }>`
    select xid::text as xid, id::text as id, at, kind, data::text as data from account_changes
    where account_id = ${accountId} and (xid, id) > (${String(after.xid)}::xid8, ${String(after.id)}::bigint) and xid < ${String(settled)}::xid8
      and (user_id is null or user_id = ${userId}) and kind = any(${kinds}::text[])
    order by xid, id limit ${limit}`.execute(db)
  return rows.map(({ xid, id, at, kind, data }) => ({ position: { xid: BigInt(xid), id: BigInt(id) }, at, kind, data: JSON.parse(data) }))
}

const batchesMax = 20

/** Deletes changes that no stream continues from any more, and watches that have ended. */
export async function deleteOldChanges(db: Executor, before: Date, rowsMax: number): Promise<void> {
  await sql`delete from account_watches where until < ${before}`.execute(db)
  const deleteBatch = async (limit: number) => {
    const { numAffectedRows = 0n } = await sql`
      delete from account_changes where id in (
        select id from account_changes where at < ${before} order by at limit ${limit} for update skip locked
      )`.execute(db)
    return Number(numAffectedRows)
  }
  await inBatches(deleteBatch, rowsMax, batchesMax)
}

/** Deletes the changes of a deleted account. */
export async function deleteChangesOf(db: Executor, accountId: string): Promise<void> {
  await sql`delete from account_changes where account_id = ${accountId}`.execute(db)
  await sql`delete from account_watches where account_id = ${accountId}`.execute(db)
}
