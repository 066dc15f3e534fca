import { sql } from 'kysely'
import type { Parameter, Permissions } from '#modules/workflows/index.ts'
import type { Category, Entry, EntryState, EntryVersion, Licence } from './model.ts'

export interface EntryRow {
  readonly id: string
  readonly account_id: string
  readonly title: string
  readonly summary: string
  readonly author: string
  readonly category: Category
  readonly tags: string[]
  readonly licence: Licence
  readonly version: number
  readonly state: EntryState
  readonly reason: string | null
  readonly rating_sum: number
  readonly rating_count: number
  readonly import_count: number
  readonly popularity: number
  readonly created_at: Date
  readonly updated_at: Date
}

export interface VersionRow {
  readonly number: number
  readonly definition: string
  readonly source: string
  readonly checksum: string
  readonly readme: string
  readonly drawing: string
  readonly notes: string
  readonly parameters: string
  readonly permissions: string
  readonly created_at: Date
}

export const entryColumns = sql`id, account_id, title, summary, author, category, tags, licence, version, state, reason, rating_sum,
  rating_count, import_count, popularity, created_at, updated_at`

export const versionColumns = sql`number, definition::text as definition, source, checksum, readme, drawing, notes,
  parameters::text as parameters, permissions::text as permissions, created_at`

export function entryOf(row: EntryRow): Entry {
  const { id, title, summary, author, category, tags, licence, version, state, popularity } = row
  return {
    id,
    accountId: row.account_id,
    title,
    summary,
    author,
    category,
    tags,
    licence,
    version,
    state,
    reason: row.reason ?? undefined,
    ratingSum: row.rating_sum,
    ratingCount: row.rating_count,
    importCount: row.import_count,
    popularity,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function versionOf({ definition, parameters, permissions, created_at: createdAt, ...rest }: VersionRow): EntryVersion {
  return {
    ...rest,
    json: definition,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only parameters, written by entry-store.ts.
    parameters: JSON.parse(parameters) as readonly Parameter[],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only permissions, written by entry-store.ts; older ones name no connections.
    permissions: { connections: [], ...(JSON.parse(permissions) as Omit<Permissions, 'connections'>) },
    createdAt,
  }
}
