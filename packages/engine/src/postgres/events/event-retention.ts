import { type RawBuilder, sql } from 'kysely'
import { terminalStatesSql } from '#core/execution-state.ts'
import type { SqlExecutor } from '#postgres/storage/sql-database.ts'

export interface ExpiredEventsOptions {
  /** Events that one call deletes at most. */
  readonly limit: number
  /** A condition on the id of an event under which it is still needed. */
  readonly isNeeded: (eventId: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Deletes expired events that are not needed. @returns how many. */
export async function deleteExpiredEvents(executor: SqlExecutor, { limit, isNeeded }: ExpiredEventsOptions): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    with deleted as (
      delete from events where id in (
        select e.id from events e where e.expires_at < now() and not (${isNeeded(sql`e.id`)})
        order by e.expires_at limit ${limit} for update skip locked
      ) returning id
    ), kept as (
      delete from kept_events where event_id in (select id from deleted)
    )
    select count(*)::int4 as count from deleted`.execute(executor)
  return rows[0]?.count ?? 0
}

/**
 * Deletes filters that no listener has used since a time, at most `limit`. A new listener writes the time of use of its filter first, unless
 * that is less than an hour old, so `before` must be more than an hour ago.
 */
export async function deleteUnusedFilters(executor: SqlExecutor, before: Date, limit: number): Promise<void> {
  await sql`
    with deleted as (
      delete from event_filters where (account_id, id) in (
        select f.account_id, f.id from event_filters f
        where f.used_at < ${before} and not exists (select from listeners l where l.account_id = f.account_id and l.filter_id = f.id)
        limit ${limit} for update skip locked
      ) returning account_id, id
    )
    delete from kept_events k using deleted d where k.account_id = d.account_id and k.filter_id = d.id`.execute(executor)
}

/** Deletes listeners, waits and messages whose executions have ended or were deleted, at most `limit` of each. */
export async function deleteOrphanedWaits(executor: SqlExecutor, limit: number): Promise<void> {
  const execution = sql`select from executions e where e.id = w.execution_id and e.state not in ${sql.raw(terminalStatesSql)}`
  for (const table of ['listeners', 'waits', 'messages'] as const)
    await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select w.ctid from ${sql.table(table)} w where not exists (${execution}) limit ${limit} for update skip locked
      ))`.execute(executor)
}

/** Deletes the events of a deleted account, with its listeners, waits and messages, at most `limit` of each. @returns how many rows. */
export async function deleteEventsOf(executor: SqlExecutor, accountId: string, limit: number): Promise<number> {
  let deleted = 0
  for (const table of ['kept_events', 'events', 'listeners', 'waits', 'messages', 'event_filters'] as const) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where account_id = ${accountId} limit ${limit} for update skip locked
      ))`.execute(executor)
    deleted += Number(numAffectedRows ?? 0)
  }
  return deleted
}
