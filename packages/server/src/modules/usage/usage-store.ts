import { openEndsSql, tasksOfEndsSql } from '@millrace/engine/storage'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export type Executor = Kysely<Rows>

/** Adds to the counter of one hour. */
export async function addUsage(tx: Executor, accountId: string, meter: string, hour: Date, amount: number): Promise<void> {
  await sql`
    insert into usage_hours (account_id, meter, hour, amount) values (${accountId}, ${meter}, ${hour}, ${amount})
    on conflict (account_id, meter, hour) do update set amount = usage_hours.amount + excluded.amount`.execute(tx)
}

/** Counts the tasks of executions that have ended: a statement over a relation of ends, each of which it may see once. */
export function meterTasksSql(ends: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`insert into usage_hours as u (account_id, meter, hour, amount) select account_id, 'tasks', hour, tasks from (${tasksOfEndsSql(ends)}) t
    on conflict (account_id, meter, hour) do update set amount = u.amount + excluded.amount`
}

/** Notes that something was metered; false when it was already. */
export async function insertRecord(tx: Executor, accountId: string, meter: string, sourceId: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into usage_records (account_id, meter, source_id, recorded_at) values (${accountId}, ${meter}, ${sourceId}, ${at})
    on conflict do nothing returning meter`.execute(tx)
  return rows.length > 0
}

/** Replaces the counters of one hour where the new count is higher: rows of executions appear late, and disappear by retention. */
export async function raiseCounts(
  tx: Executor,
  meter: string,
  hour: Date,
  counts: readonly { readonly accountId: string; readonly amount: number }[],
): Promise<void> {
  const accounts = counts.map(({ accountId }) => accountId)
  const amounts = counts.map(({ amount }) => amount)
  await sql`
    insert into usage_hours (account_id, meter, hour, amount)
    select account_id, ${meter}, ${hour}, amount from unnest(${accounts}::uuid[], ${amounts}::bigint[]) as counted (account_id, amount)
    on conflict (account_id, meter, hour) do update set amount = greatest(usage_hours.amount, excluded.amount)`.execute(tx)
}

export interface CountedHour {
  readonly hour: Date
  readonly final: boolean
}

/** Hours from a time on that have been counted. */
export async function listCountedHours(db: Executor, from: Date): Promise<readonly CountedHour[]> {
  const { rows } = await sql<CountedHour>`select hour, final from usage_counted_hours where hour >= ${from} order by hour`.execute(db)
  return rows
}

/** The first hour after all that are counted without a gap; undefined before the first count. */
export async function lastCountedHour(db: Executor): Promise<Date | undefined> {
  const { rows } = await sql<{ hour: Date | null }>`select max(hour) as hour from usage_counted_hours`.execute(db)
  return rows[0]?.hour ?? undefined
}

export async function markCounted(tx: Executor, hour: Date, final: boolean): Promise<void> {
  await sql`insert into usage_counted_hours (hour, final) values (${hour}, ${final})
    on conflict (hour) do update set final = usage_counted_hours.final or excluded.final`.execute(tx)
}

/**
 * The hours of an account, with the tasks of executions that have ended and are not counted yet: one statement, so that a task counts exactly once at
 * every moment.
 */
function liveHoursSql(accountId: string, from: Date, to: Date): RawBuilder<unknown> {
  return sql`select meter, hour, amount from usage_hours where account_id = ${accountId} and hour >= ${from} and hour < ${to}
    union all
    select 'tasks', hour, tasks from (${tasksOfEndsSql(sql`(${openEndsSql(accountId)})`)}) t where hour >= ${from} and hour < ${to}`
}

/** The sum of each meter from `from` until `to`. */
export async function sumUsage(db: Executor, accountId: string, from: Date, to: Date): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ meter: string; amount: number }>`
    select meter, sum(amount)::bigint as amount from (${liveHoursSql(accountId, from, to)}) h group by meter`.execute(db)
  return new Map(rows.map(({ meter, amount }) => [meter, amount]))
}

/** The stored hours of one meter from `from` until `to`. */
export async function sumHours(db: Executor, accountId: string, meter: string, from: Date, to: Date): Promise<number> {
  const { rows } = await sql<{ amount: number }>`
    select coalesce(sum(amount), 0)::bigint as amount from usage_hours
    where account_id = ${accountId} and meter = ${meter} and hour >= ${from} and hour < ${to}`.execute(db)
  return rows[0]?.amount ?? 0
}

export interface DayUsage {
  readonly day: string
  readonly meter: string
  readonly amount: number
}

/** Usage by day of UTC, newest first. */
export async function listDays(db: Executor, accountId: string, from: Date, to: Date): Promise<readonly DayUsage[]> {
  const { rows } = await sql<DayUsage>`
    select to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, meter, sum(amount)::bigint as amount
    from (${liveHoursSql(accountId, from, to)}) h group by 1, 2 order by 1 desc, 2`.execute(db)
  return rows
}

/** Notes that a notice was given; false when it was already. */
export async function insertNotice(
  tx: Executor,
  accountId: string,
  { meter, periodStart, percent, at }: { readonly meter: string; readonly periodStart: Date; readonly percent: number; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into usage_notices (account_id, meter, period_start, percent, created_at)
    values (${accountId}, ${meter}, ${periodStart}, ${percent}, ${at}) on conflict do nothing returning meter`.execute(tx)
  return rows.length > 0
}

export async function countUsers(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int4 as count from users where account_id = ${accountId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function deleteOldRecords(db: Executor, before: Date, rowsMax: number): Promise<void> {
  await sql`delete from usage_records where (account_id, meter, source_id) in (
    select account_id, meter, source_id from usage_records where recorded_at < ${before} limit ${rowsMax} for update skip locked)`.execute(
    db,
  )
  await sql`delete from usage_counted_hours where final and hour < ${before}`.execute(db)
}

export async function deleteUsageOf(tx: Executor, accountId: string): Promise<void> {
  await sql`delete from usage_hours where account_id = ${accountId}`.execute(tx)
  await sql`delete from usage_reservations where account_id = ${accountId}`.execute(tx)
}
