import type { Kysely } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { Files } from '#platform/files/files.ts'
import { type Bag, writeBag } from '#platform/files/write-bag.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import type { ErasedFiles } from '#modules/erasures/form-files.ts'
import { type Needle, needlesOf, patternsOf, readValues } from '#modules/erasures/needles.ts'
import type { PersonEvents } from '#modules/erasures/persons/find-person.ts'
import { countMatches } from '#modules/erasures/record-store.ts'
import { searchedTables } from '#modules/erasures/searched-tables.ts'
import { developmentTables, eventsTable } from '#modules/erasures/table-rules.ts'
import { type BackgroundDeps, createBackground } from './background.ts'
import { addFiles, filesLines, type OpenFile, readFound } from './report-files.ts'
import { addRecords } from './report-records.ts'
import { eventLines, recordLines } from './record-lines.ts'
import {
  beginReport,
  type CountedTable,
  failReport,
  finishReport,
  type OpenReport,
  renewHeartbeat,
  saveDone,
  saveFound,
} from './report-store.ts'
import { ownerOf, placeOf, reportLifeMs } from './report-values.ts'
import { guidanceOf, reportPage } from './report-page.ts'

export interface ReportMakerDeps extends BackgroundDeps {
  readonly database: Pick<Database, 'system'>
  readonly sealing: Pick<Sealing, 'open'>
  readonly files: Pick<Files, 'put' | 'find' | 'delete' | 'makeParts' | 'openPart' | 'deleteParts'>
  readonly accountFiles: Pick<ErasedFiles, 'search' | 'ofForm'>
  readonly openFile: OpenFile
  readonly events: PersonEvents
  readonly now: () => number
}

interface Making {
  readonly accountId: string
  readonly report: OpenReport
  readonly needles: readonly Needle[]
  readonly signal: AbortSignal
}

const heartbeatMs = 60_000
const reportBytesMax = 10 * 1024 ** 3
const filesPart = 'files.json'
const partOf = (table: string) => `records/${table}.json`

/** Makes the file of a report. When an earlier attempt died, it continues after the last complete table. */
export async function makeReport(deps: ReportMakerDeps, accountId: string, id: string, signal: AbortSignal): Promise<void> {
  const { database, now } = deps
  const report = await beginReport(database.system, accountId, id, new Date(now()))
  if (report === undefined) return
  // One heartbeat that cannot be written is followed by others.
  const beat = () => renewHeartbeat(database.system, accountId, id, new Date(now())).catch(() => undefined)
  const timer = setInterval(() => void beat(), heartbeatMs)
  try {
    await makeBegun(deps, accountId, report, signal)
  } finally {
    clearInterval(timer)
  }
}

async function makeBegun(deps: ReportMakerDeps, accountId: string, report: OpenReport, signal: AbortSignal): Promise<void> {
  const { database, sealing, files, now } = deps
  const db = database.system
  const { id } = report
  const plain = await sealing.open(db, accountId, placeOf(id), report.sealed)
  if (plain === undefined) throw new Error('what a report looks for cannot be opened')
  const making = { accountId, report, needles: needlesOf(readValues(plain), id), signal }
  const found = report.found ?? (await countRecords(deps, making))
  const expiresAt = new Date(now() + reportLifeMs)
  await makeParts(deps, making, { found, expiresAt })
  const name = toTypeId('pdr', id)
  const result = Promise.withResolvers<Pick<Filled, 'counted' | 'review'>>()
  const content = writeBag({ name, mtime: report.createdAt }, async (bag) => {
    const filled = await fillBag(deps, making, { bag, found })
    result.resolve(filled)
    return {
      'Source-Organization': 'Millrace',
      'External-Identifier': name,
      'Bagging-Date': report.createdAt.toISOString().slice(0, 10),
    }
  })
  const file = { owner: ownerOf(id), name: `${name}.zip`, media: 'application/zip', bytesMax: reportBytesMax, expiresAt }
  const fileId = await files.put(accountId, file, content)
  const { counted, review } = await result.promise
  const stored = await files.find(db, accountId, fileId)
  if (stored === undefined) throw new Error('a report that was just written does not exist')
  const { bytes, sha256 } = stored
  await db.transaction().execute(async (tx) => {
    const made = { fileId, bytes, sha256, found: counted, review, at: new Date(now()), expiresAt }
    if (!(await finishReport(tx, accountId, id, made))) await files.delete(tx, accountId, fileId)
    await files.deleteParts(tx, accountId, ownerOf(id))
  })
}

/** Ends a report whose job failed for the last time. */
export async function abandonReport(
  { database, files, now }: Pick<ReportMakerDeps, 'database' | 'files' | 'now'>,
  accountId: string,
  id: string,
): Promise<void> {
  const failure = 'The report could not be made. The log of the server names the reason.'
  await failReport(database.system, accountId, id, failure, new Date(now()))
  await files.deleteParts(database.system, accountId, ownerOf(id))
}

const tablesOf = async (db: Kysely<Rows>, { accountId, report: { includesForms } }: Making) =>
  (await searchedTables(db, { accountId, includesForms })).filter(({ table }) => !developmentTables.includes(table.name))

async function countRecords({ database, events }: ReportMakerDeps, making: Making): Promise<readonly CountedTable[]> {
  const { accountId, report, needles, signal } = making
  const found: CountedTable[] = []
  for (const { table, accountId: ofAccount } of await tablesOf(database.system, making)) {
    signal.throwIfAborted()
    const { total } = await countMatches(database.system, table, { accountId: ofAccount, needles })
    if (total > 0) found.push({ table: table.name, records: total })
  }
  const records = await events.count(database.system, accountId, patternsOf(needles))
  if (records > 0) found.push({ table: eventsTable, records })
  await saveFound(database.system, accountId, report.id, found)
  return found
}

interface Plan {
  readonly found: readonly CountedTable[]
  readonly expiresAt: Date
}

/** Reads the tables that no earlier attempt has read, in one snapshot, and then the files. */
async function makeParts(deps: ReportMakerDeps, making: Making, { found, expiresAt }: Plan): Promise<void> {
  const { database, files, events, now } = deps
  const { accountId, report, needles, signal } = making
  const background = createBackground(deps, accountId)
  const tables = new Map((await tablesOf(database.system, making)).map((searched) => [partOf(searched.table.name), searched]))
  const request = {
    accountId,
    owner: ownerOf(report.id),
    expiresAt,
    signal,
    onMade: (done: number) => saveDone(database.system, accountId, report.id, Math.min(done, found.length)),
  }
  await database.system
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) =>
      files.makeParts({
        ...request,
        names: found.map(({ table }) => partOf(table)),
        readAt: new Date(now()),
        make(name) {
          const of = { db: tx, accountId, needles, background, signal }
          const searched = tables.get(name)
          return searched === undefined ? eventLines(of, events) : recordLines(of, searched)
        },
      }),
    )
  const make = () => filesLines({ db: database.system, files: deps.accountFiles, accountId, needles }, signal)
  await files.makeParts({ ...request, names: [filesPart], readAt: new Date(now()), make })
}

interface Filled {
  readonly counted: readonly CountedTable[]
  readonly review: Awaited<ReturnType<typeof addFiles>>['review']
}

async function fillBag(
  { files, openFile }: ReportMakerDeps,
  { accountId, report, signal }: Making,
  { bag, found }: { readonly bag: Bag; readonly found: readonly CountedTable[] },
): Promise<Filled> {
  const { id, locale, createdAt } = report
  const sections = []
  for (const { table } of found) {
    signal.throwIfAborted()
    const { content } = await files.openPart(accountId, ownerOf(id), partOf(table))
    sections.push(await addRecords(bag, table, content))
  }
  const { content } = await files.openPart(accountId, ownerOf(id), filesPart)
  const { added, review } = await addFiles(bag, await readFound(content), { accountId, openFile, signal })
  await bag.add('summary.html', reportPage({ id: toTypeId('pdr', id), locale, createdAt, sections, files: added }))
  await bag.add('READ-ME-FIRST.txt', guidanceOf(locale))
  const counted = sections.map(({ table, records }) => ({ table, records }))
  return { counted: added.length === 0 ? counted : [...counted, { table: 'attached_files', records: added.length }], review }
}
