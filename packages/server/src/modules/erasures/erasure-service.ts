import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { SealedPlace, Sealing } from '#platform/sealing/sealing.ts'
import { describeTables, type DescribedTable } from './describe-tables.ts'
import { eraseRecords, type Pass } from './erase-records.ts'
import { addErased, endPass, findErasure, findOpen, type Kept, insertErasure, listErasures, stalledErasures } from './erasure-store.ts'
import { needlesOf, replaceIn } from './needles.ts'
import { countMatches, deleteAllBut } from './record-store.ts'
import { copies, developmentTables, formTables, ruleOf } from './table-rules.ts'

export interface ErasuresDeps {
  readonly database: Pick<Database, 'system'>
  readonly sealing: Pick<Sealing, 'seal' | 'open'>
  /** Erases details of audit events that contain one of some texts in lower case. @returns how many. */
  readonly eraseEvents: (tx: Kysely<Rows>, accountId: string, texts: readonly string[], limit: number) => Promise<number>
  /** Searches the contents of the files of an account for texts in lower case. */
  readonly searchFiles: (
    accountId: string,
    texts: readonly string[],
    signal: AbortSignal,
  ) => Promise<{ readonly matching: readonly string[]; readonly unsearched: readonly string[] }>
  /** Sends the job that erases, in the transaction of the request. */
  readonly send: (tx: Tx, target: { readonly accountId: string; readonly erasureId: string }) => Promise<void>
  readonly now: () => number
  readonly newId: () => string
}

export interface ErasureRequest {
  readonly values: readonly string[]
  readonly reason: string | undefined
  readonly includesForms: boolean
  readonly by: string
}

export type Erasures = ReturnType<typeof createErasures>

const eventsAtATime = 200
const stalledMs = 60_000
const stalledMax = 20
/** Names of files in a receipt. */
const namesMax = 20

const placeOf = (id: string): SealedPlace => ({ table: 'privacy_erasures', column: 'sealed', row: id })

/** Erases the data of persons. */
export function createErasures(deps: ErasuresDeps) {
  const { database, sealing, now, newId } = deps
  const db = database.system

  /** One pass over everything. It may be repeated at any point. */
  async function erase(accountId: string, id: string, signal: AbortSignal): Promise<void> {
    const open = await findOpen(db, accountId, id)
    if (open === undefined) return
    const plain = await sealing.open(db, accountId, placeOf(id), open.sealed)
    if (plain === undefined) throw new Error('what an erasure looks for cannot be opened')
    const needles = needlesOf(readValues(plain), id)
    const pass: Pass = { db, erasure: { accountId, id }, needles, signal, now }
    const kept: Kept[] = []
    const others = new Set([...(open.includesForms ? formTables : []), ...developmentTables])
    for (const table of await describeTables(db)) kept.push(...(await eraseTable(pass, table, others.has(table.name))))
    await eraseAudit(pass)
    kept.push(...(await eraseCopies(pass)), ...(await keptFiles(pass)))
    const isDone = !kept.some(({ reason }) => isTemporary(reason))
    await db.transaction().execute((tx) => endPass(tx, pass.erasure, { kept, isDone, at: new Date(now()) }))
  }

  async function eraseAudit({ erasure, needles, signal }: Pass): Promise<void> {
    const texts = needles.map(({ text }) => text)
    for (let records = eventsAtATime; records === eventsAtATime; ) {
      signal.throwIfAborted()
      records = await db.transaction().execute(async (tx) => {
        const erased = await deps.eraseEvents(tx, erasure.accountId, texts, eventsAtATime)
        if (erased > 0) await addErased(tx, erasure, { table: 'audit_events', records: erased, at: new Date(now()) })
        return erased
      })
    }
  }

  async function eraseCopies({ erasure }: Pass): Promise<readonly Kept[]> {
    const kept: Kept[] = []
    for (const { table, kept: exception } of copies) {
      const { remaining } = await db.transaction().execute(async (tx) => {
        const done = await deleteAllBut(tx, erasure.accountId, table, exception)
        if (done.deleted > 0) await addErased(tx, erasure, { table, records: done.deleted, at: new Date(now()) })
        return done
      })
      if (remaining > 0 && exception.reason !== undefined) kept.push({ table, records: remaining, reason: exception.reason })
    }
    return kept
  }

  /** Files are not changed: their owners decide what becomes of them. */
  async function keptFiles({ erasure, needles, signal }: Pass): Promise<readonly Kept[]> {
    const texts = needles.map(({ text }) => text)
    const { matching, unsearched } = await deps.searchFiles(erasure.accountId, texts, signal)
    const named = (names: readonly string[]) => {
      const shown = names.slice(0, namesMax).map((name) => replaceIn(name, needles))
      return names.length > namesMax ? `${shown.join(', ')}, …` : shown.join(', ')
    }
    const table = 'account_files'
    return [
      ...(matching.length === 0
        ? []
        : [{ table, records: matching.length, reason: `In the content of files: delete them, or replace them. ${named(matching)}` }]),
      ...(unsearched.length === 0
        ? []
        : [{ table, records: unsearched.length, reason: `Too large to be searched: look into them. ${named(unsearched)}` }]),
    ]
  }

  return {
    erase,

    async request(tx: Tx, accountId: string, { values, reason, includesForms, by }: ErasureRequest) {
      const id = newId()
      const sealed = await sealing.seal(tx, accountId, placeOf(id), Buffer.from(JSON.stringify(values)))
      const given = values.length
      const erasure = await insertErasure(tx, accountId, { id, sealed, given, reason, includesForms, at: new Date(now()), by })
      await deps.send(tx, { accountId, erasureId: id })
      return erasure
    },

    async get(tx: Tx, accountId: string, id: string) {
      const erasure = await findErasure(tx, accountId, id)
      if (erasure === undefined) throw new Fault('not_found', { detail: 'There is no such erasure.' })
      return erasure
    },

    list: listErasures,

    /** Continues erasures that wait for executions, and those whose process ended. */
    async continueStalled(signal: AbortSignal): Promise<void> {
      const since = new Date(now() - stalledMs)
      for (const { accountId, id } of await stalledErasures(db, since, stalledMax)) await erase(accountId, id, signal)
    },
  }
}

async function eraseTable(pass: Pass, table: DescribedTable, isOther: boolean): Promise<readonly Kept[]> {
  if (table.texts.length === 0 || table.key.length === 0) return []
  if (isOther) return eraseRecords(pass, table, 'delete')
  const rule = ruleOf(table.name)
  if (!table.hasAccount || rule.kind === 'skip') return []
  if (rule.kind !== 'keep') return eraseRecords(pass, table, rule.kind)
  const { total } = await countMatches(pass.db, table, { accountId: pass.erasure.accountId, needles: pass.needles })
  return total === 0 ? [] : [{ table: table.name, records: total, reason: rule.reason }]
}

/** Whether a later pass can erase the records. */
const isTemporary = (reason: string) =>
  reason === 'The execution has not ended.' || reason === 'It is being prepared.' || reason === 'Written while the data was being erased.'

function readValues(plain: Buffer): readonly string[] {
  const values: unknown = JSON.parse(plain.toString('utf8'))
  return Array.isArray(values) ? values.map(String) : []
}
