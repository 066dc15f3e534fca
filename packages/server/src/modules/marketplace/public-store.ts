import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type EntryRow, entryColumns, entryOf, type VersionRow, versionColumns, versionOf } from './entry-rows.ts'
import type { Entry, EntryDetails, EntryFilter, Release, Report, ReportReason } from './model.ts'

// What is public belongs to no account of a request: these queries use the system's connections and say `state = 'listed'`.
type Executor = Kysely<Rows>

/** An entry with its place in the order of a page. */
export interface Ranked {
  readonly entry: Entry
  readonly score: number
}

/** The last entry of the page before. */
export interface After {
  readonly score: number
  readonly id: string
}

export interface Page {
  readonly filter: EntryFilter
  readonly after: After | undefined
  readonly limit: number
}

const releasesMax = 20
/** Entries that are counted for facets, and matches that are ranked. */
export const countedMax = 1_000

export type RankedRow = EntryRow & { readonly score: number }

export const rankedOf = (row: RankedRow): Ranked => ({ entry: entryOf(row), score: row.score })

export function where({ category, licence, tag }: EntryFilter): RawBuilder<unknown> {
  return sql`state = 'listed' ${category === undefined ? sql`` : sql`and category = ${category}`}
    ${licence === undefined ? sql`` : sql`and licence = ${licence}`} ${tag === undefined ? sql`` : sql`and tags @> ${[tag]}::text[]`}`
}

export async function listEntries(db: Executor, sort: 'popular' | 'new', { filter, after, limit }: Page): Promise<readonly Ranked[]> {
  const popular = sort === 'popular'
  const rest = after === undefined ? sql`` : popular ? sql`and (popularity, id) < (${after.score}, ${after.id})` : sql`and id < ${after.id}`
  const { rows } = await sql<RankedRow>`
    select ${entryColumns}, popularity as score from marketplace_entries where ${where(filter)} ${rest}
    order by ${popular ? sql`popularity desc, id desc` : sql`id desc`} limit ${limit}`.execute(db)
  return rows.map(rankedOf)
}

export interface Facet {
  readonly facet: 'categories' | 'licences' | 'tags'
  readonly name: string
  readonly count: number
}

/** How many of the entries of `best` have each value. */
export const facetsOfBest = sql`
  select 'categories' as facet, category as name, count(*)::int as count from best group by category
  union all select 'licences', licence, count(*)::int from best group by licence
  union all (select 'tags', tag, count(*)::int from best, unnest(tags) as tag group by tag order by count(*) desc, tag limit 20)`

/** How many of the most popular entries have each value. */
export async function countFacets(db: Executor, filter: EntryFilter): Promise<readonly Facet[]> {
  const { rows } = await sql<Facet>`
    with best as materialized (select * from marketplace_entries where ${where(filter)} order by popularity desc, id desc limit ${countedMax})
    ${facetsOfBest}`.execute(db)
  return rows
}

/** An entry of any account and in any state; the caller decides who may see it. */
export async function findEntry(db: Executor, id: string): Promise<Entry | undefined> {
  const { rows } = await sql<EntryRow>`select ${entryColumns} from marketplace_entries where id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : entryOf(rows[0])
}

export async function findEntries(db: Executor, ids: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns} from marketplace_entries where id = any(${[...ids]}::uuid[]) and state = 'listed'`.execute(db)
  return new Map(rows.map((row) => [row.id, entryOf(row)]))
}

/** An entry with its latest version. */
export async function findDetails(db: Executor, id: string): Promise<EntryDetails | undefined> {
  const entry = await findEntry(db, id)
  if (entry === undefined) return undefined
  const { rows: versions } = await sql<VersionRow>`
    select ${versionColumns} from marketplace_versions where entry_id = ${id} and number = ${entry.version}`.execute(db)
  const { rows } = await sql<{ number: number; notes: string; checksum: string; created_at: Date }>`
    select number, notes, checksum, created_at from marketplace_versions where entry_id = ${id} order by number desc limit ${releasesMax}`.execute(
    db,
  )
  const releases = rows.map(
    (row): Release => ({ version: row.number, notes: row.notes, checksum: row.checksum, publishedAt: row.created_at }),
  )
  return versions[0] === undefined ? undefined : { entry, version: versionOf(versions[0]), releases }
}

/** What is new in the latest versions of entries. */
export async function findNotes(db: Executor, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly entry_id: string; readonly notes: string }>`
    select distinct on (entry_id) entry_id, notes from marketplace_versions where entry_id = any(${[...ids]}::uuid[])
    order by entry_id, number desc`.execute(db)
  return new Map(rows.map(({ entry_id: id, notes }) => [id, notes]))
}

/** Reports of every account, newest first. */
export async function listReports(
  db: Executor,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Report[]> {
  const { rows } = await sql<{ id: string; entry_id: string; title: string; reason: ReportReason; detail: string; created_at: Date }>`
    select r.id, r.entry_id, e.title, r.reason, r.detail, r.created_at
    from marketplace_reports r join marketplace_entries e on e.id = r.entry_id
    ${before === undefined ? sql`` : sql`where r.id < ${before}`} order by r.id desc limit ${limit}`.execute(db)
  return rows.map(({ entry_id: entryId, created_at: createdAt, ...rest }) => ({ ...rest, entryId, createdAt }))
}
