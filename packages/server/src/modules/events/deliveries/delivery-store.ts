import { eventEnvelopeQuery, insertDeliveryDeadLetters } from '@millrace/engine/storage'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Attempt, Delivery, Subscription } from '#modules/events/model.ts'
import { type DeliveryState, hasFailedSql, isPendingSql } from './delivery-state.ts'

type Executor = Kysely<Rows>

interface DeliveryRow {
  readonly id: string
  readonly event_id: string | null
  readonly event_type: string
  readonly state: DeliveryState
  readonly history: readonly Attempt[]
  readonly due_at: Date | null
  readonly created_at: Date
  readonly ended_at: Date | null
}

export async function listDeliveries(
  tx: Executor,
  accountId: string,
  subscriptionId: string,
  options: { readonly state: DeliveryState | undefined; readonly before: string | undefined; readonly limit: number },
): Promise<readonly Delivery[]> {
  const { state, before, limit } = options
  const { rows } = await sql<DeliveryRow>`
    select id, event_id, event_type, state, history, due_at, created_at, ended_at from event_deliveries
    where account_id = ${accountId} and subscription_id = ${subscriptionId}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(deliveryOf)
}

/** Inserts a test delivery that was sent. */
export async function insertTestDelivery(
  tx: Executor,
  accountId: string,
  { subscriptionId, delivery, event }: { readonly subscriptionId: string; readonly delivery: Delivery; readonly event: string },
): Promise<void> {
  const { id, eventType, state, history, createdAt, endedAt } = delivery
  await sql`
    insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, attempts, history, created_at, ended_at)
    values (${id}, ${accountId}, ${subscriptionId}, ${eventType}, ${event}, ${state}, ${history.length}, ${JSON.stringify(history)}::jsonb,
      ${createdAt}, ${endedAt ?? null})`.execute(tx)
}

/** Why and when pending deliveries are failed. */
export interface Abandonment {
  readonly reason: string
  readonly at: Date
}

/**
 * Fails pending deliveries of a subscription, at most `limit`: there may be any number. `endUnsendableDeliveries` fails the rest. The caller has locked
 * the subscription, which is disabled. @returns how many
 */
export async function abandonPending(
  tx: Executor,
  accountId: string,
  { subscriptionId, limit }: { readonly subscriptionId: string; readonly limit: number },
  end: Abandonment,
): Promise<number> {
  const first = sql`
    select d.id from event_deliveries d
    where d.account_id = ${accountId} and d.subscription_id = ${subscriptionId} and d.${isPendingSql} order by d.due_at limit ${limit}`
  return abandon(tx, accountId, { subscriptionId, deliveryIds: sql`array(${first})` }, end)
}

/** The reason of dead letters of a disabled subscription. */
export function disabledBecause({ disabledReason }: Pick<Subscription, 'disabledReason'>): string {
  return disabledReason === undefined ? 'the subscription was disabled' : `the subscription was disabled: ${disabledReason}`
}

/** Fails a delivery if it is pending. The caller has locked its subscription. */
export async function abandonDelivery(
  tx: Executor,
  accountId: string,
  { subscriptionId, deliveryId }: { readonly subscriptionId: string; readonly deliveryId: string },
  end: Abandonment,
): Promise<void> {
  await abandon(tx, accountId, { subscriptionId, deliveryIds: sql`array[${deliveryId}::uuid]` }, end)
}

/** Fails deliveries that are pending, and inserts dead letters for them. @returns how many */
async function abandon(
  tx: Executor,
  accountId: string,
  { subscriptionId, deliveryIds }: { readonly subscriptionId: string; readonly deliveryIds: RawBuilder<unknown> },
  { reason, at }: Abandonment,
): Promise<number> {
  const event = sql`coalesce(f.event, (${eventEnvelopeQuery(sql`${accountId}`, sql`f.event_id`)}))`
  const source = sql`
    select s.account_id, s.id as subscription_id, f.id as delivery_id, f.attempts, json_build_object('url', s.url, 'event', ${event}) as payload
    from failed f join event_subscriptions s on s.account_id = ${accountId} and s.id = ${subscriptionId}`
  const { numAffectedRows } = await sql`
    with failed as (
      update event_deliveries set state = 'failed', ended_at = ${at}, due_at = null, claimed_until = null
      where id = any(${deliveryIds}) and account_id = ${accountId} and subscription_id = ${subscriptionId} and ${isPendingSql}
      returning id, event_id, event, attempts
    )
    ${insertDeliveryDeadLetters(source, reason, at)}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Makes a failed delivery pending again, or inserts it with the same id where its row was deleted. */
export async function requeueDelivery(
  tx: Executor,
  accountId: string,
  { id, subscriptionId, payload }: { readonly id: string; readonly subscriptionId: string; readonly payload: string },
  at: Date,
): Promise<void> {
  const { type, event } = eventIn(payload)
  await sql`
    insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
    values (${id}, ${accountId}, ${subscriptionId}, ${type}, ${event}::json, 'pending', ${at}::timestamptz, ${at}::timestamptz)
    on conflict (id) do update set state = 'pending', attempts = 0, due_at = excluded.due_at, ended_at = null, event = excluded.event
    where event_deliveries.${hasFailedSql}`.execute(tx)
}

const writtenPayload = /^\{"url" : "(?:[^"\\]|\\.)*", "event" : (?<event>\{[\s\S]*\})\}$/

/** The event of a dead letter as it was written. PostgreSQL reads no member of JSON that has the character NUL, and JavaScript no large number exactly. */
function eventIn(payload: string) {
  const { event }: { readonly event: { readonly type: string } } = JSON.parse(payload)
  return { type: event.type, event: writtenPayload.exec(payload)?.groups?.['event'] ?? JSON.stringify(event) }
}

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    eventId: row.event_id ?? undefined,
    eventType: row.event_type,
    state: row.state,
    history: row.history,
    dueAt: row.due_at ?? undefined,
    createdAt: row.created_at,
    endedAt: row.ended_at ?? undefined,
  }
}
