import {
  type AuditFinding,
  checkAnchor,
  type CheckDeps,
  createDayCheck,
  type DayReport,
  type NoteKey,
  type StoredDay,
} from '@millrace/contract/transparency'
import type { Kysely } from 'kysely'
import type { Database, Tx } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { TimeStampReport } from '#platform/time-stamp/verify-time-stamp.ts'
import { type EvidenceKeys, noteKeyOf, sha256, verifyEd25519 } from './evidence-keys.ts'
import { anchorOf } from '#modules/audit/anchoring/anchorer.ts'
import { type DayRow, findDay, findNextDay, listCheckpoints, listDays, listLeaves, listUnlogged } from './log-store.ts'
import { linkTo, logName } from './sequencer.ts'

/** A day that was verified, with what others state about it. */
export interface VerifiedDay extends DayReport {
  /** Null for a day without an anchor. */
  readonly anchor: DayAnchor | null
}

/** The newest anchored checkpoint of a day. */
export interface DayAnchor {
  /** Leaves of the day that it covers. */
  readonly size: number
  /** Witnesses of the configuration whose co-signatures are right, with the time that each states. */
  readonly witnesses: readonly { readonly name: string; readonly at: Date }[]
  readonly isStamped: boolean
  /** The time of a stamp that was verified: it covers the anchor log, and its certificate chains to a trusted certificate. */
  readonly stampedAt: Date | undefined
}

/** The result of a verification: what was checked, and what does not match. */
export interface Verification {
  readonly verified: boolean
  readonly days: readonly VerifiedDay[]
  /** Where the next request continues; undefined at the end. */
  readonly continueFrom: string | undefined
}

export interface LogVerifier {
  /** One day; undefined when the log has no such day and nothing points to it. */
  day(accountId: string, date: string): Promise<VerifiedDay | undefined>
  /** Days from `from` on, until a bounded number of leaves was checked. */
  days(accountId: string, from: string | undefined): Promise<Verification>
}

export interface LogVerifierDeps {
  readonly database: Pick<Database, 'system'>
  readonly keys: Pick<EvidenceKeys, 'all'>
  /** The keys of the witnesses of the configuration. */
  readonly witnesses: readonly NoteKey[]
  /** Verifies a time stamp over a text against the trusted authorities; undefined without any. */
  readonly verifyStamp: DayDeps['verifyStamp']
  /** Leaves after which a request ends with the day that it is at. */
  readonly leavesMax?: number
}

const pageSize = 1_000
/** Verifications of this process at a time: each occupies a connection for as long as it computes. */
const verificationsMax = 2
const daysMax = 31
const firstDate = '0001-01-01'
const unloggedMax = 100

export function createLogVerifier({ database, keys, witnesses, verifyStamp, leavesMax = 50_000 }: LogVerifierDeps): LogVerifier {
  const inTurn = createTurns(verificationsMax)

  /** One snapshot, since the log grows while it is read. The keys are read before: a transaction must not wait for a second connection. */
  const snapshot = <T>(work: (tx: Tx, deps: DayDeps) => Promise<T>) =>
    inTurn(async () => {
      const deps = { ...(await checkDeps(keys)), witnesses, verifyStamp }
      return database.system
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((tx) => work(tx, deps))
    })

  return {
    day: (accountId, date) =>
      snapshot(async (tx, deps) => {
        const row = await findDay(tx, accountId, date)
        return row === undefined ? missingDay(tx, accountId, date) : checkDay(tx, deps, row, await boundsOf(tx, row))
      }),

    days: (accountId, from) =>
      snapshot(async (tx, deps) => {
        const rows = await listDays(tx, accountId, from ?? firstDate, daysMax + 1)
        const reports: VerifiedDay[] = []
        let leaves = 0
        for (const [index, row] of rows.entries()) {
          if (index === daysMax || leaves >= leavesMax) return verificationOf(reports, row.day)
          const gap = from === undefined || index > 0 ? await gapBefore(tx, row) : undefined
          if (gap !== undefined) reports.push(gap)
          reports.push(await checkDay(tx, deps, row, await boundsOf(tx, row)))
          leaves += row.size
        }
        if (rows.length === 0) reports.push(...(await withoutLog(tx, accountId)))
        return verificationOf(reports, undefined)
      }),
  }
}

/** Runs at most `max` pieces of work at a time; others wait in the order of their arrival. */
function createTurns(max: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

async function checkDeps(keys: Pick<EvidenceKeys, 'all'>): Promise<CheckDeps> {
  const known = (await keys.all()).filter(({ purpose }) => purpose === 'checkpoint')
  return { hash: sha256, keys: known.map(noteKeyOf), verifySignature: verifyEd25519 }
}

function verificationOf(days: readonly VerifiedDay[], continueFrom: string | undefined): Verification {
  return { verified: days.every(({ findings }) => findings.length === 0), days, continueFrom }
}

/** What the days of a verification are checked with. */
interface DayDeps extends CheckDeps {
  readonly witnesses: readonly NoteKey[]
  readonly verifyStamp: ((token: string, text: string) => Promise<TimeStampReport>) | undefined
}

interface Bounds {
  /** The time from which events that are not in the log are counted to this day; undefined for the first day. */
  readonly from: Date | undefined
  readonly next: DayRow | undefined
}

/** Events before the first day and between two days are counted to the day before them, so that each is looked for once. */
async function boundsOf(tx: Kysely<Rows>, row: DayRow): Promise<Bounds> {
  return {
    from: row.previous_day === null ? undefined : startOf(row.day),
    next: await findNextDay(tx, row.account_id, row.day),
  }
}

async function checkDay(tx: Kysely<Rows>, deps: DayDeps, row: DayRow, { from, next }: Bounds): Promise<VerifiedDay> {
  const stored = await storedDay(tx, row)
  const check = createDayCheck(deps, stored)
  for (let index = 0; ; ) {
    const leaves = await listLeaves(tx, row.account_id, row.day, { from: index, limit: pageSize })
    for (const leaf of leaves) check.add(leaf)
    const last = leaves.at(-1)
    if (last === undefined || leaves.length < pageSize) break
    index = last.index + 1
  }
  const report = check.finish()
  const unlogged = await listUnlogged(tx, row.account_id, from, next === undefined ? undefined : startOf(next.day), unloggedMax)
  const inserted = unlogged.map(
    ({ id, event }): AuditFinding => ({
      kind: 'row_inserted',
      index: null,
      event: id,
      detail: `The row (${event}) exists, and was not written through the log.`,
    }),
  )
  const linked = next === undefined ? [] : linkFindings(row, next)
  const { anchor, wrong } = await anchorReport(tx, deps, row, stored)
  const findings = [...report.findings, ...linked, ...wrong, ...inserted]
  return { ...report, anchor, findings, truncated: report.truncated || unlogged.length === unloggedMax }
}

/** Who can write the database and sign another history cannot make the co-signatures of witnesses, nor remove what they have seen. */
async function anchorReport(tx: Kysely<Rows>, deps: DayDeps, { account_id: accountId, day }: DayRow, { checkpoints }: StoredDay) {
  const proof = await anchorOf(tx, accountId, day)
  if (proof === null) return { anchor: null, wrong: [] }
  const claims = new Set(proof.cosignatures.map(nameOfSigner))
  const claimed = deps.witnesses.filter(({ name }) => claims.has(name))
  const { problem, witnesses } = checkAnchor(deps, proof, checkpoints, claimed)
  const { timeStamp, note } = proof
  const stamp = timeStamp === null ? undefined : await deps.verifyStamp?.(timeStamp, note)
  const anchor = { size: proof.size, witnesses, isStamped: timeStamp !== null, stampedAt: stamp?.at }
  const problems = [problem, stamp?.problem].filter((one) => one !== undefined)
  const wrong = problems.map((detail): AuditFinding => ({ kind: 'anchor_invalid', index: null, event: null, detail }))
  return { anchor, wrong }
}

/** A line of a signature is a dash, the name of its key, and the signature. */
function nameOfSigner(line: string): string {
  return line.split(' ')[1] ?? ''
}

export async function storedDay(tx: Kysely<Rows>, row: DayRow): Promise<StoredDay> {
  const { account_id: accountId, day, size, root, previous_day: date, previous_size: previousSize, previous_root: previousRoot } = row
  return {
    log: logName(accountId),
    date: day,
    previous:
      date === null || previousSize === null || previousRoot === null
        ? null
        : linkTo({ day: date, size: previousSize, root: previousRoot }),
    size,
    root,
    signedSize: row.signed_size,
    signedCount: row.signed_count,
    checkpoints: await listCheckpoints(tx, accountId, day),
  }
}

/** The next day's first leaf states this day: a day that was cut short or rewritten as a whole is found by it. */
function linkFindings(row: DayRow, next: DayRow): readonly AuditFinding[] {
  const isLinked = next.previous_day === row.day && next.previous_size === row.size && next.previous_root?.equals(row.root) === true
  if (isLinked || next.previous_day !== row.day) return []
  const detail = `The first leaf of ${next.day} states ${next.previous_size} leaves and another root for ${row.day}, which has ${row.size} leaves now.`
  return [{ kind: 'day_changed', index: null, event: null, detail }]
}

/** A finding when the day that this one states as its predecessor does not exist. */
async function gapBefore(tx: Kysely<Rows>, row: DayRow): Promise<VerifiedDay | undefined> {
  if (row.previous_day === null || (await findDay(tx, row.account_id, row.previous_day)) !== undefined) return undefined
  return missing(
    row.previous_day,
    `The first leaf of ${row.day} states ${row.previous_size} leaves on ${row.previous_day}; that day does not exist.`,
  )
}

async function missingDay(tx: Kysely<Rows>, accountId: string, date: string): Promise<VerifiedDay | undefined> {
  const next = await findNextDay(tx, accountId, date)
  if (next?.previous_day === date) return gapBefore(tx, next)
  const unlogged = await listUnlogged(tx, accountId, startOf(date), new Date(startOf(date).getTime() + 86_400_000), unloggedMax)
  return unlogged.length === 0 ? undefined : { ...missing(date, `The log has no day ${date}, and events of that day exist.`) }
}

/** Without any day there must be no event that was logged. */
async function withoutLog(tx: Kysely<Rows>, accountId: string): Promise<readonly VerifiedDay[]> {
  const unlogged = await listUnlogged(tx, accountId, undefined, undefined, 1)
  return unlogged.length === 0 ? [] : [missing(firstDate, 'The log of this account does not exist, and events of the account do.')]
}

function missing(date: string, detail: string): VerifiedDay {
  return {
    date,
    leaves: 0,
    checkpoints: 0,
    erased: 0,
    root: '',
    anchor: null,
    findings: [{ kind: 'day_missing', index: null, event: null, detail }],
    truncated: false,
  }
}

function startOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`)
}
