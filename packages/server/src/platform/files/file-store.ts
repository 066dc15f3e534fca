import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export interface StoredFile {
  readonly id: string
  readonly accountId: string
  readonly owner: string
  readonly name: string
  readonly media: string
  readonly bytes: number
  readonly sha256: string
  readonly expiresAt: Date
}

interface FileRow {
  readonly id: string
  readonly account_id: string
  readonly owner: string
  readonly name: string
  readonly media: string
  readonly bytes: string
  readonly sha256: Buffer
  readonly expires_at: Date
}

export async function insertFile(
  db: Executor,
  accountId: string,
  file: Pick<StoredFile, 'id' | 'owner' | 'name' | 'media' | 'expiresAt'> & { readonly createdAt: Date },
): Promise<void> {
  const { id, owner, name, media, createdAt, expiresAt } = file
  await sql`
    insert into files (id, account_id, owner, name, media, created_at, expires_at)
    values (${id}, ${accountId}, ${owner}, ${name}, ${media}, ${createdAt}, ${expiresAt})`.execute(db)
}

export async function insertChunk(
  db: Executor,
  accountId: string,
  fileId: string,
  { index, content }: { readonly index: number; readonly content: Buffer },
): Promise<void> {
  await sql`insert into file_chunks (file_id, index, account_id, content) values (${fileId}, ${index}, ${accountId}, ${content})`.execute(
    db,
  )
}

export async function readChunk(db: Executor, accountId: string, fileId: string, index: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from file_chunks where account_id = ${accountId} and file_id = ${fileId} and index = ${index}`.execute(db)
  return rows[0]?.content
}

export async function finishFile(
  db: Executor,
  accountId: string,
  id: string,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: Buffer },
): Promise<void> {
  await sql`update files set bytes = ${bytes}, sha256 = ${sha256} where account_id = ${accountId} and id = ${id}`.execute(db)
}

export async function findFile(db: Executor, accountId: string, id: string, at: Date): Promise<StoredFile | undefined> {
  const { rows } = await sql<FileRow>`
    select id, account_id, owner, name, media, bytes::text, sha256, expires_at from files
    where account_id = ${accountId} and id = ${id} and bytes is not null and expires_at > ${at}`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { account_id, owner, name, media, bytes, sha256, expires_at: expiresAt } = row
  return { id, accountId: account_id, owner, name, media, bytes: Number(bytes), sha256: sha256.toString('hex'), expiresAt }
}

export async function insertLink(
  tx: Executor,
  accountId: string,
  { tokenHash, fileId, expiresAt }: { readonly tokenHash: Buffer; readonly fileId: string; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into file_links (token_hash, account_id, file_id, expires_at) values (${tokenHash}, ${accountId}, ${fileId}, ${expiresAt})`.execute(
    tx,
  )
}

export async function useLink(
  db: Executor,
  tokenHash: Buffer,
  at: Date,
): Promise<{ readonly accountId: string; readonly fileId: string } | undefined> {
  const { rows } = await sql<{ account_id: string; file_id: string }>`
    update file_links set used_at = ${at} where token_hash = ${tokenHash} and used_at is null and expires_at > ${at}
    returning account_id, file_id`.execute(db)
  return rows[0] === undefined ? undefined : { accountId: rows[0].account_id, fileId: rows[0].file_id }
}

/** Deletes at most `limit` files that have expired, with their links. */
export async function deleteExpiredFiles(db: Executor, at: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from files where id = any(array(select id from files where expires_at < ${at} limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}

/** Bytes of the files of an account that are kept. */
export async function bytesOfFiles(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::int8 as bytes from files where account_id = ${accountId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function deleteFilesOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from files where account_id = ${accountId}`.execute(tx)
}
