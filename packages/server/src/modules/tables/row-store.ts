import type { ColumnRange, JsonValue } from '@millrace/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { endOfPrefix } from '#platform/paging/end-of-prefix.ts'
import type { Columns, ColumnValue, DataRow } from './model.ts'
import { withinSql } from './row-range.ts'
import { isBehind, orderOf, type RowPosition, type RowSort, sortedRow, type SortedRow, valueOf } from './row-sort.ts'

type Executor = Kysely<Rows>

interface StoredRow {
  readonly key: string
  readonly content: string
  readonly bytes: number
  readonly revision: string
  readonly written_by: string
  readonly by_test: boolean
  readonly created_at: Date
  readonly updated_at: Date
  readonly expires_at: Date | null
}

const columns = sql`key, content::text as content, bytes, revision::text, written_by, by_test, created_at, updated_at, expires_at`

/** Where a row is. */
export interface RowPlace {
  readonly table: string
  readonly key: string
}

/** Serializes the changes to a row, which may not exist, until the transaction ends. */
export async function lockRow(tx: Executor, accountId: string, { table, key }: RowPlace): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`millrace data row ${accountId} ${table} ${key}`}, 0))`.execute(tx)
}

/** The row of a key, if it has not expired. */
export async function findRow(db: Executor, accountId: string, { table, key }: RowPlace, at: Date): Promise<DataRow | undefined> {
  const found = await findRowEver(db, accountId, { table, key })
  return found?.expiresAt === undefined || found.expiresAt > at ? found : undefined
}

/** The row of a key, expired or not. */
export async function findRowEver(db: Executor, accountId: string, { table, key }: RowPlace): Promise<DataRow | undefined> {
  const { rows } = await sql<StoredRow>`
    select ${columns} from data_rows where account_id = ${accountId} and table_name = ${table} and key = ${key}`.execute(db)
  return rows[0] === undefined ? undefined : rowOf(rows[0])
}

/** The rows of some keys by their keys, expired or not. */
export async function findRowsEver(
  db: Executor,
  accountId: string,
  table: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, DataRow>> {
  const { rows } = await sql<StoredRow>`
    select ${columns} from data_rows where account_id = ${accountId} and table_name = ${table} and key = any(${keys}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.key, rowOf(row)]))
}

/** Which rows of a table are meant. */
export interface RowsWanted {
  readonly prefix: string
  /** A text in the key or in the value of a column, in any case. */
  readonly text?: string | undefined
  readonly column?: ColumnValue | undefined
  /** Columns that a row must have, with these values. */
  readonly where?: Columns | undefined
  readonly ranges?: readonly ColumnRange[] | undefined
  /** When it was written first. */
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
  /** Whether a test wrote it last. */
  readonly byTest?: boolean | undefined
  readonly at: Date
}

export interface RowFilter extends RowsWanted {
  /** In the order of the keys unless given. */
  readonly sort?: RowSort | undefined
  /** The last row of the page before. */
  readonly after: RowPosition | undefined
  readonly limit: number
}

/** The condition of a row of a table. */
function wantedSql(accountId: string, table: string, wanted: RowsWanted): RawBuilder<unknown> {
  const { prefix, text, column, where, ranges = [], createdFrom, createdBefore, byTest, at } = wanted
  const end = endOfPrefix(prefix)
  return sql`account_id = ${accountId} and table_name = ${table} and key >= ${prefix} ${end === undefined ? sql`` : sql`and key < ${end}`}
    and (expires_at is null or expires_at > ${at})
    ${createdFrom === undefined ? sql`` : sql`and created_at >= ${createdFrom}`}
    ${createdBefore === undefined ? sql`` : sql`and created_at < ${createdBefore}`}
    ${byTest === undefined ? sql`` : sql`and by_test = ${byTest}`}
    ${column === undefined ? sql`` : sql`and content ->> ${column.name} = ${column.value}`}
    ${where === undefined ? sql`` : sql`and ${hasColumnsSql(where)}`}
    ${sql.join(
      ranges.map((range) => sql`and ${withinSql(range)}`),
      sql` `,
    )}
    ${
      text === undefined
        ? sql``
        : sql`and (position(lower(${text}) in lower(key)) > 0
      or exists (select from json_each_text(content) as c (name, value) where position(lower(${text}) in lower(c.value)) > 0))`
    }`
}

/** The condition of a row with these columns and values. Objects contain one another by their members; a list is the same only as a whole. */
function hasColumnsSql(where: Columns): RawBuilder<unknown> {
  const lists = listsIn(where).map(({ path, list }) => sql`and content::jsonb #> ${[...path]}::text[] = ${JSON.stringify(list)}::jsonb`)
  return sql`content::jsonb @> ${JSON.stringify(where)}::jsonb ${sql.join(lists, sql` `)}`
}

interface FoundList {
  readonly path: readonly string[]
  readonly list: JsonValue
}

/** The lists of a value that are in no other list, with their paths. */
function listsIn(value: JsonValue, path: readonly string[] = []): readonly FoundList[] {
  if (Array.isArray(value)) return [{ path, list: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => listsIn(member ?? null, [...path, name]))
}

export async function countRows(db: Executor, accountId: string, table: string, wanted: RowsWanted): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from data_rows where ${wantedSql(accountId, table, wanted)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Bytes of a page of rows, with at most one row beyond them. */
export const pageBytes = 8 * 1024 * 1024

/** A row with its position in a list. */
export interface ListedRow {
  readonly row: DataRow
  readonly position: RowPosition
}

/**
 * In the bytewise order of keys, which is that of their code points and of an index, or sorted by a column: then the rows of the table are read, and
 * the sort keeps no more of them than the page has. A page of `pageBytes` ends early.
 */
export async function listRows(db: Executor, accountId: string, table: string, filter: RowFilter): Promise<readonly ListedRow[]> {
  const { sort, after, limit } = filter
  const order = orderOf(sort)
  const { rows } = await sql<StoredRow & SortedRow>`
    select ${columns} ${sort === undefined ? sql`` : sql`, sort_rank, sort_number, sort_text`} from (
      select *, sum(bytes) over (order by ${order} rows unbounded preceding) as bytes_until from (
        select r.* ${sort === undefined ? sql`` : sql`, s.*`} from data_rows r ${sort === undefined ? sql`` : sortedRow(sort)}
        where ${wantedSql(accountId, table, filter)} ${after === undefined ? sql`` : sql`and ${isBehind(sort, after)}`}
        order by ${order} limit ${limit}
      ) page
    ) r
    where bytes_until - bytes < ${pageBytes} order by ${order}`.execute(db)
  return rows.map((row) => ({ row: rowOf(row), position: { key: row.key, value: sort === undefined ? undefined : valueOf(row) } }))
}

/** Inserts rows, and replaces those of the same keys. */
export async function putRows(tx: Executor, accountId: string, table: string, rows: readonly Omit<DataRow, 'bytes'>[]): Promise<void> {
  await sql`
    insert into data_rows (account_id, table_name, key, content, revision, written_by, by_test, created_at, updated_at, expires_at)
    select ${accountId}, ${table}, r.key, r.content::json, r.revision, r.written_by, r.by_test, r.created_at, r.updated_at, r.expires_at
    from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map((row) => JSON.stringify(row.columns))}::text[],
      ${rows.map(({ revision }) => revision)}::int8[],
      ${rows.map(({ writtenBy }) => writtenBy)}::text[], ${rows.map(({ byTest }) => byTest)}::bool[],
      ${rows.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
      ${rows.map(({ updatedAt }) => updatedAt.toISOString())}::timestamptz[],
      ${rows.map(({ expiresAt }) => expiresAt?.toISOString() ?? null)}::timestamptz[])
      as r (key, content, revision, written_by, by_test, created_at, updated_at, expires_at)
    on conflict (account_id, table_name, key) do update set content = excluded.content, revision = excluded.revision,
      written_by = excluded.written_by, by_test = excluded.by_test, created_at = excluded.created_at, updated_at = excluded.updated_at,
      expires_at = excluded.expires_at`.execute(tx)
}

export async function deleteRow(tx: Executor, accountId: string, { table, key }: RowPlace): Promise<void> {
  await sql`delete from data_rows where account_id = ${accountId} and table_name = ${table} and key = ${key}`.execute(tx)
}

export async function deleteRowsOf(tx: Executor, accountId: string, table: string): Promise<void> {
  await sql`delete from data_rows where account_id = ${accountId} and table_name = ${table}`.execute(tx)
}

/** Deletes rows that have expired, of any account. @returns how many. */
export async function deleteExpiredRows(db: Executor, at: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from data_rows r using (
      select account_id, table_name, key from data_rows where expires_at <= ${at} order by expires_at limit ${limit} for update skip locked
    ) e
    where r.account_id = e.account_id and r.table_name = e.table_name and r.key = e.key`.execute(db)
  return Number(numAffectedRows)
}

/** What an earlier attempt of a call gave; undefined for the first. */
export async function findCall(tx: Executor, accountId: string, call: string): Promise<JsonValue | undefined> {
  const { rows } = await sql<{ readonly output: string }>`
    select output::text as output from data_row_calls where account_id = ${accountId} and call = ${call}`.execute(tx)
  return rows[0] === undefined ? undefined : JSON.parse(rows[0].output)
}

export async function insertCall(tx: Executor, accountId: string, call: string, output: JsonValue, at: Date): Promise<void> {
  await sql`
    insert into data_row_calls (account_id, call, output, at) values (${accountId}, ${call}, ${JSON.stringify(output)}, ${at})`.execute(tx)
}

/** Forgets what old calls gave. @returns how many. */
export async function deleteOldCalls(db: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from data_row_calls c using (select account_id, call from data_row_calls where at < ${before} order by at limit ${limit}) o
    where c.account_id = o.account_id and c.call = o.call`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes everything of an account that is forgotten. */
export async function purgeTables(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from data_row_calls where account_id = ${accountId}`.execute(executor)
  await sql`delete from data_rows where account_id = ${accountId}`.execute(executor)
  await sql`delete from data_tables where account_id = ${accountId}`.execute(executor)
}

function rowOf(row: StoredRow): DataRow {
  return {
    key: row.key,
    columns: JSON.parse(row.content),
    bytes: row.bytes,
    revision: Number(row.revision),
    writtenBy: row.written_by,
    byTest: row.by_test,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at ?? undefined,
  }
}
