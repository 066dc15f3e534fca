import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { EntryFilter } from './model.ts'
import { countFacets, type Facet, listEntries, type Page, type Ranked, searchAlike, searchEntries } from './public-store.ts'

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

/** Pages of the public marketplace. */
export function createBrowsing(db: Kysely<Rows>) {
  async function page(mode: Mode, find: (page: Page) => Promise<readonly Ranked[]>, { filter, limit, cursor }: BrowseOptions) {
    const [, score, id] = cursor === undefined ? [] : decodeCursor(cursor, position)
    const after = score === undefined || id === undefined ? undefined : { score, id }
    const rows = await find({ filter, after, limit: limit + 1 })
    return pageOf(rows, limit, (last) => encodeCursor([mode, last.score, last.entry.id]))
  }

  return {
    async list(sort: 'popular' | 'new', options: BrowseOptions): Promise<BrowsedPage> {
      const { data: found, nextCursor } = await page(sort, (wanted) => listEntries(db, sort, wanted), options)
      return { found, nextCursor, facets: await countFacets(db, options.filter, undefined) }
    },

    async search(text: string, options: BrowseOptions): Promise<BrowsedPage> {
      const mode = options.cursor === undefined ? undefined : decodeCursor(options.cursor, position)[0]
      const exact = mode === 'alike' ? undefined : await page('words', (wanted) => searchEntries(db, text, wanted), options)
      if (exact !== undefined && (exact.data.length > 0 || options.cursor !== undefined))
        return { found: exact.data, nextCursor: exact.nextCursor, facets: await countFacets(db, options.filter, text) }
      const { data: found, nextCursor } = await page('alike', (wanted) => searchAlike(db, text, wanted), options)
      return { found, nextCursor, facets: [] }
    },
  }
}

export type Browsing = ReturnType<typeof createBrowsing>
