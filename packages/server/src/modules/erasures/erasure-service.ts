import { Fault } from '@millrace/contract'
import type { Kysely } from 'kysely'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import { errorCode } from '#platform/error-code.ts'
import { toTypeId } from '#platform/ids.ts'
import type { SealedPlace, Sealing } from '#platform/sealing/sealing.ts'
import { eraseRecords, notEnded, type Pass, type Remains, writtenMeanwhile } from './erase-records.ts'
import {
  addErased,
  type Claim,
  claimErasure,
  ClaimLost,
  type ClaimedErasure,
  dueErasures,
  endErasure,
  endPass,
  extendClaim,
  findErasure,
  insertErasure,
  type Kept,
  listErasures,
  lockRunning,
  releaseClaim,
} from './erasure-store.ts'
import { listErased } from './erased-executions.ts'
import { listUnattested, noteAttested } from './erased-record.ts'
import type { ErasedFiles, NamedFile } from './form-files.ts'
import { needlesOf, patternsOf, readValues, replaceIn } from './needles.ts'
import { countMatches, deleteCopies, formFoldersOf, hasEnded, inInputs } from './record-store.ts'
import { type SearchedTable, searchedTables } from './searched-tables.ts'
import { copies, filesTable } from './table-rules.ts'

export interface ErasuresDeps {
  readonly database: Pick<Database, 'system'>
  readonly sealing: Pick<Sealing, 'seal' | 'open'>
  /** Erases details of audit events that match one of some regular expressions of PostgreSQL. @returns how many. */
  readonly eraseEvents: (tx: Kysely<Rows>, accountId: string, patterns: readonly string[], limit: number) => Promise<number>
  readonly files: ErasedFiles
  /** Writes the digests of what remains of an ended execution to the audit log. @returns the event; undefined for an execution that is not kept. */
  readonly attest: (
    tx: Kysely<Rows>,
    of: { readonly accountId: string; readonly executionId: string; readonly erasureId: string },
  ) => Promise<string | undefined>
  /** Sends the job that erases, unless one waits already. */
  readonly send: (db: Kysely<Rows>, target: { readonly accountId: string; readonly erasureId: string }) => Promise<void>
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
const executionsAtATime = 500
/** In place of the event of an execution that is not kept any more. */
const noEvent = '00000000-0000-0000-0000-000000000000'
const dueMax = 100
/** Of one account: each pass reads all of its records. */
const runningMax = 10
/** A process that ended is replaced after that. */
const leaseMs = 60_000
const retryMs = 60_000
const retryMsMax = 60 * 60 * 1000
/** Names of files in a receipt. */
const namesMax = 20

const beingPrepared = 'It is being prepared.'

const placeOf = (id: string): SealedPlace => ({ table: 'privacy_erasures', column: 'sealed', row: id })

/** Erases the data of persons. */
export function createErasures(deps: ErasuresDeps) {
  const { database, sealing, now, newId } = deps
  const db = database.system

  const laterAt = (ms: number) => new Date(now() + ms)
  const nextAt = (attempts: number) => laterAt(Math.min(retryMs * 2 ** Math.min(attempts, 10), retryMsMax))

  /** One pass, unless another one takes place. It may be repeated at any point, and ends when another one has claimed the erasure after a stall. */
  async function erase(accountId: string, id: string, signal: AbortSignal): Promise<void> {
    const claim: Claim = { accountId, id, claim: newId() }
    const claimed = await claimErasure(db, claim, { at: new Date(now()), until: laterAt(leaseMs) })
    if (claimed === undefined) return
    const lost = new AbortController()
    // A claim that could not be extended ends, and the pass is repeated.
    const extend = () =>
      extendClaim(db, claim, laterAt(leaseMs)).catch((error: unknown) => {
        if (error instanceof ClaimLost) lost.abort(error)
      })
    const timer = setInterval(() => void extend(), leaseMs / 3)
    try {
      await continuePass(claim, claimed, AbortSignal.any([signal, lost.signal]))
    } catch (error) {
      if (error instanceof ClaimLost) return
      const isClosing = signal.aborted
      const dueAt = isClosing ? new Date(now()) : nextAt(claimed.attempts)
      await releaseClaim(db, claim, { dueAt, problem: isClosing ? undefined : problemOf(error) })
      throw error
    } finally {
      clearInterval(timer)
    }
  }

  async function continuePass(erasure: Pass['erasure'], claimed: ClaimedErasure, signal: AbortSignal): Promise<void> {
    const { waitsFor = [], searchedAt, kept, attempts } = claimed
    if (searchedAt !== undefined) return finishCopies(erasure, claimed, searchedAt)
    if (waitsFor.length > 0 && !(await hasEnded(db, erasure.accountId, waitsFor))) {
      await endPass(db, erasure, { kept, waitsFor, searchedAt, at: new Date(now()), dueAt: nextAt(attempts) })
      return
    }
    const plain = await sealing.open(db, erasure.accountId, placeOf(erasure.id), claimed.sealed)
    if (plain === undefined) throw new Error('what an erasure looks for cannot be opened')
    await searchAll({ db, erasure, needles: needlesOf(readValues(plain), erasure.id), signal, now, newId }, claimed)
  }

  /** Searches the tables. Copies and files, which are searched as a whole, are searched in the first pass and in the last one. */
  async function searchAll(pass: Pass, { includesForms, waitsFor, kept: keptBefore, attempts }: ClaimedErasure): Promise<void> {
    const { erasure } = pass
    const kept: Kept[] = []
    const open = new Set<string>()
    const isFiles = ({ table }: SearchedTable) => table.name === filesTable
    const tables = await searchedTables(db, { accountId: erasure.accountId, includesForms })
    // Files are deleted by the executions that name them, and what is kept of them is counted then.
    for (const searched of tables.toSorted((a, b) => Number(isFiles(a)) - Number(isFiles(b)))) {
      if (isFiles(searched)) await eraseFormFiles(pass)
      const remains = await eraseTable(pass, searched)
      kept.push(...remains.kept)
      for (const execution of remains.open) open.add(execution)
    }
    await eraseAudit(pass)
    await attestRemains(pass)
    const searchedAt = new Date(now())
    const isLeft = kept.some(({ reason }) => reason === notEnded || reason === writtenMeanwhile)
    if (waitsFor === undefined || !isLeft) kept.push(...(await eraseCopies(erasure, searchedAt)), ...(await keptFiles(pass)))
    else kept.push(...keptBefore.filter(({ table }) => table === filesTable))
    const at = new Date(now())
    if (!isLeft && !kept.some(isPreparing)) return endErasure(db, erasure, { kept, at })
    const left = { kept, waitsFor: [...open], searchedAt: isLeft ? undefined : searchedAt }
    await endPass(db, erasure, { ...left, at, dueAt: nextAt(attempts) })
  }

  /** Everything is erased but in copies that were being prepared: they are deleted once they are ready. */
  async function finishCopies(erasure: Pass['erasure'], { kept, attempts }: ClaimedErasure, searchedAt: Date): Promise<void> {
    const preparing = await eraseCopies(erasure, searchedAt)
    const left = [...kept.filter((each) => !isPreparing(each)), ...preparing]
    const at = new Date(now())
    if (preparing.length === 0) return endErasure(db, erasure, { kept: left, at })
    await endPass(db, erasure, { kept: left, waitsFor: [], searchedAt, at, dueAt: nextAt(attempts) })
  }

  async function eraseAudit({ erasure, needles, signal }: Pass): Promise<void> {
    const patterns = patternsOf(needles)
    for (let records = eventsAtATime; records === eventsAtATime; ) {
      signal.throwIfAborted()
      records = await db.transaction().execute(async (tx) => {
        const erased = await deps.eraseEvents(tx, erasure.accountId, patterns, eventsAtATime)
        if (erased > 0) await addErased(tx, erasure, { table: 'audit_events', records: erased, at: new Date(now()) })
        return erased
      })
    }
  }

  async function eraseCopies(erasure: Pass['erasure'], until: Date): Promise<readonly Kept[]> {
    const kept: Kept[] = []
    for (const copy of copies) {
      const { preparing } = await db.transaction().execute(async (tx) => {
        const done = await deleteCopies(tx, erasure.accountId, copy, until)
        if (done.deleted > 0) await addErased(tx, erasure, { table: copy.table, records: done.deleted, at: new Date(now()) })
        return done
      })
      if (preparing > 0) kept.push({ table: copy.table, records: preparing, reason: beingPrepared })
    }
    return kept
  }

  /** The audit log attests from now on what the erasure left of executions. */
  async function attestRemains({ erasure, signal }: Pass): Promise<void> {
    for (let left = executionsAtATime; left === executionsAtATime; ) {
      const executions = await listUnattested(db, erasure, executionsAtATime)
      left = executions.length
      for (const executionId of executions) {
        signal.throwIfAborted()
        await db.transaction().execute(async (tx) => {
          const event = await deps.attest(tx, { accountId: erasure.accountId, executionId, erasureId: erasure.id })
          await noteAttested(tx, erasure, { executionId, event: event ?? noEvent })
        })
      }
    }
  }

  /** Deletes the files that were sent with entries of start forms whose execution had the data in its input. */
  async function eraseFormFiles({ erasure, signal }: Pass): Promise<void> {
    for await (const executions of erasedExecutions(erasure)) {
      const withInput = executions.filter(({ isInput }) => isInput).map(({ executionId }) => executionId)
      for (const folder of await formFoldersOf(db, erasure.accountId, withInput)) {
        signal.throwIfAborted()
        await db.transaction().execute(async (tx) => {
          const records = await deps.files.removeForm(tx, erasure.accountId, folder)
          if (records > 0) await addErased(tx, erasure, { table: filesTable, records, at: new Date(now()) })
        })
      }
    }
  }

  async function* erasedExecutions(erasure: Pass['erasure']) {
    for (let after: string | undefined; ; ) {
      const page = await listErased(db, erasure, { after, limit: executionsAtATime })
      yield page
      after = page.at(-1)?.executionId
      if (page.length < executionsAtATime) return
    }
  }

  /** The ids of those files that executions which had the data have written, or have in their input. */
  async function filesOfErased(erasure: Claim, files: readonly NamedFile[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    if (files.length === 0) return found
    const byWriter = Map.groupBy(files, ({ writtenBy }) => writtenBy)
    const byName = Map.groupBy(files, ({ name }) => JSON.stringify(name))
    for await (const page of erasedExecutions(erasure)) {
      signal.throwIfAborted()
      const executions = page.map(({ executionId }) => executionId)
      const texts = [...byName].filter(([, named]) => !named.every(({ id }) => found.has(id))).map(([text]) => text)
      const named = await inInputs(db, erasure.accountId, { executions, texts })
      const written = executions.flatMap((id) => byWriter.get(`execution:${toTypeId('exec', id)}`) ?? [])
      for (const { id } of [...written, ...named.flatMap((text) => byName.get(text) ?? [])]) found.add(id)
    }
    return found
  }

  /** Other files are not changed: their owners decide what becomes of them. */
  async function keptFiles({ erasure, needles, signal }: Pass): Promise<readonly Kept[]> {
    const { matching, unreadable, unsearched } = await deps.files.search(erasure.accountId, needles, signal)
    const ofErased = await filesOfErased(erasure, unreadable, signal)
    const isOfErased = ({ id }: NamedFile) => ofErased.has(id)
    const kept = (reason: string, files: readonly NamedFile[]): readonly Kept[] => {
      if (files.length === 0) return []
      const named = files.slice(0, namesMax).map(({ id, name }) => ({ id, name: replaceIn(name, needles) }))
      return [{ table: filesTable, records: files.length, reason, files: named }]
    }
    return [
      ...kept('In the content of files: delete them, or replace them.', matching),
      ...kept('Of runs that had the data, and no text that can be searched: look into them.', unreadable.filter(isOfErased)),
      ...kept(
        'Pictures, archives and other files that cannot be searched: look into those that can be of the person.',
        unreadable.filter((file) => !isOfErased(file)),
      ),
      ...kept('Too large to be searched: look into them.', unsearched),
    ]
  }

  return {
    erase,

    /** Fault `conflict` while too many of the account have not ended their first pass. Those that wait for executions are not counted. */
    async request(tx: Tx, accountId: string, { values, reason, includesForms, by }: ErasureRequest) {
      if ((await lockRunning(tx, accountId)) >= runningMax)
        throw new Fault('conflict', { detail: `${runningMax} erasures are running. Wait until one of them has searched everything.` })
      const id = newId()
      const sealed = await sealing.seal(tx, accountId, placeOf(id), Buffer.from(JSON.stringify(values)))
      const given = values.length
      const erasure = await insertErasure(tx, accountId, {
        id,
        sealed,
        given,
        reason,
        includesForms,
        at: new Date(now()),
        dueAt: laterAt(retryMs),
        by,
      })
      await deps.send(tx, { accountId, erasureId: id })
      return erasure
    },

    async get(tx: Tx, accountId: string, id: string) {
      const erasure = await findErasure(tx, accountId, id)
      if (erasure === undefined) throw new Fault('not_found', { detail: 'There is no such erasure.' })
      return erasure
    },

    list: listErasures,

    /** Sends the jobs of erasures that wait, that failed, and those whose process ended. */
    async continueDue(): Promise<void> {
      for (const { accountId, id } of await dueErasures(db, new Date(now()), dueMax)) await deps.send(db, { accountId, erasureId: id })
    },
  }
}

async function eraseTable(pass: Pass, { table, rule, accountId }: SearchedTable): Promise<Remains> {
  if (rule.kind !== 'keep') return eraseRecords(pass, { table, accountId }, rule.kind)
  const { total } = await countMatches(pass.db, table, { accountId, needles: pass.needles })
  return { kept: total === 0 ? [] : [{ table: table.name, records: total, reason: rule.reason }], open: [] }
}

const isPreparing = ({ reason }: Kept) => reason === beingPrepared

/** Without the message, which can contain the data. */
function problemOf(error: unknown): string {
  const code = errorCode(error)
  return `The last attempt failed${code === undefined ? '' : ` (${code})`}. It is repeated, and the log of the server says why.`
}
