import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { endOfPrefix } from '#platform/paging/end-of-prefix.ts'
import type { AccountFile } from './model.ts'

type Executor = Kysely<Rows>

interface FileRow {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly file_id: string
  readonly media: string
  readonly bytes: string
  readonly sha256: Buffer
  readonly written_by: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly written_at: Date
  readonly expires_at: Date | null
  readonly execution_id: string | null
}

const columns = sql`id, account_id, name, file_id, media, bytes::text, sha256, written_by, created_at, updated_at, written_at, expires_at, execution_id`

/** Serializes the changes to the files of an account until the transaction ends: two writers cannot both take the last room. */
export async function lockFiles(tx: Executor, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace account files'), hashtext(${accountId}))`.execute(tx)
}

export async function countFiles(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from account_files where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function bytesOfAccountFiles(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ readonly bytes: number }>`
    select coalesce(sum(bytes), 0)::int8 as bytes from account_files where account_id = ${accountId}`.execute(tx)
  return rows[0]?.bytes ?? 0
}

export async function findById(db: Executor, accountId: string, id: string, at: Date): Promise<AccountFile | undefined> {
  const { rows } = await sql<FileRow>`
    select ${columns} from account_files
    where account_id = ${accountId} and id = ${id} and (expires_at is null or expires_at > ${at})`.execute(db)
  return rows[0] === undefined ? undefined : fileOf(rows[0])
}

export async function findByName(db: Executor, accountId: string, name: string, at: Date): Promise<AccountFile | undefined> {
  const { rows } = await sql<FileRow>`
    select ${columns} from account_files
    where account_id = ${accountId} and name = ${name} and (expires_at is null or expires_at > ${at})`.execute(db)
  return rows[0] === undefined ? undefined : fileOf(rows[0])
}

/** Those of the names that files have. */
export async function findByNames(db: Executor, accountId: string, names: readonly string[], at: Date): Promise<readonly AccountFile[]> {
  if (names.length === 0) return []
  const { rows } = await sql<FileRow>`
    select ${columns} from account_files
    where account_id = ${accountId} and name = any(${names}::text[]) and (expires_at is null or expires_at > ${at})`.execute(db)
  return rows.map(fileOf)
}

/** The files that an execution wrote or that were sent with its start, the newest first. */
export async function findOfExecution(
  db: Executor,
  accountId: string,
  executionId: string,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<readonly AccountFile[]> {
  const { rows } = await sql<FileRow>`
    select ${columns} from account_files
    where account_id = ${accountId} and execution_id = ${executionId} and (expires_at is null or expires_at > ${at})
    order by id desc limit ${limit}`.execute(db)
  return rows.map(fileOf)
}

/** The file of a name, expired or not. */
export async function findByNameEver(tx: Executor, accountId: string, name: string): Promise<AccountFile | undefined> {
  const { rows } = await sql<FileRow>`select ${columns} from account_files where account_id = ${accountId} and name = ${name}`.execute(tx)
  return rows[0] === undefined ? undefined : fileOf(rows[0])
}

export interface FileFilter {
  readonly prefix: string
  /** The name of the last file of the page before. */
  readonly after: string | undefined
  readonly limit: number
  readonly at: Date
}

/** In the bytewise order of names, which is that of their code points. */
export async function listFiles(db: Executor, accountId: string, filter: FileFilter): Promise<readonly AccountFile[]> {
  const { prefix, after, limit, at } = filter
  const end = endOfPrefix(prefix)
  const { rows } = await sql<FileRow>`
    select ${columns} from account_files
    where account_id = ${accountId} and name >= ${prefix} ${end === undefined ? sql`` : sql`and name < ${end}`}
      ${after === undefined ? sql`` : sql`and name > ${after}`} and (expires_at is null or expires_at > ${at})
    order by name limit ${limit}`.execute(db)
  return rows.map(fileOf)
}

export async function deleteAccountFile(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`delete from account_files where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/** Inserts a file, or gives the one of this name another content. */
export async function putFile(
  tx: Executor,
  accountId: string,
  file: Omit<AccountFile, 'writtenAt'>,
  startKey: string | undefined,
): Promise<AccountFile> {
  const { id, name, fileId, media, bytes, sha256, writtenBy, createdAt, updatedAt, expiresAt = null, executionId = null } = file
  const { rows } = await sql<FileRow>`
    insert into account_files (id, account_id, name, file_id, media, bytes, sha256, written_by, created_at, updated_at, expires_at,
      execution_id, start_key, written_at)
    values (${id}, ${accountId}, ${name}, ${fileId}, ${media}, ${bytes}, ${Buffer.from(sha256, 'hex')}, ${writtenBy}, ${createdAt},
      ${updatedAt}, ${expiresAt}, ${executionId}, ${startKey ?? null}, clock_timestamp())
    on conflict (account_id, name) do update set file_id = excluded.file_id, media = excluded.media, bytes = excluded.bytes,
      sha256 = excluded.sha256, written_by = excluded.written_by, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
      execution_id = excluded.execution_id, start_key = excluded.start_key, written_at = excluded.written_at
    returning ${columns}`.execute(tx)
  if (rows[0] === undefined) throw new Error('an insert returned no row')
  return fileOf(rows[0])
}

/** Keeps files, by their contents, whose start has succeeded. */
export async function keepFiles(db: Executor, accountId: string, fileIds: readonly string[], executionId: string): Promise<void> {
  await sql`
    update account_files set start_key = null, execution_id = ${executionId}
    where account_id = ${accountId} and file_id = any(${fileIds}::uuid[])`.execute(db)
}

/** A file of which it is not known whether its start has succeeded. */
export interface UndecidedFile {
  readonly accountId: string
  readonly name: string
  readonly fileId: string
  readonly startKey: string
}

/** The oldest ones, of every account. */
export async function undecidedFiles(db: Executor, before: Date, limit: number): Promise<readonly UndecidedFile[]> {
  const { rows } = await sql<{ account_id: string; name: string; file_id: string; start_key: string }>`
    select account_id, name, file_id, start_key from account_files
    where start_key is not null and updated_at < ${before} order by updated_at limit ${limit}`.execute(db)
  return rows.map((row) => ({ accountId: row.account_id, name: row.name, fileId: row.file_id, startKey: row.start_key }))
}

function fileOf(row: FileRow): AccountFile {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    fileId: row.file_id,
    media: row.media,
    bytes: Number(row.bytes),
    sha256: row.sha256.toString('hex'),
    writtenBy: row.written_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    writtenAt: row.written_at,
    expiresAt: row.expires_at ?? undefined,
    executionId: row.execution_id ?? undefined,
  }
}
