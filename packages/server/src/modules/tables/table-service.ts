import { Fault, type JsonValue, rowBytesMax } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import { createFairGate } from '#platform/batching/fair-gate.ts'
import { type Columns, type DataRow, type DataTable, rowsMax, tablesMax } from './model.ts'
import {
  deleteExpiredRows,
  deleteOldCalls,
  deleteRow,
  deleteRowsOf,
  findCall,
  findRow,
  findRowEver,
  insertCall,
  countRows,
  listRows,
  lockRow,
  pageBytes,
  findRowsEver,
  putRows,
  type RowFilter,
  type RowPlace,
  type RowsWanted,
} from './row-store.ts'
import type { RowPosition } from './row-sort.ts'
import {
  deleteTable,
  findTable,
  insertTable,
  listTables,
  lockNewTables,
  lockTable,
  sizeOfTables,
  type TableFilter,
  useTable,
} from './table-store.ts'

/** Fault `quota_exceeded` if the account may not store so many bytes more. */
type StorageCheck = (executor: Kysely<Rows>, more: number) => Promise<number>

export interface TablesDeps {
  readonly database: Pick<Database, 'account' | 'system'>
  /** Reads how much the account may store, before a transaction. */
  readonly storageOf: (accountId: string) => Promise<StorageCheck>
  readonly now: () => number
}

/** Who writes a row. */
export interface Author {
  /** As `kind:id`. */
  readonly by: string
  /** Whether that is a test of a draft. */
  readonly isTest: boolean
}

/** Who writes, and how much the account may store. */
export interface Writer extends Author {
  readonly assertStorage: StorageCheck
}

/** What becomes of a row. */
export type RowChange =
  | { readonly kind: 'keep' }
  | { readonly kind: 'delete' }
  /** `expiresInMs` counts from now; undefined: the row is kept; 'same': as it is. */
  | { readonly kind: 'write'; readonly columns: Columns; readonly expiresInMs: number | 'same' | undefined }

type Decide = (before: DataRow | undefined) => RowChange

/** The row before a change and after it. */
export interface ChangedRow {
  readonly before: DataRow | undefined
  readonly after: DataRow | undefined
}

export interface ImportedRows {
  readonly rows: readonly Pick<DataRow, 'key' | 'columns'>[]
  /** Whether columns that are not given stay, as does the time at which a row is deleted. */
  readonly keepsOthers: boolean
}

export type RowFilterOf = Omit<RowFilter, 'at'>

export interface RowPage {
  readonly rows: readonly DataRow[]
  /** The row after which the next page begins; undefined on the last one. */
  readonly next: RowPosition | undefined
}

/** Writes, reads, lists and deletes the tables of accounts and their rows. */
export type Tables = ReturnType<typeof createTables>

export function createTables({ database, storageOf, now }: TablesDeps) {
  const at = () => new Date(now())
  /** Rows are searched one by one, and a changed row is waited for: neither takes the connections of the requests and executions of others. */
  const searches = createFairGate({ max: 3, maxOfKey: 2 })
  const calls = createFairGate({ max: 6, maxOfKey: 4 })

  const isSearch = ({ text, column, where, ranges, createdFrom, createdBefore, byTest, sort }: RowFilterOf) =>
    [text, column, where, ranges, createdFrom, createdBefore, byTest, sort].some((one) => one !== undefined)

  /** In a transaction of its own, when it is the turn of the account. */
  function page(accountId: string, filter: RowFilterOf, read: (tx: Tx) => Promise<RowPage>): Promise<RowPage> {
    const turns = isSearch(filter) ? searches : calls
    return turns(accountId, () => database.account(accountId, read))
  }

  /** Fault `conflict` if the account has no room for another table. */
  async function assureTable(tx: Tx, accountId: string, table: string): Promise<void> {
    if ((await findTable(tx, accountId, table)) !== undefined) return
    await lockNewTables(tx, accountId)
    if (!(await insertTable(tx, accountId, table, at()))) return
    if ((await sizeOfTables(tx, accountId)).tables > tablesMax)
      throw new Fault('conflict', { detail: `The account has ${tablesMax} tables. Delete one that is not needed.` })
  }

  /**
   * Changes one row of a table in use by what `decide` makes of it, which no other writer changes meanwhile. The first row of a table creates it. Faults `conflict` and
   * `quota_exceeded`.
   */
  async function change(tx: Tx, accountId: string, place: RowPlace, decide: Decide, writer: Writer): Promise<ChangedRow> {
    const { table, key } = place
    await lockRow(tx, accountId, place)
    const ever = await findRowEver(tx, accountId, place)
    const time = at()
    const before = ever === undefined || isOver(ever, time) ? undefined : ever
    const wanted = decide(before)
    if (wanted.kind === 'keep') return { before, after: before }
    if (wanted.kind === 'delete') {
      if (ever === undefined) return { before, after: undefined }
      await deleteRow(tx, accountId, place)
      return { before, after: undefined }
    }
    const { columns, expiresInMs } = wanted
    const bytes = bytesOf({ key, columns }, '/columns')
    const end = expiresInMs === undefined || expiresInMs === 'same' ? undefined : new Date(time.getTime() + expiresInMs)
    const after = nextRow(
      { key, columns, bytes, author: writer, at: time, expiresAt: expiresInMs === 'same' ? before?.expiresAt : end },
      ever,
    )
    const { assertStorage } = writer
    await write(tx, accountId, table, [after], { more: ever === undefined ? 1 : 0, bytes: bytes - (ever?.bytes ?? 0), assertStorage })
    return { before, after }
  }

  /** Writes rows, `more` of which are new. Faults `conflict` and `quota_exceeded` if the account has no room. */
  async function write(
    tx: Tx,
    accountId: string,
    table: string,
    rows: readonly DataRow[],
    { more, bytes, assertStorage }: Pick<Writer, 'assertStorage'> & { readonly more: number; readonly bytes: number },
  ): Promise<void> {
    if (bytes > 0) await assertStorage(tx, bytes)
    await assureTable(tx, accountId, table)
    await putRows(tx, accountId, table, rows)
    // Writers of other tables are not waited for, so they may pass the limit together by a few rows.
    if (more > 0 && (await sizeOfTables(tx, accountId)).rows > rowsMax)
      throw new Fault('conflict', { detail: `An account has at most ${rowsMax} rows in its tables. Delete some that are not needed.` })
  }

  async function pageOf(tx: Tx, accountId: string, table: string, filter: RowFilterOf): Promise<RowPage> {
    const { limit } = filter
    const found = await listRows(tx, accountId, table, { ...filter, limit: limit + 1, at: at() })
    const shown = found.slice(0, limit)
    const rows = shown.map(({ row }) => row)
    const isFull = found.length > limit || rows.reduce((sum, { bytes }) => sum + bytes, 0) >= pageBytes
    return { rows, next: isFull ? shown.at(-1)?.position : undefined }
  }

  return {
    storageOf,

    /** Changes a row of a table that exists. Faults `not_found`, `conflict` and `quota_exceeded`. */
    async changeRow(tx: Tx, accountId: string, place: RowPlace, decide: Decide, writer: Writer): Promise<ChangedRow> {
      await useTable(tx, accountId, place.table)
      present(await findTable(tx, accountId, place.table), place.table)
      return change(tx, accountId, place, decide, writer)
    },

    list: (tx: Tx, accountId: string, filter: TableFilter) => listTables(tx, accountId, filter),

    /** Fault `conflict` if the table exists, or the account has no room for another one. */
    async create(tx: Tx, accountId: string, table: string): Promise<DataTable> {
      await lockTable(tx, accountId, table)
      if ((await findTable(tx, accountId, table)) !== undefined) throw new Fault('conflict', { detail: `The table ${table} exists.` })
      await assureTable(tx, accountId, table)
      return present(await findTable(tx, accountId, table), table)
    },

    /** Deletes a table with its rows. @returns what it was. Fault `not_found`. */
    async remove(tx: Tx, accountId: string, table: string): Promise<DataTable> {
      await lockTable(tx, accountId, table)
      const found = present(await findTable(tx, accountId, table), table)
      await deleteRowsOf(tx, accountId, table)
      await deleteTable(tx, accountId, table)
      return found
    },

    /** Deletes a row. Fault `not_found` without one; `check` may refuse it. */
    async removeRow(tx: Tx, accountId: string, place: RowPlace, check: (row: DataRow) => void): Promise<void> {
      const decide = (row: DataRow | undefined) => {
        if (row === undefined) throw new Fault('not_found', { detail: 'There is no such row.' })
        check(row)
        return { kind: 'delete' } as const
      }
      await useTable(tx, accountId, place.table)
      await change(tx, accountId, place, decide, { by: '', isTest: false, assertStorage: async () => 0 })
    },

    /**
     * Writes many rows, and replaces those of the same keys; all others wait meanwhile. Of several with one key the last counts.
     * @returns how many are new. Faults `not_found`, `conflict` and `quota_exceeded`.
     */
    async importRows(tx: Tx, accountId: string, table: string, given: ImportedRows, writer: Writer): Promise<number> {
      const { assertStorage } = writer
      await lockTable(tx, accountId, table)
      present(await findTable(tx, accountId, table), table)
      const byKey = new Map(given.rows.map((row, index) => [row.key, { ...row, pointer: `/rows/${index}/columns` }]))
      const ever = await findRowsEver(tx, accountId, table, [...byKey.keys()])
      const time = at()
      const rows = [...byKey.values()].map(({ pointer, ...row }) => {
        const old = ever.get(row.key)
        const kept = given.keepsOthers && old !== undefined && !isOver(old, time) ? old : undefined
        const columns = { ...kept?.columns, ...row.columns }
        const bytes = bytesOf({ key: row.key, columns }, pointer)
        return nextRow({ key: row.key, columns, bytes, author: writer, at: time, expiresAt: kept?.expiresAt }, old)
      })
      const sum = (of: Iterable<DataRow>) => [...of].reduce((bytes, row) => bytes + row.bytes, 0)
      await write(tx, accountId, table, rows, { more: rows.length - ever.size, bytes: sum(rows) - sum(ever.values()), assertStorage })
      return rows.filter(({ createdAt }) => createdAt === time).length
    },

    /** Rows of a table; a table that does not exist is a Fault `not_found`. */
    rows(accountId: string, table: string, filter: RowFilterOf): Promise<RowPage> {
      return page(accountId, filter, async (tx) => {
        present(await findTable(tx, accountId, table), table)
        return pageOf(tx, accountId, table, filter)
      })
    },

    /** Rows of a table; one that does not exist has none. */
    rowsOf: (accountId: string, table: string, filter: RowFilterOf) =>
      page(accountId, filter, (tx) => pageOf(tx, accountId, table, filter)),

    /** How many rows of a table there are. */
    countFor: (accountId: string, table: string, wanted: Omit<RowsWanted, 'at'>) =>
      searches(accountId, () => database.account(accountId, (tx) => countRows(tx, accountId, table, { ...wanted, at: at() }))),

    /** The row, for a call of an execution. */
    findFor: (accountId: string, place: RowPlace) =>
      calls(accountId, () => database.account(accountId, (tx) => findRow(tx, accountId, place, at()))),

    /** The row, unless it does not exist or has expired. */
    find: (tx: Tx, accountId: string, place: RowPlace) => findRow(tx, accountId, place, at()),

    /** Changes a row for a call of an execution. A repetition of the call changes nothing and gives what the first one gave. */
    async once(
      accountId: string,
      place: RowPlace,
      { call, ...author }: Author & { readonly call: string },
      { decide, give }: { readonly decide: Decide; readonly give: (changed: ChangedRow) => JsonValue },
    ): Promise<JsonValue> {
      const assertStorage = await storageOf(accountId)
      const perform = async (tx: Tx) => {
        await lockRow(tx, accountId, { table: '', key: call })
        const given = await findCall(tx, accountId, call)
        if (given !== undefined) return given
        await useTable(tx, accountId, place.table)
        const output = give(await change(tx, accountId, place, decide, { ...author, assertStorage }))
        await insertCall(tx, accountId, call, output, at())
        return output
      }
      return calls(accountId, () => database.account(accountId, perform))
    },

    /** Deletes expired rows, and what calls gave that no crash repeats any more. */
    async sweep(): Promise<void> {
      const db = database.system
      for (let round = 0; round < sweepRounds; round++) if ((await deleteExpiredRows(db, at(), sweptAtATime)) < sweptAtATime) break
      const before = new Date(now() - callLifeMs)
      for (let round = 0; round < sweepRounds; round++) if ((await deleteOldCalls(db, before, sweptAtATime)) < sweptAtATime) return
    },
  }
}

const sweptAtATime = 500
const sweepRounds = 100
/** An execution that a crash has interrupted longer ago may change a row again. */
const callLifeMs = 30 * 24 * 60 * 60 * 1000

/** Columns with it cannot be searched: the character NUL, and halves of surrogate pairs. They are escaped, after an even number of backslashes. */
const unsearchable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

export const isSearchable = (columns: Columns) => !unsearchable.test(JSON.stringify(columns))

/** Bytes of a row, with its columns as JSON. Fault `request_invalid` at `pointer` if a row cannot have them. */
function bytesOf({ key, columns }: Pick<DataRow, 'key' | 'columns'>, pointer: string): number {
  const text = JSON.stringify(columns)
  const bytes = Buffer.byteLength(text)
  const invalid = (detail: string) => new Fault('request_invalid', { errors: [{ pointer, detail }] })
  if (bytes > rowBytesMax) throw invalid(`Must have at most ${rowBytesMax} bytes as JSON; these have ${bytes}.`)
  if (unsearchable.test(text)) throw invalid('Must not contain the character NUL or a half of a character.')
  return Buffer.byteLength(key) + bytes
}

type NewRow = Pick<DataRow, 'key' | 'columns' | 'bytes' | 'expiresAt'> & { readonly author: Author; readonly at: Date }

const isOver = ({ expiresAt }: DataRow, at: Date) => expiresAt !== undefined && expiresAt <= at

/** The row after the one of its key, which may have expired: no revision means two contents. */
function nextRow({ key, columns, bytes, author: { by, isTest }, at, expiresAt }: NewRow, ever: DataRow | undefined): DataRow {
  const isNew = ever === undefined || isOver(ever, at)
  const revision = (ever?.revision ?? 0) + 1
  return { key, columns, bytes, revision, writtenBy: by, byTest: isTest, createdAt: isNew ? at : ever.createdAt, updatedAt: at, expiresAt }
}

function present(table: DataTable | undefined, name: string): DataTable {
  if (table !== undefined) return table
  throw new Fault('not_found', { detail: `There is no table ${name}.` })
}
