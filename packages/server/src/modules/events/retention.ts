import { deleteEventsOf, deleteExpiredEvents } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { isPendingSql } from './deliveries/delivery-state.ts'
import { abandonPending, disabledBecause } from './deliveries/delivery-store.ts'
import { pendingHeadsSql } from './deliveries/pending-heads.ts'
import { lockSubscription } from './subscriptions/subscription-store.ts'

type Executor = Kysely<Rows>

/** Deletes expired events without pending deliveries, at most `limit`. */
export function deleteDeliveredEvents(db: Executor, limit: number): Promise<number> {
  return deleteExpiredEvents(db, {
    limit,
    isNeeded: (eventId) => sql`exists (select from event_deliveries d where d.event_id = ${eventId} and d.${isPendingSql})`,
  })
}

/** Deletes deliveries that ended before a time, at most `limit`. @returns how many. */
export async function deleteEndedDeliveries(db: Executor, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from event_deliveries where id in (
      select id from event_deliveries where ended_at < ${before} order by ended_at limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Deletes deliveries of deleted subscriptions, and ends pending ones that no process will send and that would keep their events for ever: those of a
 * subscription that was deleted or disabled with more than were ended at once, and those that an event has added that was being inserted meanwhile. Those of
 * a disabled subscription become dead letters. Ends those of at most `subscriptionsMax` subscriptions, at most `limit` rows in one statement.
 */
export async function endUnsendableDeliveries(db: Executor, at: Date, { subscriptionsMax, limit }: UnsendableOptions): Promise<void> {
  for (let round = 0; round < roundsMax; round++) if ((await deleteOrphaned(db, { subscriptionsMax, limit })) < limit) break
  const { rows } = await sql<UnsendableRow>`
    with recursive ${pendingHeadsSql}
    select h.account_id, h.subscription_id
    from heads h join event_subscriptions s on s.id = h.subscription_id
    where not s.enabled limit ${subscriptionsMax}`.execute(db)
  // By turns, so that one with many does not delay the others.
  let left = rows
  for (let round = 0; round < roundsMax && left.length > 0; round++) {
    const more: UnsendableRow[] = []
    for (const row of left) if ((await abandonIfDisabled(db, row, { at, limit })) === limit) more.push(row)
    left = more
  }
}

/** Statements for deleted subscriptions, and for one disabled subscription, in one pass. */
const roundsMax = 100

interface UnsendableOptions {
  readonly subscriptionsMax: number
  readonly limit: number
}

interface UnsendableRow {
  readonly account_id: string
  readonly subscription_id: string
}

/**
 * Deletes deliveries of subscriptions that do not exist any more, at most `limit` of at most `subscriptionsMax` subscriptions. One descent of
 * event_deliveries_by_subscription for each subscription with deliveries finds them. @returns how many
 */
async function deleteOrphaned(db: Executor, { subscriptionsMax, limit }: UnsendableOptions): Promise<number> {
  const { numAffectedRows } = await sql`
    with recursive subscriptions as (
      (select subscription_id from event_deliveries order by subscription_id limit 1)
      union all
      select n.subscription_id from subscriptions s cross join lateral (
        select d.subscription_id from event_deliveries d where d.subscription_id > s.subscription_id order by d.subscription_id limit 1
      ) n
    ), orphaned as materialized (
      select o.subscription_id from subscriptions o
      where not exists (select from event_subscriptions s where s.id = o.subscription_id) limit ${subscriptionsMax}
    )
    delete from event_deliveries where id = any(array(
      select d.id from orphaned o cross join lateral (
        select id from event_deliveries where subscription_id = o.subscription_id limit ${limit} for update skip locked
      ) d limit ${limit}
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** @returns how many it has ended. */
async function abandonIfDisabled(
  db: Executor,
  { account_id: accountId, subscription_id: id }: UnsendableRow,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const subscription = await lockSubscription(tx, accountId, id)
    if (subscription === undefined || subscription.enabled) return 0
    return abandonPending(tx, accountId, { subscriptionId: id, limit }, { reason: disabledBecause(subscription), at })
  })
}

/** Deletes the deliveries and events of a deleted account, at most `limit` rows of each table; its subscriptions were deleted with it. @returns how many. */
export async function deleteDeliveriesAndEventsOf(db: Executor, accountId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from event_deliveries where ctid = any(array(
      select ctid from event_deliveries where account_id = ${accountId} limit ${limit} for update skip locked
    ))`.execute(db)
  return Number(numAffectedRows ?? 0) + (await deleteEventsOf(db, accountId, limit))
}
