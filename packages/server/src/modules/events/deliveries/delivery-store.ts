import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Attempt, Delivery, DeliveryState } from './model.ts'

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

/** Keeps a test that was sent. */
export async function insertTest(
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

/** Turns what is still to be delivered into dead letters. The subscription has to be locked. */
export async function giveUpPending(
  tx: Executor,
  accountId: string,
  { subscriptionId, deliveryId }: { readonly subscriptionId: string; readonly deliveryId?: string },
  { reason, at }: { readonly reason: string; readonly at: Date },
): Promise<void> {
  await sql`
    with ended as (
      update event_deliveries set state = 'failed', ended_at = ${at}, due_at = null, claimed_until = null
      where account_id = ${accountId} and subscription_id = ${subscriptionId} and state = 'pending'
        ${deliveryId === undefined ? sql`` : sql`and id = ${deliveryId}`}
      returning id, event_id, event, attempts
    )
    insert into dead_letters (id, account_id, kind, subscription_id, delivery_id, reason, attempts, payload, created_at)
    select millrace_uuid_v7(), ${accountId}, 'event_delivery', ${subscriptionId}, d.id, ${reason}, d.attempts,
      json_build_object('url', s.url, 'event', coalesce(d.event, e.envelope)), ${at}
    from ended d join event_subscriptions s on s.account_id = ${accountId} and s.id = ${subscriptionId}
      left join events e on e.account_id = ${accountId} and e.id = d.event_id`.execute(tx)
}

/** Makes a delivery that was given up pending again, or makes it anew where its row is gone. The id stays. */
export async function reviveDelivery(
  tx: Executor,
  accountId: string,
  { id, subscriptionId, payload }: { readonly id: string; readonly subscriptionId: string; readonly payload: string },
  at: Date,
): Promise<void> {
  await sql`
    insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
    select ${id}, ${accountId}, ${subscriptionId}, p.event ->> 'type', p.event, 'pending', ${at}::timestamptz, ${at}::timestamptz
    from (select ${payload}::json -> 'event' as event) p
    on conflict (id) do update set state = 'pending', attempts = 0, due_at = excluded.due_at, ended_at = null, event = excluded.event`.execute(
    tx,
  )
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
