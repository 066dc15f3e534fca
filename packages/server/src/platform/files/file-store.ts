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
  readonly createdAt: Date
  /** Undefined: it is kept until it is deleted. */
  readonly expiresAt: Date | undefined
}

/** Kind of the owner of a file that was written and is not given to its owner yet. */
export const uploadKind = 'upload'
/** Kind of the owner of a file whose owner has another one by now. */
export const replacedKind = 'replaced'

interface FileRow {
  readonly id: string
  readonly account_id: string
  readonly owner: string
  readonly name: string
  readonly media: string
  readonly bytes: string
  readonly sha256: Buffer
  readonly created_at: Date
  readonly expires_at: Date | null
}

const columns = sql`id, account_id, owner, name, media, bytes::text, sha256, created_at, expires_at`

export async function insertFile(
  db: Executor,
  accountId: string,
  file: Omit<StoredFile, 'accountId' | 'bytes' | 'sha256' | 'expiresAt'> & { readonly expiresAt: Date; readonly isPart: boolean },
): Promise<void> {
  const { id, owner, name, media, createdAt, expiresAt, isPart } = file
  await sql`
    insert into files (id, account_id, owner, name, media, created_at, expires_at, is_part)
    values (${id}, ${accountId}, ${owner}, ${name}, ${media}, ${createdAt}, ${expiresAt}, ${isPart})`.execute(db)
}

/** Deletes what an attempt that died had written. */
export async function deleteUnfinished(db: Executor, accountId: string, owner: string): Promise<void> {
  await sql`delete from files where account_id = ${accountId} and owner = ${owner} and bytes is null`.execute(db)
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

/** In bytes, in the order of the chunks. */
export async function chunkSizes(db: Executor, accountId: string, fileId: string): Promise<readonly number[]> {
  const { rows } = await sql<{ size: number }>`
    select octet_length(content) as size from file_chunks where account_id = ${accountId} and file_id = ${fileId} order by index`.execute(
    db,
  )
  return rows.map(({ size }) => size)
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
    select ${columns} from files
    where account_id = ${accountId} and id = ${id} and bytes is not null and (expires_at is null or expires_at > ${at})`.execute(db)
  return rows[0] === undefined ? undefined : fileOf(rows[0])
}

/** The complete parts of a file, or those of one name. */
export async function listParts(db: Executor, accountId: string, owner: string, name?: string): Promise<readonly StoredFile[]> {
  const { rows } = await sql<FileRow>`
    select ${columns} from files
    where account_id = ${accountId} and owner = ${owner} and is_part and bytes is not null
      ${name === undefined ? sql`` : sql`and name = ${name}`} order by id`.execute(db)
  return rows.map(fileOf)
}

export async function deleteParts(db: Executor, accountId: string, owner: string): Promise<void> {
  await sql`delete from files where account_id = ${accountId} and owner = ${owner} and is_part`.execute(db)
}

/** @returns whether there is such a file; it cannot be deleted before the transaction ends. */
export async function insertLink(
  tx: Executor,
  accountId: string,
  { tokenHash, fileId, expiresAt }: { readonly tokenHash: Buffer; readonly fileId: string; readonly expiresAt: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into file_links (token_hash, account_id, file_id, expires_at)
    select ${tokenHash}, account_id, id, ${expiresAt} from (select account_id, id from files where account_id = ${accountId} and id = ${fileId} for key share) f`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** @param kind of the owner of the file. */
export async function useLink(
  db: Executor,
  tokenHash: Buffer,
  kind: string,
  at: Date,
): Promise<{ readonly accountId: string; readonly fileId: string } | undefined> {
  const { rows } = await sql<{ account_id: string; file_id: string }>`
    update file_links l set used_at = ${at} from files f
    where l.token_hash = ${tokenHash} and l.used_at is null and l.expires_at > ${at}
      and f.account_id = l.account_id and f.id = l.file_id and split_part(f.owner, ':', 1) = ${kind}
    returning l.account_id, l.file_id`.execute(db)
  return rows[0] === undefined ? undefined : { accountId: rows[0].account_id, fileId: rows[0].file_id }
}

/**
 * Gives a complete file to another owner, with another end.
 * @returns whether there is such a file.
 */
export async function moveFile(
  tx: Executor,
  accountId: string,
  id: string,
  { owner, expiresAt }: { readonly owner: string; readonly expiresAt: Date | undefined },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update files set owner = ${owner}, expires_at = ${expiresAt ?? null}
    where account_id = ${accountId} and id = ${id} and bytes is not null`.execute(tx)
  return numAffectedRows > 0n
}

export async function deleteFile(db: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from files where account_id = ${accountId} and id = ${id}`.execute(db)
}

/** Deletes at most `limit` files that have expired, with their links. */
export async function deleteExpiredFiles(db: Executor, at: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from files where id = any(array(select id from files where expires_at < ${at} limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}

/** Bytes of the files of an account that are kept, without those that are being made and those that were replaced. */
export async function bytesOfFiles(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::int8 as bytes from files
    where account_id = ${accountId} and not is_part and split_part(owner, ':', 1) not in (${uploadKind}, ${replacedKind})`.execute(db)
  return rows[0]?.bytes ?? 0
}

export async function deleteFilesOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from files where account_id = ${accountId}`.execute(tx)
}

function fileOf(row: FileRow): StoredFile {
  const { id, account_id: accountId, owner, name, media, bytes, sha256, created_at: createdAt, expires_at: expiresAt } = row
  return {
    id,
    accountId,
    owner,
    name,
    media,
    bytes: Number(bytes),
    sha256: sha256.toString('hex'),
    createdAt,
    expiresAt: expiresAt ?? undefined,
  }
}
