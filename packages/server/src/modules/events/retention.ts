import { deleteEventsOf, deleteExpiredEvents } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { isPendingSql } from './deliveries/delivery-state.ts'

type Executor = Kysely<Rows>

/** Deletes expired events without pending deliveries, at most `limit`. */
export async function deleteDeliveredEvents(db: Executor, limit: number): Promise<void> {
  await deleteExpiredEvents(db, {
    limit,
    isNeeded: (eventId) => sql`exists (select from event_deliveries d where d.event_id = ${eventId} and d.${isPendingSql})`,
  })
}

/** Deletes deliveries that ended before a time, at most `limit`. */
export async function deleteEndedDeliveries(db: Executor, before: Date, limit: number): Promise<void> {
  await sql`
    delete from event_deliveries where id in (
      select id from event_deliveries where ended_at < ${before} order by ended_at limit ${limit} for update skip locked
    )`.execute(db)
}

/** Deletes the deliveries and events of a deleted account, at most `limit` rows of each table; its subscriptions were deleted with it. @returns how many. */
export async function deleteDeliveriesAndEventsOf(db: Executor, accountId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event_deliveries where ctid = any(array(
      select ctid from event_deliveries where account_id = ${accountId} limit ${limit} for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0) + (await deleteEventsOf(db, accountId, limit))
}
