import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { ErasedFiles, FormFile } from '#modules/erasures/form-files.ts'
import { isIn, type Needle, patternsOf } from '#modules/erasures/needles.ts'
import { countMatches, matchingFormFolders, newestMatches } from '#modules/erasures/record-store.ts'
import { type SearchedTable, searchedTables } from '#modules/erasures/searched-tables.ts'
import { eventsTable, filesTable } from '#modules/erasures/table-rules.ts'
import { boundedQueries, type RunQuery, type SearchTime } from './bounded-queries.ts'
import { eventRecord, formFileRecord, type PersonEvent, type PersonRecord, personRecord } from './person-record.ts'

/** Records of one table with the data of a person. */
export interface FoundCategory {
  readonly table: string
  /** What an erasure would do with them. */
  readonly action: 'replace' | 'delete' | 'keep'
  /** Why they would be kept. */
  readonly reason: string | undefined
  readonly total: number
  /** The newest of them. */
  readonly records: readonly PersonRecord[]
}

export interface FoundPerson {
  readonly categories: readonly FoundCategory[]
  /** Files that were sent with start forms of the person: an erasure deletes them. */
  readonly formFiles: readonly FormFile[]
}

/** Events of the audit log whose address or details match one of some regular expressions of PostgreSQL. */
export interface PersonEvents {
  readonly count: (db: Kysely<Rows>, accountId: string, patterns: readonly string[]) => Promise<number>
  /** The newest first. */
  readonly list: (
    db: Kysely<Rows>,
    accountId: string,
    patterns: readonly string[],
    page: { readonly before: string | undefined; readonly limit: number },
  ) => Promise<readonly PersonEvent[]>
}

export interface FindPersonDeps {
  readonly db: Kysely<Rows>
  readonly files: Pick<ErasedFiles, 'ofForm'>
  readonly events: PersonEvents
  readonly now: () => number
}

export interface PersonSearch {
  readonly accountId: string
  readonly needles: readonly Needle[]
  readonly includesForms: boolean
  /** How many records of a category are named. */
  readonly limit: number
}

const foldersMax = 1_000

/** Finds what an erasure would replace, delete and keep now. Contents of files are not read. Fault `overloaded` when the time is over. */
export async function findPerson(
  { db, files, events: log, now }: FindPersonDeps,
  search: PersonSearch,
  time: SearchTime,
): Promise<FoundPerson> {
  const run = boundedQueries(db, now, time)
  const formFiles = await run((tx) => formFilesOf({ db: tx, files }, search, foldersMax))
  const categories: FoundCategory[] = []
  for (const searched of await run((tx) => searchedTables(tx, search))) {
    const found = await findIn(run, searched, search, formFiles)
    if (found.total > 0) categories.push(found)
  }
  const events = await findEvents(run, log, search)
  if (events.total > 0) categories.push(events)
  return { categories, formFiles }
}

async function findEvents(run: RunQuery, events: PersonEvents, { accountId, needles, limit }: PersonSearch): Promise<FoundCategory> {
  const patterns = patternsOf(needles)
  const total = await run((tx) => events.count(tx, accountId, patterns))
  const newest = total === 0 || limit === 0 ? [] : await run((tx) => events.list(tx, accountId, patterns, { before: undefined, limit }))
  return { table: eventsTable, action: 'replace', reason: undefined, total, records: newest.map(eventRecord) }
}

/** The files that were sent with entries of start forms whose execution has the data in its input. */
export async function formFilesOf(
  { db, files }: Pick<FindPersonDeps, 'db' | 'files'>,
  { accountId, needles }: Pick<PersonSearch, 'accountId' | 'needles'>,
  limit: number,
): Promise<readonly FormFile[]> {
  const found: FormFile[] = []
  for (const folder of await matchingFormFolders(db, { accountId, needles }, limit))
    found.push(...(await files.ofForm(db, accountId, folder)))
  return found
}

/** The category of the files of start forms. */
export function formFilesCategory(files: readonly FormFile[], limit: number): FoundCategory {
  const records = files.slice(0, limit).map(formFileRecord)
  return { table: filesTable, action: 'delete', reason: undefined, total: files.length, records }
}

/** Files that are deleted with a start form are not counted among those that are kept. */
async function findIn(
  run: RunQuery,
  { table, rule, accountId }: SearchedTable,
  { needles, limit }: PersonSearch,
  formFiles: readonly FormFile[],
): Promise<FoundCategory> {
  const deleted = table.name === filesTable ? formFiles.filter(({ name }) => isIn(name, needles)) : []
  const of = { accountId, needles }
  const total = (await run((tx) => countMatches(tx, table, of))).total - deleted.length
  const newest = total <= 0 || limit === 0 ? [] : await run((tx) => newestMatches(tx, table, of, limit + deleted.length))
  const ids = new Set(deleted.map(({ id }) => id))
  const records = newest.filter(({ key }) => !ids.has(key[0] ?? '')).slice(0, limit)
  return {
    table: table.name,
    action: rule.kind,
    reason: rule.kind === 'keep' ? rule.reason : undefined,
    total,
    records: records.map((record) => personRecord(table, record)),
  }
}
