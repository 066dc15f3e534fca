import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { dataCategories } from './categories.ts'
import { countRows } from './read-tables.ts'

/** What is kept about an account: every category with its number of records. */
export async function dataOverview(db: Kysely<Rows>, accountId: string, at: Date) {
  const categories = []
  for (const { category, description, tables, retention, isExported } of dataCategories) {
    let records = 0
    let isLowerBound = false
    for (const table of tables) {
      const counted = await countRows(db, accountId, table)
      records += counted.count
      isLowerBound ||= counted.isLowerBound
    }
    categories.push({ category, description, records, isLowerBound, retention, exported: isExported })
  }
  return { at: at.toISOString(), categories }
}
