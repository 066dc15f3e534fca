import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { secretColumns } from './categories.ts'

type Executor = Kysely<Rows>

const countedMax = 100_000
const rowsAtATime = 500

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

/** The rows of an account as lines of JSON, without secrets. `tx` keeps one snapshot; the cursor reads a part of the rows at a time. */
export async function* readLines(tx: Executor, accountId: string, table: string): AsyncGenerator<Buffer> {
  const cursor = sql.ref(`export_${table}`)
  await sql`
    declare ${cursor} no scroll cursor for
    select (to_jsonb(t) - ${[...secretColumns]}::text[])::text as line from ${sql.table(table)} t
    where ${accountColumn(table)} = ${sql.lit(accountId)}`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsAtATime)} from ${cursor}`.execute(tx)
    if (rows.length === 0) break
    yield Buffer.from(rows.map(({ line }) => `${line}\n`).join(''))
  }
  await sql`close ${cursor}`.execute(tx)
}
