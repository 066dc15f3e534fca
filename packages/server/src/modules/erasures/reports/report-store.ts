import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export type ReportLocale = 'en' | 'ar'

/** How many records of a table a report has. */
export interface CountedTable {
  readonly table: string
  readonly records: number
}

/** Files that are not in a report and have to be looked into. */
export interface ReviewedFiles {
  readonly kind: 'unreadable' | 'too_large' | 'left_out'
  readonly count: number
  /** Some of them. */
  readonly files: readonly { readonly id: string; readonly name: string }[]
}

export interface Report {
  readonly id: string
  readonly state: 'preparing' | 'ready' | 'failed'
  readonly given: number
  readonly note: string | undefined
  readonly locale: ReportLocale
  readonly failure: string | undefined
  /** Undefined until the records were counted. */
  readonly found: readonly CountedTable[] | undefined
  readonly review: readonly ReviewedFiles[]
  readonly done: number
  readonly fileId: string | undefined
  readonly bytes: number | undefined
  readonly sha256: string | undefined
  readonly createdAt: Date
  readonly createdBy: string
  readonly expiresAt: Date
}

/** A report that is being made, with what it looks for. */
export interface OpenReport extends Report {
  readonly sealed: Buffer
  readonly includesForms: boolean
}

interface Row {
  readonly id: string
  readonly state: Report['state']
  readonly sealed: Buffer | null
  readonly given: number
  readonly note: string | null
  readonly locale: ReportLocale
  readonly includes_forms: boolean
  readonly failure: string | null
  readonly found: readonly CountedTable[] | null
  readonly review: readonly ReviewedFiles[]
  readonly done: number
  readonly file_id: string | null
  readonly bytes: string | null
  readonly sha256: string | null
  readonly created_at: Date
  readonly created_by: string
  readonly expires_at: Date
}

const columns = sql`id, state, sealed, given, note, locale, includes_forms, failure, found, review, done, file_id, bytes::text, sha256, created_at,
  created_by, expires_at`

export interface NewReport extends Pick<Report, 'id' | 'given' | 'note' | 'locale' | 'createdAt' | 'createdBy' | 'expiresAt'> {
  readonly sealed: Buffer
  readonly includesForms: boolean
}

export async function insertReport(tx: Executor, accountId: string, report: NewReport): Promise<Report> {
  const { id, sealed, given, note, locale, includesForms, createdAt, createdBy, expiresAt } = report
  const { rows } = await sql<Row>`
    insert into privacy_reports (id, account_id, sealed, given, note, locale, includes_forms, created_at, created_by, expires_at)
    values (${id}, ${accountId}, ${sealed}, ${given}, ${note ?? null}, ${locale}, ${includesForms}, ${createdAt}, ${createdBy}, ${expiresAt})
    returning ${columns}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a report that was just written does not exist')
  return reportOf(row)
}

/** Requests for reports of one account wait for each other. @returns how many are being made. */
export async function lockPreparing(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace privacy reports'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from privacy_reports where account_id = ${accountId} and state = 'preparing'`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function findReport(db: Executor, accountId: string, id: string): Promise<Report | undefined> {
  const { rows } = await sql<Row>`select ${columns} from privacy_reports where account_id = ${accountId} and id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : reportOf(rows[0])
}

/** Begins to make a report, or continues. @returns undefined for one that is made already, that failed, or that was deleted. */
export async function beginReport(db: Executor, accountId: string, id: string, at: Date): Promise<OpenReport | undefined> {
  const { rows } = await sql<Row>`
    update privacy_reports set heartbeat_at = ${at} where account_id = ${accountId} and id = ${id} and state = 'preparing'
    returning ${columns}`.execute(db)
  const [row] = rows
  if (row === undefined || row.sealed === null) return undefined
  return { ...reportOf(row), sealed: row.sealed, includesForms: row.includes_forms }
}

export async function renewHeartbeat(db: Executor, accountId: string, id: string, at: Date): Promise<void> {
  await sql`
    update privacy_reports set heartbeat_at = ${at} where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
}

export async function listReports(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Report[]> {
  const { rows } = await sql<Row>`
    select ${columns} from privacy_reports where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(reportOf)
}

export async function saveFound(db: Executor, accountId: string, id: string, found: readonly CountedTable[]): Promise<void> {
  await sql`
    update privacy_reports set found = ${JSON.stringify(found)}::jsonb
    where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
}

export async function saveDone(db: Executor, accountId: string, id: string, done: number): Promise<void> {
  await sql`update privacy_reports set done = ${done} where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
}

export interface MadeReport {
  readonly fileId: string
  readonly bytes: number
  readonly sha256: string
  readonly found: readonly CountedTable[]
  readonly review: readonly ReviewedFiles[]
  readonly at: Date
  readonly expiresAt: Date
}

/** Ends the making of a report, and removes what was looked for. @returns false if it was deleted in the meantime. */
export async function finishReport(tx: Executor, accountId: string, id: string, made: MadeReport): Promise<boolean> {
  const { fileId, bytes, sha256, found, review, at, expiresAt } = made
  const { numAffectedRows = 0n } = await sql`
    update privacy_reports set state = 'ready', sealed = null, file_id = ${fileId}, bytes = ${bytes}, sha256 = ${sha256}, done = ${found.length},
      found = ${JSON.stringify(found)}::jsonb, review = ${JSON.stringify(review)}::jsonb, ended_at = ${at}, expires_at = ${expiresAt}
    where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(tx)
  return numAffectedRows === 1n
}

export async function failReport(db: Executor, accountId: string, id: string, failure: string, at: Date): Promise<void> {
  await sql`
    update privacy_reports set state = 'failed', sealed = null, failure = ${failure}, ended_at = ${at}
    where account_id = ${accountId} and id = ${id} and state = 'preparing'`.execute(db)
}

/**
 * Reports of all accounts that no process has been making since a time, although one had begun, and those that none has begun before they expire.
 * A report whose job waits behind others is not lost.
 */
export async function listStuckReports(
  db: Executor,
  { silentSince, now, limit }: { readonly silentSince: Date; readonly now: Date; readonly limit: number },
) {
  const { rows } = await sql<{ readonly id: string; readonly accountId: string }>`
    select id, account_id as "accountId" from privacy_reports
    where state = 'preparing' and (heartbeat_at < ${silentSince} or (heartbeat_at is null and expires_at < ${now}))
    order by created_at limit ${limit}`.execute(db)
  return rows
}

/** @returns whether there was one. */
export async function deleteReport(tx: Executor, accountId: string, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from privacy_reports where account_id = ${accountId} and id = ${id}`.execute(tx)
  return numAffectedRows === 1n
}

export async function deleteReportsOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from privacy_reports where account_id = ${accountId}`.execute(tx)
}

function reportOf(row: Row): Report {
  const { id, state, given, note, locale, failure, found, review, done, file_id, bytes, sha256, created_at, created_by, expires_at } = row
  return {
    id,
    state,
    given,
    locale,
    review,
    done,
    note: note ?? undefined,
    failure: failure ?? undefined,
    found: found ?? undefined,
    fileId: file_id ?? undefined,
    bytes: bytes === null ? undefined : Number(bytes),
    sha256: sha256 ?? undefined,
    createdAt: created_at,
    createdBy: created_by,
    expiresAt: expires_at,
  }
}
