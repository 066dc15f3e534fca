import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export interface Kept {
  readonly table: string
  readonly records: number
  readonly reason: string
  /** Files among them by name, some if there are many. */
  readonly files?: readonly { readonly id: string; readonly name: string }[]
}

export interface Erasure {
  readonly id: string
  readonly state: 'running' | 'waiting' | 'done'
  readonly given: number
  readonly reason: string | undefined
  /** Records by table. */
  readonly erased: Readonly<Record<string, number>>
  readonly kept: readonly Kept[]
  /** Why the last pass failed. */
  readonly problem: string | undefined
  readonly requestedAt: Date
  readonly requestedBy: string
  readonly endedAt: Date | undefined
}

interface Row {
  readonly id: string
  readonly state: Erasure['state']
  readonly given: number
  readonly reason: string | null
  readonly erased: Readonly<Record<string, number>>
  readonly kept: readonly Kept[]
  readonly problem: string | null
  readonly requested_at: Date
  readonly requested_by: string
  readonly ended_at: Date | null
}

const columns = sql`id, state, given, reason, erased, kept, problem, requested_at, requested_by, ended_at`

export interface NewErasure {
  readonly id: string
  readonly sealed: Buffer
  readonly given: number
  readonly reason: string | undefined
  readonly includesForms: boolean
  readonly at: Date
  /** When it is continued if its job did not end it. */
  readonly dueAt: Date
  readonly by: string
}

/** What an erasure that is not done looks for, and what its last pass left. */
export interface ClaimedErasure {
  readonly sealed: Buffer
  readonly includesForms: boolean
  readonly kept: readonly Kept[]
  readonly attempts: number
  /** Executions that had the data and had not ended; undefined before the first pass has ended. */
  readonly waitsFor: readonly string[] | undefined
  /** When nothing but copies that were being prepared was left. */
  readonly searchedAt: Date | undefined
}

interface Target {
  readonly accountId: string
  readonly id: string
}

/** An erasure with the claim of a pass, which no other pass has. */
export interface Claim extends Target {
  readonly claim: string
}

/** Another pass has claimed the erasure. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

const isClaimed = ({ accountId, id, claim }: Claim) => sql`account_id = ${accountId} and id = ${id} and claim = ${claim}`

/** Throws `ClaimLost` if a statement has changed no row. */
function assertClaimed({ numAffectedRows = 0n }: { readonly numAffectedRows?: bigint }): void {
  if (numAffectedRows === 0n) throw new ClaimLost('another pass has claimed the erasure')
}

export async function insertErasure(tx: Executor, accountId: string, erasure: NewErasure): Promise<Erasure> {
  const { id, sealed, given, reason, includesForms, at, dueAt, by } = erasure
  const { rows } = await sql<Row>`
    insert into privacy_erasures (id, account_id, state, sealed, given, reason, includes_forms, requested_at, requested_by, updated_at, due_at)
    values (${id}, ${accountId}, 'running', ${sealed}, ${given}, ${reason ?? null}, ${includesForms}, ${at}, ${by}, ${at}, ${dueAt})
    returning ${columns}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('an erasure that was just written does not exist')
  return erasureOf(row)
}

/** Requests for erasures of one account wait for each other. @returns how many have not ended their first pass. */
export async function lockRunning(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace privacy erasures'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from privacy_erasures where account_id = ${accountId} and state = 'running'`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function findErasure(tx: Executor, accountId: string, id: string): Promise<Erasure | undefined> {
  const { rows } = await sql<Row>`select ${columns} from privacy_erasures where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : erasureOf(rows[0])
}

export async function listErasures(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Erasure[]> {
  const { rows } = await sql<Row>`
    select ${columns} from privacy_erasures where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(erasureOf)
}

/** Claims an erasure that is not done and that no other pass has claimed. */
export async function claimErasure(
  db: Executor,
  { accountId, id, claim }: Claim,
  { at, until }: { readonly at: Date; readonly until: Date },
): Promise<ClaimedErasure | undefined> {
  const { rows } = await sql<{
    readonly sealed: Buffer
    readonly includes_forms: boolean
    readonly kept: readonly Kept[]
    readonly attempts: number
    readonly waits_for: readonly string[] | null
    readonly searched_at: Date | null
  }>`
    update privacy_erasures set claimed_until = ${until}, claim = ${claim}
    where account_id = ${accountId} and id = ${id} and state <> 'done' and (claimed_until is null or claimed_until <= ${at})
    returning sealed, includes_forms, kept, attempts, waits_for, searched_at`.execute(db)
  const [row] = rows
  if (row === undefined) return undefined
  const { sealed, kept, attempts } = row
  return {
    sealed,
    kept,
    attempts,
    includesForms: row.includes_forms,
    waitsFor: row.waits_for ?? undefined,
    searchedAt: row.searched_at ?? undefined,
  }
}

/** Throws `ClaimLost`. */
export async function extendClaim(db: Executor, claim: Claim, until: Date): Promise<void> {
  assertClaimed(await sql`update privacy_erasures set claimed_until = ${until} where ${isClaimed(claim)}`.execute(db))
}

/** Ends a claim, if it is not lost, without a pass that has ended: another one follows at a time. */
export async function releaseClaim(
  db: Executor,
  claim: Claim,
  { dueAt, problem }: { readonly dueAt: Date; readonly problem: string | undefined },
): Promise<void> {
  await sql`
    update privacy_erasures set claimed_until = null, claim = null, due_at = ${dueAt}, problem = ${problem ?? null},
      attempts = attempts + ${problem === undefined ? 0 : 1}
    where ${isClaimed(claim)}`.execute(db)
}

/** Erasures of all accounts that are due and that no pass has claimed: the first one of each account, then the second ones. */
export async function dueErasures(db: Executor, at: Date, limit: number): Promise<readonly Target[]> {
  const { rows } = await sql<{ readonly id: string; readonly account_id: string }>`
    select id, account_id from privacy_erasures
    where state <> 'done' and due_at <= ${at} and (claimed_until is null or claimed_until <= ${at})
    order by row_number() over (partition by account_id order by due_at, id), due_at, id limit ${limit}`.execute(db)
  return rows.map(({ id, account_id: accountId }) => ({ id, accountId }))
}

/** Adds records to what was erased, in the transaction that erases them. Throws `ClaimLost`. */
export async function addErased(
  tx: Executor,
  claim: Claim,
  { table, records, at }: { readonly table: string; readonly records: number; readonly at: Date },
): Promise<void> {
  assertClaimed(
    await sql`
      update privacy_erasures set updated_at = ${at},
        erased = erased || jsonb_build_object(${table}::text, coalesce((erased ->> ${table})::int4, 0) + ${records}::int4)
      where ${isClaimed(claim)}`.execute(tx),
  )
}

/** Records the end of a pass that did not end the erasure. Throws `ClaimLost`. */
export async function endPass(
  db: Executor,
  claim: Claim,
  pass: {
    readonly kept: readonly Kept[]
    readonly waitsFor: readonly string[]
    readonly searchedAt: Date | undefined
    readonly at: Date
    readonly dueAt: Date
  },
): Promise<void> {
  const { kept, waitsFor, searchedAt, at, dueAt } = pass
  assertClaimed(
    await sql`
      update privacy_erasures set state = 'waiting', kept = ${JSON.stringify(kept)}::jsonb, waits_for = ${[...waitsFor]}::uuid[],
        searched_at = ${searchedAt ?? null}, updated_at = ${at}, due_at = ${dueAt}, attempts = attempts + 1, problem = null,
        claimed_until = null, claim = null
      where ${isClaimed(claim)}`.execute(db),
  )
}

/** Records the end of an erasure, and removes what was looked for. Throws `ClaimLost`. */
export async function endErasure(
  db: Executor,
  claim: Claim,
  { kept, at }: { readonly kept: readonly Kept[]; readonly at: Date },
): Promise<void> {
  assertClaimed(
    await sql`
      update privacy_erasures set state = 'done', kept = ${JSON.stringify(kept)}::jsonb, updated_at = ${at}, ended_at = ${at}, sealed = null,
        waits_for = null, problem = null, claimed_until = null, claim = null
      where ${isClaimed(claim)}`.execute(db),
  )
}

export async function deleteErasuresOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from privacy_erased_executions where account_id = ${accountId}`.execute(tx)
  await sql`delete from privacy_erasures where account_id = ${accountId}`.execute(tx)
}

function erasureOf({ reason, problem, requested_at, requested_by, ended_at, ...row }: Row): Erasure {
  const [why, failure] = [reason ?? undefined, problem ?? undefined]
  return { ...row, reason: why, problem: failure, requestedAt: requested_at, requestedBy: requested_by, endedAt: ended_at ?? undefined }
}
