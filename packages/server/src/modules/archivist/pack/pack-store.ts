import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export interface Pack {
  readonly id: string
  readonly accountId: string
  readonly selection: Selection
  readonly state: 'preparing' | 'ready' | 'failed'
  readonly failure: string | undefined
  readonly done: number
  readonly total: number | undefined
  readonly fileId: string | undefined
  readonly createdAt: Date
}

/** Either a period or named executions (UUIDs). */
export type Selection = { readonly from: string; readonly to: string } | { readonly executions: readonly string[] }

interface PackRow {
  readonly id: string
  readonly account_id: string
  readonly selection: Selection
  readonly state: Pack['state']
  readonly failure: string | null
  readonly done: number
  readonly total: number | null
  readonly file_id: string | null
  readonly created_at: Date
}

type Executor = Kysely<Rows>

const columns = sql`id, account_id, selection, state, failure, done, total, file_id, created_at`

export async function findPack(db: Executor, accountId: string, id: string): Promise<Pack | undefined> {
  const { rows } = await sql<PackRow>`select ${columns} from evidence_packs where account_id = ${accountId} and id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : packOf(rows[0])
}

export async function findBySelection(tx: Executor, accountId: string, hash: Buffer): Promise<Pack | undefined> {
  const { rows } = await sql<PackRow>`
    select ${columns} from evidence_packs where account_id = ${accountId} and selection_hash = ${hash} for update`.execute(tx)
  return rows[0] === undefined ? undefined : packOf(rows[0])
}

/** Those of an account, newest first: there are never many. */
export async function listPacks(db: Executor, accountId: string, since: Date): Promise<readonly Pack[]> {
  const { rows } = await sql<PackRow>`
    select ${columns} from evidence_packs where account_id = ${accountId} and created_at > ${since} order by created_at desc, id desc`.execute(
    db,
  )
  return rows.map(packOf)
}

export interface NewPack {
  readonly id: string
  readonly hash: Buffer
  readonly selection: Selection
  readonly at: Date
}

/** @returns whether the pack is new; false when another request has just made one of the same selection. */
export async function insertPack(tx: Executor, accountId: string, { id, hash, selection, at }: NewPack): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into evidence_packs (id, account_id, selection_hash, selection, created_at)
    values (${id}, ${accountId}, ${hash}, ${JSON.stringify(selection)}, ${at}) on conflict (account_id, selection_hash) do nothing`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

export async function deletePack(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from evidence_packs where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function countPacks(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from evidence_packs where account_id = ${accountId}`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

/** Notes how many executions there are, and how many of them have their part. */
export async function saveProgress(
  db: Executor,
  accountId: string,
  id: string,
  { done, total }: { readonly done: number; readonly total: number },
) {
  await sql`update evidence_packs set total = ${total}, done = ${done} where account_id = ${accountId} and id = ${id}`.execute(db)
}

export async function finishPack(
  tx: Executor,
  accountId: string,
  id: string,
  { fileId, at }: { readonly fileId: string; readonly at: Date },
): Promise<void> {
  await sql`
    update evidence_packs set state = 'ready', file_id = ${fileId}, ended_at = ${at}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

export async function failPack(db: Executor, accountId: string, id: string, failure: string, at: Date): Promise<void> {
  await sql`
    update evidence_packs set state = 'failed', failure = ${failure}, ended_at = ${at}
    where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
}

/** Deletes packs from before `before`; their files expire. @returns how many there were. */
export async function deleteOldPacks(db: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from evidence_packs where id = any(array(select id from evidence_packs where created_at < ${before} order by created_at limit ${limit}))`.execute(
    db,
  )
  return Number(numAffectedRows)
}

export async function deletePacksOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from evidence_packs where account_id = ${accountId}`.execute(executor)
}

function packOf(row: PackRow): Pack {
  const { id, account_id: accountId, selection, state, failure, done, total, file_id: fileId, created_at: createdAt } = row
  return {
    id,
    accountId,
    selection,
    state,
    failure: failure ?? undefined,
    done,
    total: total ?? undefined,
    fileId: fileId ?? undefined,
    createdAt,
  }
}
