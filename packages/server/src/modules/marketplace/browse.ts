import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { tsqueryOf, queryWordsOf } from '#platform/search/fold.ts'
import { correctWords } from './correct-words.ts'
import type { EntryFilter } from './model.ts'
import { countFacets, type Facet, listEntries, type Page, type Ranked } from './public-store.ts'
import { searchEntries } from './search-entries.ts'

export interface BrowseOptions {
  readonly filter: EntryFilter
  readonly limit: number
  readonly cursor: string | undefined
}

export interface BrowsedPage {
  readonly found: readonly Ranked[]
  readonly nextCursor: string | null
  readonly facets: readonly Facet[]
}

/** How the entries of a page were found; the next page is found in the same way. */
const modes = ['popular', 'new', 'words', 'alike'] as const
type Mode = (typeof modes)[number]

const position = z.tuple([z.enum(modes), z.number(), z.uuid()])

const nothing: BrowsedPage = { found: [], nextCursor: null, facets: [] }

/** Pages of the public marketplace. */
export function createBrowsing(db: Kysely<Rows>) {
  const wantedOf = ({ filter, limit, cursor }: BrowseOptions): Page => {
    const [, score, id] = cursor === undefined ? [] : decodeCursor(cursor, position)
    return { filter, after: score === undefined || id === undefined ? undefined : { score, id }, limit: limit + 1 }
  }

  function pageIn(mode: Mode, rows: readonly Ranked[], { limit }: BrowseOptions) {
    const { data: found, nextCursor } = pageOf(rows, limit, (last) => encodeCursor([mode, last.score, last.entry.id]))
    return { found, nextCursor }
  }

  return {
    async list(sort: 'popular' | 'new', options: BrowseOptions): Promise<BrowsedPage> {
      const [rows, facets] = await Promise.all([listEntries(db, sort, wantedOf(options)), countFacets(db, options.filter)])
      return { ...pageIn(sort, rows, options), facets }
    },

    async search(text: string, options: BrowseOptions): Promise<BrowsedPage> {
      const mode = options.cursor === undefined ? undefined : decodeCursor(options.cursor, position)[0]
      const query = tsqueryOf(text)
      if (query === undefined) return nothing
      if (mode !== 'alike') {
        const { ranked, facets } = await searchEntries(db, query, wantedOf(options))
        if (ranked.length > 0 || options.cursor !== undefined) return { ...pageIn('words', ranked, options), facets }
      }
      const corrected = await correctWords(db, queryWordsOf(text))
      if (corrected === undefined) return nothing
      const { ranked, facets } = await searchEntries(db, corrected, wantedOf(options))
      return { ...pageIn('alike', ranked, options), facets }
    },
  }
}

export type Browsing = ReturnType<typeof createBrowsing>
