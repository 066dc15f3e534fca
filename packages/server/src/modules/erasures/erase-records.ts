import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { addErased, type Kept } from './erasure-store.ts'
import type { DescribedTable } from './describe-tables.ts'
import { type Needle, replaceIn, replaceInJson } from './needles.ts'
import { countMatches, deleteRecord, type FoundRecord, lockMatches, updateRecord } from './record-store.ts'

export interface Pass {
  readonly db: Kysely<Rows>
  readonly erasure: { readonly accountId: string; readonly id: string }
  readonly needles: readonly Needle[]
  readonly signal: AbortSignal
  readonly now: () => number
}

const recordsAtATime = 100

/**
 * Erases in one table, some records in one transaction with their number: what a process erased before it was killed is counted once, and the next
 * pass finds the rest. @returns what remains.
 */
export async function eraseRecords(pass: Pass, table: DescribedTable, kind: 'replace' | 'delete'): Promise<readonly Kept[]> {
  const { db, erasure, needles, signal, now } = pass
  const accountId = table.hasAccount ? erasure.accountId : undefined
  const before = await countMatches(db, table, { accountId, needles })
  if (before.total === 0) return []
  let after: readonly string[] | undefined
  do {
    signal.throwIfAborted()
    after = await db.transaction().execute(async (tx) => {
      const found = await lockMatches(tx, table, { accountId, needles }, { after, limit: recordsAtATime })
      for (const record of found) {
        if (kind === 'delete') await deleteRecord(tx, table, record.key, accountId)
        else await updateRecord(tx, table, replaced(table, record, needles), accountId)
      }
      if (found.length > 0) await addErased(tx, erasure, { table: table.name, records: found.length, at: new Date(now()) })
      return found.length < recordsAtATime ? undefined : found.at(-1)?.key
    })
  } while (after !== undefined)
  const { total, open } = await countMatches(db, table, { accountId, needles })
  return [
    ...(open === 0 ? [] : [{ table: table.name, records: open, reason: 'The execution has not ended.' }]),
    ...(total === open ? [] : [{ table: table.name, records: total - open, reason: 'Written while the data was being erased.' }]),
  ]
}

/** The changed columns alone. */
function replaced({ texts: columns }: DescribedTable, { key, texts }: FoundRecord, needles: readonly Needle[]): FoundRecord {
  const changed = columns.flatMap(({ name, type }): [string, string | readonly string[]][] => {
    const value = texts[name] ?? null
    if (value === null) return []
    if (typeof value !== 'string') return [[name, value.map((item) => replaceIn(item, needles))]]
    const next = type.startsWith('json') ? replaceInJson(value, needles) : replaceIn(value, needles)
    return next === value ? [] : [[name, next]]
  })
  return { key, texts: Object.fromEntries(changed) }
}
