import { type Kysely, sql } from 'kysely'
import { errorCode } from '#platform/error-code.ts'
import type { Rows } from '#platform/db/rows.ts'
import { addErased, type Kept } from './erasure-store.ts'
import { noteErased } from './erased-executions.ts'
import type { DescribedTable } from './describe-tables.ts'
import { type Needle, replaceIn, replaceInJson } from './needles.ts'
import { countMatches, deleteRecord, type FoundRecord, lockMatches, openExecutions, updateRecord } from './record-store.ts'
import type { SearchedTable } from './searched-tables.ts'

export interface Pass {
  readonly db: Kysely<Rows>
  readonly erasure: { readonly accountId: string; readonly id: string }
  readonly needles: readonly Needle[]
  readonly signal: AbortSignal
  readonly now: () => number
  readonly newId: () => string
}

export interface Remains {
  readonly kept: readonly Kept[]
  /** Executions that have the data and have not ended. */
  readonly open: readonly string[]
}

/** Reasons of records that a later pass can erase. */
export const notEnded = 'The execution has not ended.'
export const writtenMeanwhile = 'Written while the data was being erased.'

const recordsAtATime = 100
/** Executions that one pass waits for; the next one finds the others. */
const openMax = 1_000

/**
 * Erases in one table, some records in one transaction with their number: what a process erased before it was killed is counted once, and the next
 * pass finds the rest. @returns what remains.
 */
export async function eraseRecords(
  pass: Pass,
  { table, accountId }: Pick<SearchedTable, 'table' | 'accountId'>,
  kind: 'replace' | 'delete',
): Promise<Remains> {
  const { db, erasure, needles, signal, now } = pass
  const before = await countMatches(db, table, { accountId, needles })
  if (before.total === 0) return { kept: [], open: [] }
  let after: readonly string[] | undefined
  do {
    signal.throwIfAborted()
    after = await db.transaction().execute(async (tx) => {
      const found = await lockMatches(tx, table, { accountId, needles }, { after, limit: recordsAtATime })
      const at = new Date(now())
      for (const record of found) {
        if (kind === 'delete') await deleteRecord(tx, table, record.key, accountId)
        else await replaceRecord(tx, pass, table, record)
      }
      if (provenTables.has(table.name))
        for (const isInput of [true, false]) {
          const executions = found.filter((record) => hasInput(table, record, needles) === isInput).flatMap((one) => one.execution ?? [])
          await noteErased(tx, erasure, { executions, isInput, at })
        }
      if (found.length > 0) await addErased(tx, erasure, { table: table.name, records: found.length, at })
      return found.length < recordsAtATime ? undefined : found.at(-1)?.key
    })
  } while (after !== undefined)
  const { total, open } = await countMatches(db, table, { accountId, needles })
  return {
    kept: [
      ...(open === 0 ? [] : [{ table: table.name, records: open, reason: notEnded }]),
      ...(total === open ? [] : [{ table: table.name, records: total - open, reason: writtenMeanwhile }]),
    ],
    open: open === 0 ? [] : await openExecutions(db, table, { accountId, needles }, openMax),
  }
}

/** What the proof of an execution is about. */
const provenTables: ReadonlySet<string> = new Set(['executions', 'journal'])

/** Whether a record is an execution whose input has the data. */
function hasInput(table: DescribedTable, { texts: { input } }: FoundRecord, needles: readonly Needle[]): boolean {
  return table.name === 'executions' && typeof input === 'string' && replaceIn(input, needles) !== input
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: a unique or a check violation. */
const refusals: ReadonlySet<string | undefined> = new Set(['23505', '23514'])

/**
 * Replaces the data in a record. Where the table refuses the marks, since another record has the same ones or since they are of another form,
 * the record gets marks of its own, and is deleted if it cannot have these either.
 */
async function replaceRecord(tx: Kysely<Rows>, { erasure, needles, newId }: Pass, table: DescribedTable, record: FoundRecord) {
  const accountId = table.hasAccount ? erasure.accountId : undefined
  const own = needles.map(({ text, token }) => ({ text, token: token.replace(/\]$/, `-${newId().slice(-8)}]`) }))
  for (const marks of [needles, own]) {
    await sql`savepoint record`.execute(tx)
    try {
      await updateRecord(tx, table, replaced(table, record, marks), accountId)
      await sql`release savepoint record`.execute(tx)
      return
    } catch (error) {
      if (!refusals.has(errorCode(error))) throw error
      await sql`rollback to savepoint record`.execute(tx)
    }
  }
  await deleteRecord(tx, table, record.key, accountId)
}

/** The changed columns alone. */
function replaced({ texts: columns }: DescribedTable, { key, texts, execution }: FoundRecord, needles: readonly Needle[]): FoundRecord {
  const changed = columns.flatMap(({ name, type }): [string, string | readonly string[]][] => {
    const value = texts[name] ?? null
    if (value === null) return []
    if (typeof value !== 'string') return [[name, value.map((item) => replaceIn(item, needles))]]
    const next = type.startsWith('json') ? replaceInJson(value, needles) : replaceIn(value, needles)
    return next === value ? [] : [[name, next]]
  })
  return { key, execution, texts: Object.fromEntries(changed) }
}
