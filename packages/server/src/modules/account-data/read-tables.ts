import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { secretColumns } from './categories.ts'

type Executor = Kysely<Rows>

const countedMax = 100_000
/** One execution may have an input and an output of 16 MiB each, and all that are read at once are in memory. */
const rowsAtATime = 16

/** The column by which rows belong to an account. */
function accountColumn(table: string) {
  return sql.ref(table === 'accounts' ? 'id' : 'account_id')
}

/** Rows of an account in a table; at most 100,001 are counted. */
export async function countRows(
  db: Executor,
  accountId: string,
  table: string,
): Promise<{ readonly count: number; readonly isLowerBound: boolean }> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from (
      select from ${sql.table(table)} where ${accountColumn(table)} = ${accountId} limit ${countedMax + 1}
    ) t`.execute(db)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, countedMax), isLowerBound: count > countedMax }
}

/** The columns of a table that an export has. */
async function exportedColumns(tx: Executor, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and not attname = any(${[...secretColumns]}::text[])
    order by attnum`.execute(tx)
  return rows.map(({ name }) => name)
}

/**
 * The rows of an account as lines of JSON, without secrets. `tx` keeps one snapshot; the cursor reads a part of the rows at a time.
 * `to_jsonb` would refuse a value with the character NUL, which columns of type json may have; they keep their line breaks, which are never part of a string.
 */
export async function* readLines(tx: Executor, accountId: string, table: string): AsyncGenerator<Buffer> {
  const cursor = sql.ref(`export_${table}`)
  const columns = (await exportedColumns(tx, table)).map((name) => sql.ref(name))
  await sql`
    declare ${cursor} no scroll cursor for
    select row_to_json(t)::text as line from (
      select ${sql.join(columns)} from ${sql.table(table)} where ${accountColumn(table)} = ${sql.lit(accountId)}
    ) t`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsAtATime)} from ${cursor}`.execute(tx)
    if (rows.length === 0) break
    yield Buffer.from(rows.map(({ line }) => `${line.replaceAll(/[\r\n]+/g, ' ')}\n`).join(''))
  }
  await sql`close ${cursor}`.execute(tx)
}
