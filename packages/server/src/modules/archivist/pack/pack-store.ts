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
  readonly bytes: number | undefined
  readonly sha256: string | undefined
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
  readonly bytes: number | null
  readonly sha256: Buffer | null
  readonly created_at: Date
}

type Executor = Kysely<Rows>

const columns = sql`id, account_id, selection, state, failure, done, total, bytes, sha256, created_at`

export async function findPack(db: Executor, accountId: string, id: string): Promise<Pack | undefined> {
  const { rows } = await sql<PackRow>`select ${columns} from evidence_packs where account_id = ${accountId} and id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : packOf(rows[0])
}

export async function findBySelection(tx: Executor, accountId: string, hash: Buffer): Promise<Pack | undefined> {
  const { rows } = await sql<PackRow>`
    select ${columns} from evidence_packs where account_id = ${accountId} and selection_hash = ${hash} for update`.execute(tx)
  return rows[0] === undefined ? undefined : packOf(rows[0])
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

/** Notes how many executions there are, and how many of them have their part from an earlier attempt. */
export async function beginPack(db: Executor, accountId: string, id: string, total: number): Promise<void> {
  await sql`
    update evidence_packs set total = ${total},
      done = (select count(*) from evidence_pack_parts where account_id = ${accountId} and pack_id = ${id})
    where account_id = ${accountId} and id = ${id}`.execute(db)
}

/** Deletes what an attempt that died had written of the file. */
export async function deleteChunks(db: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from evidence_pack_chunks where account_id = ${accountId} and pack_id = ${id}`.execute(db)
}

export async function insertChunk(
  db: Executor,
  accountId: string,
  id: string,
  chunk: { readonly index: number; readonly bytes: Buffer },
): Promise<void> {
  await sql`
    insert into evidence_pack_chunks (pack_id, index, account_id, bytes) values (${id}, ${chunk.index}, ${accountId}, ${chunk.bytes})`.execute(
    db,
  )
}

/** In bytes, in the order of the chunks. */
export async function chunkSizes(db: Executor, accountId: string, id: string): Promise<readonly number[]> {
  const { rows } = await sql<{ size: number }>`
    select octet_length(bytes) as size from evidence_pack_chunks where account_id = ${accountId} and pack_id = ${id} order by index`.execute(
    db,
  )
  return rows.map(({ size }) => size)
}

export async function readChunk(db: Executor, accountId: string, id: string, index: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ bytes: Buffer }>`
    select bytes from evidence_pack_chunks where account_id = ${accountId} and pack_id = ${id} and index = ${index}`.execute(db)
  return rows[0]?.bytes
}

/** Keeps what is made of an execution, once. */
export async function savePart(
  db: Executor,
  accountId: string,
  id: string,
  { executionId, content }: { readonly executionId: string; readonly content: string },
): Promise<void> {
  await sql`
    with added as (
      insert into evidence_pack_parts (pack_id, execution_id, account_id, content) values (${id}, ${executionId}, ${accountId}, ${content})
      on conflict do nothing returning execution_id
    )
    update evidence_packs set done = done + (select count(*) from added) where account_id = ${accountId} and id = ${id}`.execute(db)
}

/** The executions whose parts are made. */
export async function listParts(db: Executor, accountId: string, id: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ execution_id: string }>`
    select execution_id from evidence_pack_parts where account_id = ${accountId} and pack_id = ${id}`.execute(db)
  return new Set(rows.map(({ execution_id: executionId }) => executionId))
}

export async function readPart(db: Executor, accountId: string, id: string, executionId: string): Promise<string | undefined> {
  const { rows } = await sql<{ content: string }>`
    select content from evidence_pack_parts
    where account_id = ${accountId} and pack_id = ${id} and execution_id = ${executionId}`.execute(db)
  return rows[0]?.content
}

async function deleteParts(db: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from evidence_pack_parts where account_id = ${accountId} and pack_id = ${id}`.execute(db)
}

export async function finishPack(
  tx: Executor,
  accountId: string,
  id: string,
  { bytes, sha256, at }: { readonly bytes: number; readonly sha256: Buffer; readonly at: Date },
): Promise<void> {
  await sql`
    update evidence_packs set state = 'ready', bytes = ${bytes}, sha256 = ${sha256}, ended_at = ${at}
    where account_id = ${accountId} and id = ${id}`.execute(tx)
  await deleteParts(tx, accountId, id)
}

export async function failPack(db: Executor, accountId: string, id: string, failure: string, at: Date): Promise<void> {
  await sql`
    update evidence_packs set state = 'failed', failure = ${failure}, ended_at = ${at}
    where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
  await deleteChunks(db, accountId, id)
  await deleteParts(db, accountId, id)
}

export interface NewLink {
  readonly tokenHash: Buffer
  readonly packId: string
  readonly expiresAt: Date
}

export async function insertLink(tx: Executor, accountId: string, { tokenHash, packId, expiresAt }: NewLink): Promise<void> {
  await sql`
    insert into evidence_pack_links (token_hash, account_id, pack_id, expires_at) values (${tokenHash}, ${accountId}, ${packId}, ${expiresAt})`.execute(
    tx,
  )
}

/** Uses a link up. @returns undefined for a link that does not exist, has expired or was used. */
export async function useLink(
  db: Executor,
  tokenHash: Buffer,
  at: Date,
): Promise<{ readonly accountId: string; readonly packId: string } | undefined> {
  const { rows } = await sql<{ account_id: string; pack_id: string }>`
    update evidence_pack_links set used_at = ${at} where token_hash = ${tokenHash} and used_at is null and expires_at > ${at}
    returning account_id, pack_id`.execute(db)
  return rows[0] === undefined ? undefined : { accountId: rows[0].account_id, packId: rows[0].pack_id }
}

/** Deletes packs from before `before` with their files and links. @returns how many there were. */
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
  const { id, account_id: accountId, selection, state, failure, done, total, bytes, sha256, created_at: createdAt } = row
  return {
    id,
    accountId,
    selection,
    state,
    failure: failure ?? undefined,
    done,
    total: total ?? undefined,
    bytes: bytes ?? undefined,
    sha256: sha256?.toString('hex'),
    createdAt,
  }
}

/** Bytes of the evidence packs of an account that are kept. */
export async function bytesOfPacks(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::int8 as bytes from evidence_packs where account_id = ${accountId}`.execute(db)
  return rows[0]?.bytes ?? 0
}
