import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { DescribedColumn, DescribedTable } from './describe-tables.ts'
import type { Needle } from './needles.ts'

type Executor = Kysely<Rows>

/** A record that contains a needle. */
export interface FoundRecord {
  /** The values of its key, as texts. */
  readonly key: readonly string[]
  /** Its texts by column; JSON as text. */
  readonly texts: Readonly<Record<string, string | readonly string[] | null>>
  /** The execution that it is, or to which it belongs. */
  readonly execution: string | null
}

interface Search {
  /** Undefined for tables without accounts. */
  readonly accountId: string | undefined
  readonly needles: readonly Needle[]
}

/** Locks the next records after a key that contain a needle, and whose execution has ended. */
export async function lockMatches(
  tx: Executor,
  table: DescribedTable,
  search: Search,
  { after, limit }: { readonly after: readonly string[] | undefined; readonly limit: number },
): Promise<readonly FoundRecord[]> {
  const key = sql.join(table.key.map(({ name }) => sql`t.${sql.ref(name)}`))
  const from =
    after === undefined ? sql`` : sql`and (${key}) > (${sql.join(table.key.map((column, index) => typed(after[index], column)))})`
  const texts = sql.join(
    table.texts.flatMap(({ name, type }) => [
      sql.lit(name),
      type === 'text[]' ? sql`to_jsonb(t.${sql.ref(name)})` : sql`t.${sql.ref(name)}::text`,
    ]),
  )
  const { rows } = await sql<FoundRecord>`
    select jsonb_build_array(${sql.join(table.key.map(({ name }) => sql`t.${sql.ref(name)}::text`))}) as key, jsonb_build_object(${texts}) as texts,
      ${table.execution === undefined ? sql`null` : sql`t.${sql.ref(table.execution)}::text`} as execution
    from ${sql.table(table.name)} t where ${matches(table, search)} and not ${isOpen(table)} ${from}
    order by ${key} limit ${limit} for update of t`.execute(tx)
  return rows
}

/** Counts records that contain a needle: all, and those whose execution has not ended. */
export async function countMatches(tx: Executor, table: DescribedTable, search: Search) {
  const { rows } = await sql<{ readonly total: number; readonly open: number }>`
    select count(*)::int4 as total, (count(*) filter (where ${isOpen(table)}))::int4 as open
    from ${sql.table(table.name)} t where ${matches(table, search)}`.execute(tx)
  return rows[0] ?? { total: 0, open: 0 }
}

export async function updateRecord(
  tx: Executor,
  table: DescribedTable,
  { key, texts }: Pick<FoundRecord, 'key' | 'texts'>,
  accountId: string | undefined,
): Promise<void> {
  const changes = table.texts.filter(({ name }) => texts[name] !== undefined)
  if (changes.length === 0) return
  const set = sql.join(changes.map((column) => sql`${sql.ref(column.name)} = ${typed(texts[column.name] ?? null, column)}`))
  await sql`update ${sql.table(table.name)} t set ${set} where ${keyIs(table, key)} ${ofAccount(accountId)}`.execute(tx)
}

export async function deleteRecord(
  tx: Executor,
  table: DescribedTable,
  key: readonly string[],
  accountId: string | undefined,
): Promise<void> {
  await sql`delete from ${sql.table(table.name)} t where ${keyIs(table, key)} ${ofAccount(accountId)}`.execute(tx)
}

/** The executions that have not ended and to which records with a needle belong, some of them if there are many. */
export async function openExecutions(tx: Executor, table: DescribedTable, search: Search, limit: number): Promise<readonly string[]> {
  if (table.execution === undefined) return []
  const { rows } = await sql<{ readonly id: string }>`
    select distinct t.${sql.ref(table.execution)} as id from ${sql.table(table.name)} t
    where ${matches(table, search)} and ${isOpen(table)} limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The inputs of executions, as JSON. */
export async function inputsOf(db: Executor, accountId: string, executions: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly input: string }>`
    select input::text as input from ${sql.table('executions')} where account_id = ${accountId} and id = any(${[...executions]}::uuid[])`.execute(
    db,
  )
  return rows.map(({ input }) => input)
}

/** Inputs of executions that contain a needle. */
export async function matchingInputs(db: Executor, { accountId, needles }: Search, limit: number): Promise<readonly string[]> {
  const found = needles.map(({ text }) => sql`strpos(lower(t.input::text), ${text}) > 0`)
  const { rows } = await sql<{ readonly input: string }>`
    select t.input::text as input from ${sql.table('executions')} t
    where (${sql.join(found, sql` or `)}) ${ofAccount(accountId)} and strpos(t.input::text, 'forms/') > 0 limit ${limit}`.execute(db)
  return rows.map(({ input }) => input)
}

/** Whether one of some executions has ended or is not kept any more. */
export async function hasEnded(db: Executor, accountId: string, executions: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ readonly open: number }>`
    select count(*)::int4 as open from ${sql.table('executions')}
    where account_id = ${accountId} and id = any(${[...executions]}::uuid[]) and ended_at is null`.execute(db)
  return (rows[0]?.open ?? 0) < executions.length
}

/**
 * Deletes copies that were begun until a time, with their files. One that is being prepared is left to its process: it is deleted once it is ready.
 * @returns how many were deleted, and how many are being prepared.
 */
export async function deleteCopies(
  tx: Executor,
  accountId: string,
  { table, owner }: { readonly table: string; readonly owner: string },
  until: Date,
) {
  const begun = sql`account_id = ${accountId} and created_at <= ${until}`
  const { rows } = await sql<{ readonly deleted: number; readonly preparing: number }>`
    with gone as (delete from ${sql.table(table)} where ${begun} and state <> 'preparing' returning id),
      contents as (
        delete from ${sql.table('files')} where account_id = ${accountId} and owner in (select ${owner}::text || ':' || id from gone))
    select (select count(*)::int4 from gone) as deleted,
      (select count(*)::int4 from ${sql.table(table)} where ${begun} and state = 'preparing') as preparing`.execute(tx)
  return rows[0] ?? { deleted: 0, preparing: 0 }
}

function matches({ texts }: DescribedTable, { accountId, needles }: Search): RawBuilder<unknown> {
  const found = texts.flatMap(({ name }) => needles.map(({ text }) => sql`strpos(lower(t.${sql.ref(name)}::text), ${text}) > 0`))
  return sql`(${sql.join(found, sql` or `)}) ${ofAccount(accountId)}`
}

const ofAccount = (accountId: string | undefined) => (accountId === undefined ? sql`` : sql`and t.account_id = ${accountId}`)

function isOpen({ execution }: DescribedTable): RawBuilder<unknown> {
  if (execution === undefined) return sql`false`
  return sql`exists (select from ${sql.table('executions')} x where x.id = t.${sql.ref(execution)} and x.ended_at is null)`
}

function keyIs({ key: columns }: DescribedTable, key: readonly string[]): RawBuilder<unknown> {
  return sql.join(
    columns.map((column, index) => sql`t.${sql.ref(column.name)} = ${typed(key[index], column)}`),
    sql` and `,
  )
}

const typed = (value: unknown, { type }: DescribedColumn) => sql`${value}::${sql.raw(type)}`
