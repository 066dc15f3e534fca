import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { DataTable } from './model.ts'

type Executor = Kysely<Rows>

interface TableRow {
  readonly name: string
  readonly row_count: number
  readonly bytes: string
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`name, row_count, bytes::text, created_at, updated_at`

const nameOf = (accountId: string, table: string) => `${accountId} ${table}`

/** Lets others write to the table, and keeps it from being deleted until the transaction ends. */
export async function useTable(tx: Executor, accountId: string, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('millrace data table'), hashtext(${nameOf(accountId, table)}))`.execute(tx)
}

/** Waits for all who write to the table, and keeps others from it until the transaction ends. */
export async function lockTable(tx: Executor, accountId: string, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace data table'), hashtext(${nameOf(accountId, table)}))`.execute(tx)
}

/** Serializes the making of tables of an account, whose number is limited. */
export async function lockNewTables(tx: Executor, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace new data table'), hashtext(${accountId}))`.execute(tx)
}

export interface TableFilter {
  /** A part of the name, in any case. */
  readonly name: string | undefined
  /** The name of the last table of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

export async function listTables(db: Executor, accountId: string, { name, after, limit }: TableFilter): Promise<readonly DataTable[]> {
  const { rows } = await sql<TableRow>`
    select ${columns} from data_tables
    where account_id = ${accountId} ${name === undefined ? sql`` : sql`and position(lower(${name}) in lower(name)) > 0`}
      ${after === undefined ? sql`` : sql`and name > ${after}`}
    order by name limit ${limit}`.execute(db)
  return rows.map(tableOf)
}

/** The names of all tables of an account, of which there are few. */
export async function listTableNames(db: Executor, accountId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`select name from data_tables where account_id = ${accountId} order by name`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

export async function findTable(db: Executor, accountId: string, name: string): Promise<DataTable | undefined> {
  const { rows } = await sql<TableRow>`select ${columns} from data_tables where account_id = ${accountId} and name = ${name}`.execute(db)
  return rows[0] === undefined ? undefined : tableOf(rows[0])
}

export async function sizeOfTables(db: Executor, accountId: string): Promise<{ readonly tables: number; readonly rows: number }> {
  const { rows } = await sql<{ readonly tables: number; readonly rows: number }>`
    select count(*)::int4 as tables, coalesce(sum(row_count), 0)::int4 as rows from data_tables where account_id = ${accountId}`.execute(db)
  return rows[0] ?? { tables: 0, rows: 0 }
}

/** Bytes of all rows of an account. */
export async function bytesOfTables(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ readonly bytes: string }>`
    select coalesce(sum(bytes), 0)::text as bytes from data_tables where account_id = ${accountId}`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** @returns whether there was no such table. */
export async function insertTable(tx: Executor, accountId: string, name: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into data_tables (account_id, name, created_at, updated_at) values (${accountId}, ${name}, ${at}, ${at})
    on conflict (account_id, name) do nothing returning name`.execute(tx)
  return rows.length > 0
}

export async function deleteTable(tx: Executor, accountId: string, name: string): Promise<void> {
  await sql`delete from data_tables where account_id = ${accountId} and name = ${name}`.execute(tx)
}

function tableOf(row: TableRow): DataTable {
  return { name: row.name, rowCount: row.row_count, bytes: Number(row.bytes), createdAt: row.created_at, updatedAt: row.updated_at }
}
