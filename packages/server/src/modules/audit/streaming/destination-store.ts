import { type Kysely, sql } from 'kysely'
import type { LoggedEvent } from '#modules/audit/query/query-store.ts'
import { blockEventsSql, blockMax, blocksFromSql } from '#modules/audit/log/block-store.ts'
import { entryColumns } from '#modules/audit/log/log-store.ts'
import { nameSource } from '#platform/db/name-source.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { AuditDestination, AuditTarget, LogPosition } from './destination.ts'

type Executor = Kysely<Rows>

interface DestinationRow {
  readonly id: string
  readonly account_id: string
  readonly name: string
  readonly target: AuditTarget
  readonly secret: Buffer | null
  readonly next_day: string
  readonly next_index: number
  readonly state: 'active' | 'paused'
  readonly paused_reason: string | null
  readonly attempts: number
  readonly failing_since: Date | null
  readonly last_error: string | null
  readonly due_at: Date
  readonly delivered_at: Date | null
  readonly created_at: Date
}

/** A destination that this process may send to until the claim ends. */
export interface ClaimedDestination extends AuditDestination {
  readonly claim: string
}

const columns = sql`d.id, d.account_id, d.name, d.target, d.secret, d.next_day::text as next_day, d.next_index, d.state, d.paused_reason,
  d.attempts, d.failing_since, d.last_error, d.due_at, d.delivered_at, d.created_at`

/** Counts an account's destinations under a lock until the transaction ends, so that two requests cannot both add the last one. */
export async function countDestinations(tx: Executor, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('millrace audit destinations'), hashtext(${accountId}))`.execute(tx)
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from audit_destinations where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export type NewDestination = Pick<AuditDestination, 'id' | 'name' | 'target' | 'secret' | 'position' | 'createdAt'> & {
  /** As `kind:id`. */
  readonly createdBy: string
}

export async function insertDestination(tx: Executor, accountId: string, given: NewDestination): Promise<void> {
  const { id, name, target, secret, position, createdAt, createdBy } = given
  await sql`
    insert into audit_destinations (id, account_id, name, target, secret, next_day, next_index, state, due_at, created_at, created_by)
    values (${id}, ${accountId}, ${name}, ${JSON.stringify(target)}, ${secret ?? null}, ${position.day}::date, ${position.index}, 'active',
      ${createdAt}, ${createdAt}, ${createdBy})`.execute(tx)
}

export async function listDestinations(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly AuditDestination[]> {
  const { rows } = await sql<DestinationRow>`
    select ${columns} from audit_destinations d
    where d.account_id = ${accountId} ${before === undefined ? sql`` : sql`and d.id < ${before}`}
    order by d.id desc limit ${limit}`.execute(tx)
  return rows.map(destinationOf)
}

export async function findDestination(tx: Executor, accountId: string, id: string): Promise<AuditDestination | undefined> {
  const { rows } = await sql<DestinationRow>`
    select ${columns} from audit_destinations d where d.account_id = ${accountId} and d.id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : destinationOf(rows[0])
}

/** @returns whether there was one. */
export async function deleteDestination(tx: Executor, accountId: string, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from audit_destinations where account_id = ${accountId} and id = ${id}`.execute(tx)
  return numAffectedRows > 0n
}

/** Makes the next attempt due now. An attempt that runs keeps its claim. */
export async function resumeDestination(tx: Executor, accountId: string, id: string): Promise<void> {
  await sql`
    update audit_destinations set state = 'active', paused_reason = null, attempts = 0, failing_since = null, last_error = null, due_at = now()
    where account_id = ${accountId} and id = ${id}`.execute(tx)
}

/**
 * Claims destinations with leaves to be sent, the one that waits longest first. A claim that its process left behind ends by itself.
 * The primary key of the leaves answers whether there is one at or after a position.
 */
export async function claimDestinations(
  db: Executor,
  { claim, limit, leaseMs }: { readonly claim: string; readonly limit: number; readonly leaseMs: number },
): Promise<readonly ClaimedDestination[]> {
  const { rows } = await sql<DestinationRow>`
    update audit_destinations d set claim = ${claim}, claimed_until = now() + ${leaseMs} * interval '1 millisecond'
    where d.id in (
      select w.id from audit_destinations w
      where w.state = 'active' and w.due_at <= now() and (w.claimed_until is null or w.claimed_until <= now())
        and (exists (select from audit_leaves l where l.account_id = w.account_id and (l.day, l.index) >= (w.next_day, w.next_index))
          or exists (select from audit_blocks b where b.account_id = w.account_id and (b.day, b.first_index) > (w.next_day, w.next_index - ${blockMax})
            and (b.day > w.next_day or b.first_index + b.size > w.next_index)))
      order by w.due_at limit ${limit} for update skip locked
    )
    returning ${columns}`.execute(db)
  return rows.map((row) => ({ ...destinationOf(row), claim }))
}

/** Leaves from a position on, each with its event; those of the first leaf of a day and of a deleted row have none. */
export async function listFrom(
  db: Executor,
  accountId: string,
  { day, index }: LogPosition,
  limit: number,
): Promise<readonly LeafWithEvent[]> {
  const { rows } = await sql<LeafWithEvent>`
    (select l.day::text as day, l.index, l.hash, ${entryColumns}
    from audit_leaves l left join audit_events e on e.id = l.event_id
    where l.account_id = ${accountId} and (l.day, l.index) >= (${day}::date, ${index})
    order by l.day, l.index limit ${limit})
    union all
    (select e.day::text, e.index, e.hash, ${entryColumns}
    from (${blockEventsSql(blocksFromSql(accountId, { day, index }, limit, false))}) e where (e.day, e.index) >= (${day}::date, ${index}::int4)
    order by e.day, e.index limit ${limit})
    order by day, index limit ${limit}`.execute(db)
  return rows
}

export type LeafWithEvent = Omit<LoggedEvent, 'id' | 'day' | 'index' | 'revealed'> & {
  readonly id: string | null
  readonly day: string
  readonly index: number
  readonly hash: Buffer
}

/** Moves the position past what was delivered. Without the claim nothing changes: another process sends the batch again. */
export async function saveDelivered(db: Executor, { id, claim }: ClaimedDestination, next: LogPosition, hasSent: boolean): Promise<void> {
  await sql`
    update audit_destinations set next_day = ${next.day}::date, next_index = ${next.index}, claim = null, claimed_until = null, attempts = 0,
      failing_since = null, last_error = null, due_at = now(), delivered_at = case when ${hasSent} then now() else delivered_at end
    where id = ${id} and claim = ${claim}`.execute(db)
}

export interface FailedAttempt {
  readonly error: string
  readonly delayMs: number
  /** It is paused if its first failure is older than this, or at once if it is zero. */
  readonly pauseAfterMs: number
}

/** @returns the reason if the failure has paused the destination. */
export async function saveFailed(tx: Executor, { id, claim }: ClaimedDestination, failed: FailedAttempt): Promise<string | undefined> {
  const { error, delayMs, pauseAfterMs } = failed
  const pauses = sql`coalesce(failing_since, now()) <= now() - ${pauseAfterMs} * interval '1 millisecond'`
  const { rows } = await sql<{ readonly paused_reason: string | null }>`
    update audit_destinations set claim = null, claimed_until = null, attempts = attempts + 1, failing_since = coalesce(failing_since, now()),
      last_error = ${error}, due_at = now() + ${delayMs} * interval '1 millisecond',
      state = case when ${pauses} then 'paused' else 'active' end, paused_reason = case when ${pauses} then ${error} end
    where id = ${id} and claim = ${claim}
    returning paused_reason`.execute(tx)
  return rows[0]?.paused_reason ?? undefined
}

/** Ends the claim; the next attempt is due later. It is no failure. */
export async function postponeDestination(db: Executor, { id, claim }: ClaimedDestination, delayMs: number): Promise<void> {
  await sql`
    update audit_destinations set claim = null, claimed_until = null, due_at = now() + ${delayMs} * interval '1 millisecond'
    where id = ${id} and claim = ${claim}`.execute(db)
}

export async function releaseDestination(db: Executor, { id, claim }: ClaimedDestination): Promise<void> {
  await sql`update audit_destinations set claim = null, claimed_until = null where id = ${id} and claim = ${claim}`.execute(db)
}

function destinationOf(row: DestinationRow): AuditDestination {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    target: row.target,
    state: row.state,
    pausedReason: row.paused_reason ?? undefined,
    attempts: row.attempts,
    failingSince: row.failing_since ?? undefined,
    lastError: row.last_error ?? undefined,
    dueAt: row.due_at,
    position: { day: row.next_day, index: row.next_index },
    deliveredAt: row.delivered_at ?? undefined,
    createdAt: row.created_at,
    secret: row.secret ?? undefined,
  }
}

export const destinationNames = nameSource('adst', sql`select id, account_id, name, name as words from audit_destinations`)
