import { holdCopies } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import { errorCode } from '#platform/error-code.ts'
import type { Rows } from '#platform/db/rows.ts'
import { addErased, type Claim, type Kept } from './erasure-store.ts'
import { noteErased } from './erased-executions.ts'
import type { DescribedTable } from './describe-tables.ts'
import { isIn, type Needle, replaceIn, replaceInJson } from './needles.ts'
import { countMatches, deleteRecord, type FoundRecord, lockMatches, openExecutions, updateRecord } from './record-store.ts'
import type { SearchedTable } from './searched-tables.ts'

export interface Pass {
  readonly db: Kysely<Rows>
  readonly erasure: Claim
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
/** A later pass cannot erase these either. */
const notReplaceable = 'The form of the record does not allow to replace the data: delete it.'

const recordsAtATime = 100
const bytesAtATime = 32 * 1024 ** 2
/** Executions that one pass waits for; the next one finds the others. */
const openMax = 1_000

/**
 * Erases in one table, some records in one transaction with their number: what a process erased before it was killed is counted once, and the next
 * pass finds the rest. @returns what remains.
 */
export async function eraseRecords(
  pass: Pass,
  of: Pick<SearchedTable, 'table' | 'accountId'>,
  kind: 'replace' | 'delete',
): Promise<Remains> {
  const { table, accountId } = of
  const { db, erasure, needles, signal, now } = pass
  const before = await countMatches(db, table, { accountId, needles })
  if (before.total === 0) return { kept: [], open: [] }
  let after: readonly string[] | undefined
  let unchanged = 0
  do {
    signal.throwIfAborted()
    const page = await db.transaction().execute(async (tx) => {
      if (provenTables.has(table.name)) await holdCopies(tx)
      const request = { after, limit: recordsAtATime, bytesMax: bytesAtATime }
      const { records: found, next } = await lockMatches(tx, table, { accountId, needles }, request)
      const at = new Date(now())
      const changed: FoundRecord[] = []
      let records = 0
      for (const record of found) {
        const left = kind === 'delete' ? await deleteRecord(tx, table, record.key, accountId) : await replaceRecord(tx, pass, of, record)
        if (left !== 'all') changed.push(record)
        if (left === 'nothing') records += 1
      }
      if (provenTables.has(table.name))
        for (const isInput of [true, false]) {
          const executions = changed.filter((record) => hasInput(table, record, needles) === isInput).flatMap((one) => one.execution ?? [])
          await noteErased(tx, erasure, { executions, isInput, at })
        }
      if (records > 0) await addErased(tx, erasure, { table: table.name, records, at })
      return { unchanged: found.length - records, next }
    })
    unchanged += page.unchanged
    after = page.next
  } while (after !== undefined)
  const { total, open } = await countMatches(db, table, { accountId, needles })
  const left = [
    { records: open, reason: notEnded },
    { records: unchanged, reason: notReplaceable },
    { records: total - open - unchanged, reason: writtenMeanwhile },
  ]
  return {
    kept: left.filter(({ records }) => records > 0).map((each) => ({ table: table.name, ...each })),
    open: open === 0 ? [] : await openExecutions(db, table, { accountId, needles }, openMax),
  }
}

/** What the proof of an execution is about. */
const provenTables: ReadonlySet<string> = new Set(['executions', 'journal'])

/** Whether a record is an execution whose input has the data. */
function hasInput(table: DescribedTable, { texts: { input } }: FoundRecord, needles: readonly Needle[]): boolean {
  return table.name === 'executions' && typeof input === 'string' && isIn(input, needles)
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: a unique or a check violation. */
const refusals: ReadonlySet<string | undefined> = new Set(['23505', '23514'])

/**
 * Replaces the data in a record. Where the table refuses the marks of the values, since another record has the same ones or since they are of
 * another form, the record gets marks of its own, and is deleted if the table refuses those too.
 * @returns how much of the data the record still contains.
 */
async function replaceRecord(
  tx: Kysely<Rows>,
  { needles, newId }: Pass,
  { table, accountId }: Pick<SearchedTable, 'table' | 'accountId'>,
  record: FoundRecord,
): Promise<'nothing' | 'some' | 'all'> {
  const own = needles.map((needle) => ({ ...needle, token: needle.token.replace(/\]$/, `-${newId().slice(-8)}]`) }))
  for (const marks of [needles, own]) {
    await sql`savepoint record`.execute(tx)
    try {
      const changes = replaced(table, record, marks)
      const isErased = await updateRecord(tx, table, changes, { accountId, needles })
      await sql`release savepoint record`.execute(tx)
      if (isErased) return 'nothing'
      return Object.keys(changes.texts).length === 0 ? 'all' : 'some'
    } catch (error) {
      if (!refusals.has(errorCode(error))) throw error
      await sql`rollback to savepoint record`.execute(tx)
    }
  }
  return deleteRecord(tx, table, record.key, accountId)
}

/** The changed columns alone. */
function replaced({ texts: columns }: DescribedTable, { key, texts, execution }: FoundRecord, needles: readonly Needle[]): FoundRecord {
  const changed = columns.flatMap(({ name, type }): [string, string | readonly string[]][] => {
    const value = texts[name] ?? null
    if (value === null) return []
    if (typeof value !== 'string') {
      const items = value.map((item) => replaceIn(item, needles))
      return items.every((item, index) => item === value[index]) ? [] : [[name, items]]
    }
    const next = type.startsWith('json') ? replaceInJson(value, needles) : replaceIn(value, needles)
    return next === value ? [] : [[name, next]]
  })
  return { key, execution, texts: Object.fromEntries(changed) }
}
