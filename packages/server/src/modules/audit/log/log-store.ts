import { type Kysely, sql } from 'kysely'
import type { AuditEntry, RevealedChanges } from '@millrace/contract/transparency'
import type { Rows } from '#platform/db/rows.ts'
import { blockEventsSql, blocksFromSql, millisecondsOf } from './block-store.ts'

/** The account in the tables of the log for events without an account. */
export const installationLog = '00000000-0000-0000-0000-000000000000'

export interface DayRow {
  readonly account_id: string
  readonly day: string
  readonly size: number
  readonly peaks: Buffer
  readonly root: Buffer
  readonly previous_day: string | null
  readonly previous_size: number | null
  readonly previous_root: Buffer | null
  readonly signed_size: number
  readonly signed_count: number
  readonly signed_at: Date | null
  readonly closed_at: Date | null
}

export interface EntryRow {
  readonly id: string
  readonly account_id: string | null
  readonly at: string
  readonly actor: string
  readonly event: string
  readonly target: string | null
  readonly request_id: string | null
  readonly ip: string | null
  readonly details: AuditEntry['details']
  readonly salt: Buffer
  readonly commitment: Buffer | null
}

const dayColumns = sql`account_id, day::text as day, size, peaks, root, previous_day::text as previous_day, previous_size, previous_root,
  signed_size, signed_count, signed_at, closed_at`

/** Microseconds, since a Date would hide a change of them. */
export const entryColumns = sql`e.id, e.account_id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.actor, e.event,
  e.target, e.request_id, e.ip, e.details, e.salt, e.commitment`

export function entryOf(row: EntryRow): AuditEntry {
  const { id, account_id: account, at, actor, event, target, request_id: requestId, ip, details, salt, commitment } = row
  const erased = commitment === null ? {} : { commitment: commitment.toString('hex') }
  return { id, account, at, actor, event, target, requestId, ip, details, salt: salt.toString('hex'), ...erased }
}

/** Lets one process at a time append to the log; the lock ends with the transaction. The number is the bytes of "audi". */
export async function lockLog(tx: Kysely<Rows>, { wait }: { readonly wait: boolean }): Promise<boolean> {
  if (wait) {
    await sql`select pg_advisory_xact_lock(${0x61756469})`.execute(tx)
    return true
  }
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${0x61756469}) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

/** Takes events without a leaf off the list of waiting ones, oldest first. */
export async function takePending(
  tx: Kysely<Rows>,
  limit: number,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly taken: number }> {
  const taken = await sql<{ event_id: string }>`
    delete from audit_pending where event_id = any(array(select event_id from audit_pending order by event_id limit ${limit}))
    returning event_id`.execute(tx)
  if (taken.rows.length === 0) return { entries: [], taken: 0 }
  const ids = taken.rows.map(({ event_id }) => event_id)
  // An event has a leaf already if its id was listed again by hand: a second leaf would stop the log.
  const { rows } = await sql<EntryRow>`
    select ${entryColumns} from audit_events e
    where e.id = any(${ids}::uuid[]) and not exists (select from audit_leaves l where l.event_id = e.id)
    order by e.at, e.id`.execute(tx)
  return { entries: rows.map(entryOf), taken: ids.length }
}

export async function latestDay(tx: Kysely<Rows>, accountId: string): Promise<DayRow | undefined> {
  return (await latestDays(tx, [accountId])).get(accountId)
}

/** The last day of each log that has one, by account. */
export async function latestDays(tx: Kysely<Rows>, accountIds: readonly string[]): Promise<ReadonlyMap<string, DayRow>> {
  const { rows } = await sql<DayRow>`
    select ${dayColumns} from unnest(${[...accountIds]}::uuid[]) as a (id)
    cross join lateral (select * from audit_days d where d.account_id = a.id order by d.day desc limit 1) d`.execute(tx)
  return new Map(rows.map((row) => [row.account_id, row]))
}

export async function findDay(db: Kysely<Rows>, accountId: string, day: string): Promise<DayRow | undefined> {
  const { rows } = await sql<DayRow>`
    select ${dayColumns} from audit_days where account_id = ${accountId} and day = ${day}::date`.execute(db)
  return rows[0]
}

/** Days from `from` on, in order. */
export async function listDays(db: Kysely<Rows>, accountId: string, from: string, limit: number): Promise<readonly DayRow[]> {
  const { rows } = await sql<DayRow>`
    select ${dayColumns} from audit_days where account_id = ${accountId} and day >= ${from}::date order by day limit ${limit}`.execute(db)
  return rows
}

/** The link of the following day, and its date. */
export async function findNextDay(db: Kysely<Rows>, accountId: string, day: string): Promise<DayRow | undefined> {
  const { rows } = await sql<DayRow>`
    select ${dayColumns} from audit_days where account_id = ${accountId} and day > ${day}::date order by day limit 1`.execute(db)
  return rows[0]
}

/** Whether events wait for a leaf, or days need a checkpoint as `listUnsigned` says. */
export async function hasWork(db: Kysely<Rows>, today: string, before: Date): Promise<boolean> {
  const { rows } = await sql<{ has_work: boolean }>`
    select exists (select from audit_pending) or exists (select from audit_pending_executions)
      or exists (select from audit_days where ${isOver(today)}) or exists (select from audit_days where ${isBehind(today, before)})
      as has_work`.execute(db)
  return rows[0]?.has_work ?? false
}

/** Days that need a checkpoint: over and not closed, or with leaves that no checkpoint since `before` covers. */
export async function listUnsigned(tx: Kysely<Rows>, today: string, before: Date, limit: number): Promise<readonly DayRow[]> {
  const { rows } = await sql<DayRow>`
    (select ${dayColumns} from audit_days where ${isOver(today)} order by day limit ${limit})
    union all
    (select ${dayColumns} from audit_days where ${isBehind(today, before)} limit ${limit})`.execute(tx)
  return rows
}

const isOver = (today: string) => sql`closed_at is null and day < ${today}::date`
const isBehind = (today: string, before: Date) =>
  sql`signed_size < size and day >= ${today}::date and (signed_at is null or signed_at <= ${before})`

export interface DayState {
  readonly accountId: string
  readonly day: string
  readonly size: number
  readonly peaks: Buffer
  readonly root: Buffer
  readonly previous: { readonly day: string; readonly size: number; readonly root: Buffer } | undefined
}

export async function saveDays(tx: Kysely<Rows>, days: readonly DayState[]): Promise<void> {
  if (days.length === 0) return
  await sql`
    insert into audit_days (account_id, day, size, peaks, root, previous_day, previous_size, previous_root)
    select * from unnest(${days.map(({ accountId }) => accountId)}::uuid[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ size }) => size)}::int4[], ${days.map(({ peaks }) => peaks)}::bytea[], ${days.map(({ root }) => root)}::bytea[],
      ${days.map(({ previous }) => previous?.day ?? null)}::date[], ${days.map(({ previous }) => previous?.size ?? null)}::int4[],
      ${days.map(({ previous }) => previous?.root ?? null)}::bytea[])
    on conflict (account_id, day) do update set size = excluded.size, peaks = excluded.peaks, root = excluded.root`.execute(tx)
}

export interface NewLeaf {
  readonly index: number
  readonly event: string | null
  readonly hash: Buffer
}

export async function insertLeaves(tx: Kysely<Rows>, accountId: string, day: string, leaves: readonly NewLeaf[]): Promise<void> {
  const columns = [leaves.map(({ index }) => index), leaves.map(({ event }) => event), leaves.map(({ hash }) => hash)]
  await sql`
    insert into audit_leaves (account_id, day, index, event_id, hash)
    select ${accountId}, ${day}::date, l.index, l.event_id, l.hash
    from unnest(${columns[0]}::int4[], ${columns[1]}::uuid[], ${columns[2]}::bytea[]) as l(index, event_id, hash)`.execute(tx)
}

interface NewCheckpoint {
  readonly accountId: string
  readonly day: string
  readonly size: number
  readonly note: string
  readonly at: Date
  readonly closes: boolean
}

export async function insertCheckpoint(tx: Kysely<Rows>, { accountId, day, size, note, at, closes }: NewCheckpoint): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    insert into audit_checkpoints (account_id, day, size, note, made_at) values (${accountId}, ${day}::date, ${size}, ${note}, ${at})
    on conflict (account_id, day, size) do nothing`.execute(tx)
  await sql`
    update audit_days set signed_size = ${size}, signed_at = ${at}, signed_count = signed_count + ${Number(numAffectedRows)},
      closed_at = case when ${closes} then ${at} else closed_at end
    where account_id = ${accountId} and day = ${day}::date`.execute(tx)
}

export async function closeDay(tx: Kysely<Rows>, accountId: string, day: string, at: Date): Promise<void> {
  await sql`update audit_days set closed_at = ${at} where account_id = ${accountId} and day = ${day}::date and closed_at is null`.execute(
    tx,
  )
}

export async function listCheckpoints(db: Kysely<Rows>, accountId: string, day: string) {
  const { rows } = await sql<{ size: number; note: string }>`
    select size, note from audit_checkpoints where account_id = ${accountId} and day = ${day}::date order by size`.execute(db)
  return rows
}

export interface LeafRow {
  readonly index: number
  readonly hash: Buffer
  readonly event_id: string | null
}

/**
 * Leaves with their events, in order. The row of an event that is in no block is looked up by its id alone, so that another account in it is a
 * difference.
 */
export async function listLeaves(
  db: Kysely<Rows>,
  accountId: string,
  day: string,
  range: { readonly from: number; readonly limit: number },
) {
  const { from, limit } = range
  const { rows } = await sql<
    LeafRow & { readonly revealed: RevealedChanges | null } & { readonly [K in keyof EntryRow]: EntryRow[K] | null }
  >`
    (select l.index, l.hash, l.event_id, c.revealed, ${entryColumns}
    from audit_leaves l left join audit_events e on e.id = l.event_id left join audit_changes c on c.event_id = l.event_id
    where l.account_id = ${accountId} and l.day = ${day}::date and l.index >= ${from}
    order by l.index limit ${limit})
    union all
    (select e.index, coalesce(e.hash, ''), e.id, null::jsonb, ${entryColumns}
    from (${blockEventsSql(blocksFromSql(accountId, { day, index: from }, limit, true))}) e where e.index >= ${from}
    order by e.index limit ${limit})
    order by index limit ${limit}`.execute(db)
  return rows.map((row) => ({
    index: row.index,
    hash: row.hash,
    event: row.event_id,
    revealed: row.revealed ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Without the row, which `id` shows, every column is null.
    entry: row.id === null ? undefined : entryOf(row as EntryRow),
  }))
}

/** The hashes of the first leaves of a day. */
export async function listHashes(db: Kysely<Rows>, accountId: string, day: string, size: number): Promise<readonly Buffer[]> {
  const { rows } = await sql<{ hash: Buffer }>`
    select hash from (
      select index, hash from audit_leaves where account_id = ${accountId} and day = ${day}::date and index < ${size}
      union all
      select first_index + u.ordinal::int4 - 1, u.hash from audit_blocks b cross join lateral unnest(b.hashes) with ordinality as u(hash, ordinal)
      where b.account_id = ${accountId} and b.day = ${day}::date and first_index + u.ordinal - 1 < ${size}
    ) h order by index`.execute(db)
  return rows.map(({ hash }) => hash)
}

/**
 * Events in a span of time that were inserted past the log: neither a leaf nor on the list of those that wait for one, or in a block of a day that
 * does not exist. The trigger puts an event on the list in its own transaction, so an honest one is always in one of them.
 */
export async function listUnlogged(db: Kysely<Rows>, accountId: string, from: Date | undefined, to: Date | undefined, limit: number) {
  const account = accountId === installationLog ? sql`e.account_id is null` : sql`e.account_id = ${accountId}`
  const span = (first: string, last: string) => sql`${sql.ref(last)} >= ${from ?? '-infinity'} and ${sql.ref(first)} < ${to ?? 'infinity'}`
  const { rows } = await sql<{ id: string; event: string }>`
    (select e.id, e.event from audit_events e
    where ${account} and ${span('e.at', 'e.at')}
      and not exists (select from audit_leaves l where l.event_id = e.id) and not exists (select from audit_pending p where p.event_id = e.id)
    order by e.at limit ${limit})
    union all
    (select e.id, e.event from (${blockEventsSql(sql`(
      select * from audit_blocks b where b.account_id = ${accountId} and ${span('b.first_at', 'b.last_at')}
        and not exists (select from audit_days d where d.account_id = b.account_id and d.day = b.day) order by b.last_at limit ${limit})`)}) e
    limit ${limit})
    limit ${limit}`.execute(db)
  return rows
}

export async function findLeaf(db: Kysely<Rows>, accountId: string, eventId: string) {
  const { rows } = await sql<{ day: string; index: number }>`
    select day::text as day, index from audit_leaves where account_id = ${accountId} and event_id = ${eventId}
    union all
    select day::text, first_index + array_position(event_ids, ${eventId}::uuid) - 1 from audit_blocks
    where account_id = ${accountId} and created @> ${millisecondsOf(eventId)}::int8 and ${eventId}::uuid = any(event_ids)
    limit 1`.execute(db)
  return rows[0]
}
