import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { DescribedColumn, DescribedTable } from './describe-tables.ts'
import { type Needle, patternsOf } from './needles.ts'

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

/** A record that contains a needle, as people name it. */
export interface NamedRecord extends Pick<FoundRecord, 'key'> {
  readonly at: Date | null
  readonly name: string | null
  /** The columns that contain a needle. */
  readonly fields: readonly string[]
  /** What it belongs to: ids by column. */
  readonly owners: Readonly<Partial<Record<OwnerColumn, string | null>>>
}

/** Columns by which records belong to others. */
export const ownerColumns = ['execution_id', 'workflow_id', 'approval_id', 'trigger_id', 'user_id'] as const
export type OwnerColumn = (typeof ownerColumns)[number]

interface PageRequest {
  readonly after: readonly string[] | undefined
  readonly limit: number
  /** A page ends with the record whose texts exceed this. */
  readonly bytesMax: number
}

export interface Page<T> {
  readonly records: readonly T[]
  /** The key after which the next page begins; undefined for the last page. */
  readonly next: readonly string[] | undefined
}

interface Search {
  /** Undefined for tables without accounts. */
  readonly accountId: string | undefined
  readonly needles: readonly Needle[]
}

/** Locks the next records after a key that contain a needle, and whose execution has ended. */
export async function lockMatches(tx: Executor, table: DescribedTable, search: Search, page: PageRequest): Promise<Page<FoundRecord>> {
  const which = sql`${matches(table, search)} and not ${isOpen(table)}`
  const { rows } = await sql<FoundRecord & Paged>`
    select ${keyOf(table)} as key, ${textsOf(table)} as texts, p.candidates,
      ${table.execution === undefined ? sql`null` : sql`t.${sql.ref(table.execution)}::text`} as execution
    from ${pageOf(table, which, page)} where ${matches(table, search)} order by ${keyColumns(table)} for update of t`.execute(tx)
  return asPage(rows, page)
}

/** The newest records that contain a needle, some of them if there are many. */
export async function newestMatches(db: Executor, table: DescribedTable, search: Search, limit: number): Promise<readonly NamedRecord[]> {
  const order = table.time === undefined ? keyColumns(table) : sql`t.${sql.ref(table.time)} desc, ${keyColumns(table)}`
  const { rows } = await sql<NamedRecord>`
    select ${namedColumns(table, search)} from ${sql.table(table.name)} t where ${matches(table, search)} order by ${order} limit ${limit}`.execute(
    db,
  )
  return rows
}

/** The next records after a key that contain a needle, with the texts that contain one. */
export async function readMatches(
  db: Executor,
  table: DescribedTable,
  search: Search,
  page: PageRequest,
): Promise<Page<NamedRecord & Pick<FoundRecord, 'texts'>>> {
  const { rows } = await sql<NamedRecord & Pick<FoundRecord, 'texts'> & Paged>`
    select ${namedColumns(table, search)}, ${textsOf(table, search)} as texts, p.candidates
    from ${pageOf(table, matches(table, search), page)} order by ${keyColumns(table)}`.execute(db)
  return asPage(rows, page)
}

interface Paged {
  /** How many records could have been on the page, up to its limit. */
  readonly candidates: number
}

/** The records `t` of a page: the keys first, so that no more texts are read than the page may have. */
function pageOf(table: DescribedTable, which: RawBuilder<unknown>, page: PageRequest): RawBuilder<unknown> {
  const bytes = table.texts.map(({ name }) => sql`coalesce(octet_length(t.${sql.ref(name)}::text), 0)`)
  const same = table.key.map(({ name }) => sql`t.${sql.ref(name)} = p.${sql.ref(name)}`)
  return sql`(
      select k.*, sum(k.bytes) over (order by ${keyColumns(table, 'k')}) - k.bytes as bytes_before, (count(*) over ())::int4 as candidates
      from (
        select ${keyColumns(table)}, (${sql.join(bytes, sql` + `)})::int8 as bytes from ${sql.table(table.name)} t
        where ${which} ${isAfter(table, page)} order by ${keyColumns(table)} limit ${page.limit}) k) p
    join ${sql.table(table.name)} t on ${sql.join(same, sql` and `)} and p.bytes_before < ${page.bytesMax}`
}

function asPage<T extends Pick<FoundRecord, 'key'> & Paged>(records: readonly T[], { limit }: PageRequest): Page<T> {
  const candidates = records[0]?.candidates ?? 0
  const isLast = candidates < limit && records.length === candidates
  return { records, next: isLast ? undefined : records.at(-1)?.key }
}

/** Counts records that contain a needle: all, and those whose execution has not ended. */
export async function countMatches(tx: Executor, table: DescribedTable, search: Search) {
  const { rows } = await sql<{ readonly total: number; readonly open: number }>`
    select count(*)::int4 as total, (count(*) filter (where ${isOpen(table)}))::int4 as open
    from ${sql.table(table.name)} t where ${matches(table, search)}`.execute(tx)
  return rows[0] ?? { total: 0, open: 0 }
}

/** @returns whether the record contains no needle any more. */
export async function updateRecord(
  tx: Executor,
  table: DescribedTable,
  { key, texts }: Pick<FoundRecord, 'key' | 'texts'>,
  search: Search,
): Promise<boolean> {
  const changes = table.texts.filter(({ name }) => texts[name] !== undefined)
  if (changes.length === 0) return false
  const set = sql.join(changes.map((column) => sql`${sql.ref(column.name)} = ${typed(texts[column.name] ?? null, column)}`))
  const { rows } = await sql<{ readonly contains: boolean | null }>`
    update ${sql.table(table.name)} t set ${set} where ${keyIs(table, key)} ${ofAccount(search.accountId)}
    returning (${containsAny(table, search)}) as contains`.execute(tx)
  return rows.every(({ contains: still }) => still !== true)
}

export async function deleteRecord(
  tx: Executor,
  table: DescribedTable,
  key: readonly string[],
  accountId: string | undefined,
): Promise<'nothing'> {
  await sql`delete from ${sql.table(table.name)} t where ${keyIs(table, key)} ${ofAccount(accountId)}`.execute(tx)
  return 'nothing'
}

/** The executions that have not ended and to which records with a needle belong, some of them if there are many. */
export async function openExecutions(tx: Executor, table: DescribedTable, search: Search, limit: number): Promise<readonly string[]> {
  if (table.execution === undefined) return []
  const { rows } = await sql<{ readonly id: string }>`
    select distinct t.${sql.ref(table.execution)} as id from ${sql.table(table.name)} t
    where ${matches(table, search)} and ${isOpen(table)} limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The folders of files of start forms that the input of some executions names. Each entry of a form has a folder of its own, whose letters cannot be guessed. */
export async function formFoldersOf(db: Executor, accountId: string, executions: readonly string[]): Promise<readonly string[]> {
  return foldersIn(db, sql`account_id = ${accountId} and id = any(${[...executions]}::uuid[])`)
}

/** Those that inputs name which contain a needle, some of them if there are many. */
export async function matchingFormFolders(db: Executor, { accountId, needles }: Search, limit: number): Promise<readonly string[]> {
  const found = patternsOf(needles).map((pattern) => sql`input::text ~ ${pattern}`)
  return foldersIn(db, sql`account_id = ${accountId} and strpos(input::text, 'forms/') > 0 and (${sql.join(found, sql` or `)})`, limit)
}

/** JSON of others writes a slash as `\/`. */
const formFolder = String.raw`(?:"|\\/)(forms/[a-z]{16})(?=/)`

async function foldersIn(db: Executor, which: RawBuilder<unknown>, limit?: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly folder: string }>`
    select distinct found[1] as folder from ${sql.table('executions')}, regexp_matches(input::text, ${formFolder}, 'g') found
    where ${which} ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db)
  return rows.map(({ folder }) => folder)
}

/** Which of some texts, as JSON, are in the input of some executions. */
export async function inInputs(
  db: Executor,
  accountId: string,
  { executions, texts }: { readonly executions: readonly string[]; readonly texts: readonly string[] },
): Promise<readonly string[]> {
  if (executions.length === 0 || texts.length === 0) return []
  // Each input is read once: without the concatenation, for each of the texts.
  const { rows } = await sql<{ readonly text: string }>`
    select distinct sought.text
    from (select input::text || '' as input from ${sql.table('executions')}
      where account_id = ${accountId} and id = any(${[...executions]}::uuid[]) offset 0) e
    join unnest(${[...texts]}::text[]) as sought (text) on strpos(e.input, sought.text) > 0`.execute(db)
  return rows.map(({ text }) => text)
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

const keyColumns = ({ key }: DescribedTable, of: 't' | 'k' = 't') => sql.join(key.map(({ name }) => sql`${sql.ref(`${of}.${name}`)}`))
const keyOf = ({ key }: DescribedTable) => sql`jsonb_build_array(${sql.join(key.map(({ name }) => sql`t.${sql.ref(name)}::text`))})`

function isAfter(table: DescribedTable, { after }: PageRequest): RawBuilder<unknown> {
  if (after === undefined) return sql``
  return sql`and (${keyColumns(table)}) > (${sql.join(table.key.map((column, index) => typed(after[index], column)))})`
}

/** The texts by column; with a search those that match alone. */
function textsOf({ texts }: DescribedTable, search?: Search): RawBuilder<unknown> {
  const members = texts.flatMap((column) => {
    const { name, type } = column
    const text = type === 'text[]' ? sql`to_jsonb(t.${sql.ref(name)})` : sql`t.${sql.ref(name)}::text`
    return [sql.lit(name), search === undefined ? text : sql`case when ${contains(column, search)} then ${text} end`]
  })
  return sql`jsonb_build_object(${sql.join(members)})`
}

function namedColumns(table: DescribedTable, search: Search): RawBuilder<unknown> {
  const { columns, texts, time } = table
  const owners = ownerColumns.flatMap((column) => {
    const id = ownerOf(table, column)
    return id === undefined ? [] : [sql.lit(column), id]
  })
  const fields = texts.map((column) => sql`case when ${contains(column, search)} then ${column.name}::text end`)
  return sql`${keyOf(table)} as key, ${time === undefined ? sql`null::timestamptz` : sql`t.${sql.ref(time)}`} as at,
    ${columns.has('name') ? sql`t.name` : sql`null`} as name, array_remove(array[${sql.join(fields)}], null) as fields,
    jsonb_build_object(${sql.join(owners)}) as owners`
}

/** A record belongs to the workflow of its execution, too. */
function ownerOf({ name, columns, execution }: DescribedTable, column: OwnerColumn): RawBuilder<unknown> | undefined {
  if (column === 'execution_id' && execution !== undefined) return sql`t.${sql.ref(execution)}::text`
  if (column === 'workflow_id' && name === 'workflows') return sql`t.id::text`
  if (column === 'approval_id' && name === 'approvals') return sql`t.id::text`
  if (column === 'trigger_id' && name === 'triggers') return sql`t.id::text`
  if (column === 'user_id' && name === 'users') return sql`t.id::text`
  if (columns.has(column)) return sql`t.${sql.ref(column)}::text`
  if (column !== 'workflow_id' || execution === undefined) return undefined
  return sql`(select x.workflow_id::text from ${sql.table('executions')} x where x.id = t.${sql.ref(execution)})`
}

function matches(table: DescribedTable, search: Search): RawBuilder<unknown> {
  return sql`(${containsAny(table, search)}) ${ofAccount(search.accountId)}`
}

const containsAny = ({ texts }: DescribedTable, search: Search): RawBuilder<unknown> =>
  sql.join(
    texts.map((column) => contains(column, search)),
    sql` or `,
  )

function contains({ name }: DescribedColumn, { needles }: Search): RawBuilder<unknown> {
  return sql.join(
    patternsOf(needles).map((pattern) => sql`t.${sql.ref(name)}::text ~ ${pattern}`),
    sql` or `,
  )
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
