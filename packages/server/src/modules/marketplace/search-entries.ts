import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { entryColumns } from './entry-rows.ts'
import { countedMax, type Facet, facetsOfBest, type Page, type Ranked, type RankedRow, rankedOf, where } from './public-store.ts'

type Executor = Kysely<Rows>

/** Most popular entries that are looked through first, and matches among them that suffice. */
const walkedMax = 4_000
const sufficient = 100
/** Matches of an index that are compared by popularity. */
const indexedMax = 5_000
const readmesMax = 2_000

export interface Found {
  readonly ranked: readonly Ranked[]
  readonly facets: readonly Facet[]
}

/**
 * Entries that match a query of words, the best first, with their facets: of up to a thousand that match, the most popular ones. A frequent word is found among
 * the most popular entries, which costs the same however many have it; the index finds a word that is rare among them. The planner cannot choose: it does not
 * know how many entries have a word that begins like this. READMEs are read last, because they are long.
 *
 * @param query for `to_tsquery('simple', …)`
 */
export async function searchEntries(db: Executor, query: string, page: Page): Promise<Found> {
  const popular = await searchIn(db, amongPopular(query, page), query, page)
  if (popular.matches >= sufficient) return popular
  // Where fewer entries pass the filter than are looked through, all of them have been.
  if (popular.seen === walkedMax) {
    const indexed = await searchIn(db, byHead(query, page), query, page)
    if (indexed.matches >= sufficient) return indexed
  }
  return searchIn(db, byAllWords(query, page), query, page)
}

const columns = sql`id, popularity, category, licence, tags, head`

/** CTEs that end with `seen` and `matching`. */
function amongPopular(query: string, { filter }: Page): RawBuilder<unknown> {
  return sql`
    seen as materialized (
      select ${columns} from marketplace_entries where ${where(filter)} order by popularity desc, id desc limit ${walkedMax}
    ), matching as materialized (select * from seen where head @@ to_tsquery('simple', ${query}) limit ${countedMax})`
}

const bestSeen = sql`matching as materialized (select * from seen order by popularity desc, id desc limit ${countedMax})`

/** As `amongPopular`. A limit without an order keeps the planner from walking all entries by popularity. */
function byHead(query: string, { filter }: Page): RawBuilder<unknown> {
  return sql`
    seen as materialized (
      select ${columns} from marketplace_entries where head @@ to_tsquery('simple', ${query}) and ${where(filter)} limit ${indexedMax}
    ), ${bestSeen}`
}

/** Also by the words of the README, of which the limit may not leave out what the head has. */
function byAllWords(query: string, { filter }: Page): RawBuilder<unknown> {
  return sql`
    ids as materialized (
      (select id from marketplace_entries where head @@ to_tsquery('simple', ${query}) and ${where(filter)} limit ${indexedMax})
      union (select id from marketplace_entries where words @@ to_tsquery('simple', ${query}) and ${where(filter)} limit ${readmesMax})
    ), seen as materialized (select ${columns} from marketplace_entries join ids using (id)), ${bestSeen}`
}

interface Searched extends Found {
  /** How many entries were looked at, and how many of them match. */
  readonly seen: number
  readonly matches: number
}

type SearchedRow = (RankedRow | { readonly id: null }) & {
  readonly counted: string | null
  readonly seen: number
  readonly matches: number
}

/** One statement for the page and the facets, since both need the same matches. What only the README has counts least. */
async function searchIn(db: Executor, candidates: RawBuilder<unknown>, query: string, { after, limit }: Page): Promise<Searched> {
  const { rows } = await sql<SearchedRow>`
    with ${candidates}, best as materialized (
      select id, category, licence, tags,
        (greatest(ts_rank(head, to_tsquery('simple', ${query})), 0.001) * (1 + popularity / 10))::float8 as score
      from matching
    ), page as (
      select id, score from best ${after === undefined ? sql`` : sql`where (score, id) < (${after.score}, ${after.id})`}
      order by score desc, id desc limit ${limit}
    ), entries as (
      select ${entryColumns}, page.score from page join marketplace_entries using (id)
    ), facets as (select json_agg(one) as counted from (${facetsOfBest}) as one)
    select entries.*, facets.counted, (select count(*)::int from seen) as seen, (select count(*)::int from best) as matches
    from facets left join entries on true order by score desc, id desc`.execute(db)
  const [{ counted, seen, matches } = { counted: null, seen: 0, matches: 0 }] = rows
  return {
    // Without any entry on the page, the row of the facets has none.
    ranked: rows.flatMap((row) => (row.id === null ? [] : [rankedOf(row)])),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The statement makes it of facets; JSON of the database is read as text.
    facets: JSON.parse(counted ?? '[]') as readonly Facet[],
    seen,
    matches,
  }
}
