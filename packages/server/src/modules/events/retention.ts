import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Deletes events whose time is over, at most `limit`, but none that is still to be delivered. */
export async function deleteExpiredEvents(db: Executor, limit: number): Promise<void> {
  await sql`
    with gone as (
      delete from events where id in (
        select e.id from events e
        where e.expires_at < now() and not exists (select from event_deliveries d where d.event_id = e.id and d.state = 'pending')
        order by e.expires_at limit ${limit} for update skip locked
      ) returning id
    )
    delete from kept_events where event_id in (select id from gone)`.execute(db)
}

/** Deletes deliveries that ended before a time, at most `limit`. */
export async function deleteEndedDeliveries(db: Executor, before: Date, limit: number): Promise<void> {
  await sql`
    delete from event_deliveries where id in (
      select id from event_deliveries where ended_at < ${before} order by ended_at limit ${limit} for update skip locked
    )`.execute(db)
}

/**
 * Deletes what nobody has listened for since a time, at most `limit`. Who begins to listen writes the time of use first, unless it is less
 * than an hour old: so `before` has to lie further back than that.
 */
export async function deleteUnusedFilters(db: Executor, before: Date, limit: number): Promise<void> {
  await sql`
    with gone as (
      delete from event_filters where (account_id, id) in (
        select f.account_id, f.id from event_filters f
        where f.used_at < ${before} and not exists (select from listeners l where l.account_id = f.account_id and l.filter_id = f.id)
        limit ${limit} for update skip locked
      ) returning account_id, id
    )
    delete from kept_events k using gone g where k.account_id = g.account_id and k.filter_id = g.id`.execute(db)
}

/** Deletes what waits for executions that have ended or are gone, at most `limit` of each kind. */
export async function deleteLeftWaits(db: Executor, limit: number): Promise<void> {
  const lives = sql`select from executions e where e.id = w.execution_id and e.state not in ('completed', 'faulted', 'cancelled')`
  for (const table of ['listeners', 'waits', 'messages'] as const)
    await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select w.ctid from ${sql.table(table)} w where not exists (${lives}) limit ${limit} for update skip locked
      ))`.execute(db)
}

/** Deletes what an account that is gone had of events, at most `limit` of each kind; its subscriptions went with itself. @returns how many. */
export async function deleteEventsOf(db: Executor, accountId: string, limit: number): Promise<number> {
  let deleted = 0
  for (const table of ['event_deliveries', 'kept_events', 'events', 'listeners', 'waits', 'messages', 'event_filters'] as const) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where account_id = ${accountId} limit ${limit} for update skip locked
      ))`.execute(db)
    deleted += Number(numAffectedRows ?? 0)
  }
  return deleted
}
