import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#testing/database.ts'
import { type ClaimedDelivery, claimDueDeliveries, releaseClaim } from './delivery-claims.ts'
import { type DeliveryState, deliveryStates, deliveryTransitions, mayFollow } from './delivery-state.ts'
import { abandonPending, insertTestDelivery, requeueDelivery } from './delivery-store.ts'
import { recordOutcome } from './record-outcome.ts'
import { attemptsMax } from './retry-schedule.ts'
import type { AttemptOutcome } from './send.ts'

const at = new Date()
const limits = { limit: 10, idleLimit: 10, perAccountMax: 10, perSubscriptionMax: 10, leaseMs: 60_000 }

interface Subscription {
  readonly accountId: string
  readonly subscriptionId: string
}

/** A statement that changes the rows of `event_deliveries`, on the delivery `claimed`. */
type Statement = (db: Kysely<Rows>, claimed: ClaimedDelivery) => Promise<unknown>

function outcome(kind: AttemptOutcome['kind']): AttemptOutcome {
  return { kind, at, durationMs: 5, status: undefined, error: kind === 'delivered' ? undefined : 'refused', retryAfterMs: undefined }
}

const statements: Readonly<Record<string, Statement>> = {
  claimDueDeliveries: (db) => claimDueDeliveries(db, limits),
  releaseClaim: (db, claimed) => releaseClaim(db, claimed),
  'recordOutcome of a success': (db, claimed) => recordOutcome(db, claimed, outcome('delivered'), 0.5),
  'recordOutcome of a failure': (db, claimed) => recordOutcome(db, claimed, outcome('failed'), 0.5),
  'recordOutcome of the last failure': async (db, claimed) => {
    await sql`update event_deliveries set attempts = ${attemptsMax}`.execute(db)
    await recordOutcome(db, { ...claimed, attempt: attemptsMax }, outcome('failed'), 0.5)
  },
  'recordOutcome of an endpoint that no longer exists': (db, claimed) => recordOutcome(db, claimed, outcome('gone'), 0.5),
  abandonPending: (db, { accountId, subscriptionId }) =>
    abandonPending(db, accountId, { subscriptionId, limit: 10 }, { reason: 'the subscription was disabled', at }),
  requeueDelivery: (db, { id, accountId, subscriptionId }) =>
    requeueDelivery(db, accountId, { id, subscriptionId, payload: '{"event":{"type":"a"}}' }, at),
}

async function insertSubscription(db: Kysely<Rows>): Promise<Subscription> {
  const { rows } = await sql<{ readonly id: string; readonly account_id: string }>`
    with a as (insert into accounts (id, name) values (gen_random_uuid(), 'x') returning id)
    insert into event_subscriptions (id, account_id, name, url, types, enabled, secret, revision, created_at, created_by, updated_at, updated_by)
    select millrace_uuid_v7(), a.id, 'x', 'http://x', '{a}', true, '\\x00', 1, now(), 'x', now(), 'x' from a returning id, account_id`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the subscription was not inserted')
  return { accountId: row.account_id, subscriptionId: row.id }
}

/** Inserts a delivery after its first attempt. */
async function insertDelivery(db: Kysely<Rows>, subscription: Subscription, state: DeliveryState): Promise<ClaimedDelivery> {
  const { accountId, subscriptionId } = subscription
  const id = newId()
  const isPending = state === 'pending'
  await sql`insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, attempts, due_at, created_at, ended_at)
    values (${id}, ${accountId}, ${subscriptionId}, 'a', '{"type":"a"}', ${state}, 1, ${isPending ? at : null}, ${at}, ${isPending ? null : at})`.execute(
    db,
  )
  return { id, accountId, subscriptionId, url: 'http://x', attempt: 1, body: '{}', depth: 0, secret: Buffer.from([0]), previous: undefined }
}

async function stateOf(db: Kysely<Rows>, id: string): Promise<DeliveryState | undefined> {
  const { rows } = await sql<{ readonly state: DeliveryState }>`select state from event_deliveries where id = ${id}`.execute(db)
  return rows[0]?.state
}

describe('the states of a delivery', () => {
  test('every statement makes only the transitions of the table, and together they make all of them', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    const observed = new Set<string>()
    for (const [name, run] of Object.entries(statements))
      for (const before of deliveryStates) {
        const delivery = await insertDelivery(db, await insertSubscription(db), before)
        await run(db, delivery)
        const after = await stateOf(db, delivery.id)
        if (after === before) continue
        expect(after !== undefined && mayFollow(before, after), `${name}: ${before} -> ${after}`).toBe(true)
        observed.add(`${before} -> ${after}`)
      }
    const allowed = deliveryStates.flatMap((from) => deliveryTransitions[from].map((to) => `${from} -> ${to}`))
    expect([...observed].toSorted()).toEqual(allowed.toSorted())
  })

  test('a delivery begins pending, and a test delivery has ended when it is inserted', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    const { accountId, subscriptionId } = await insertSubscription(db)
    await sql`insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at)
      values (millrace_uuid_v7(), ${accountId}, '/test', '1', 'a', '{}', now(), now() + interval '1 hour')`.execute(db)
    const { rows } = await sql`select state from event_deliveries`.execute(db)
    expect(rows).toEqual([{ state: 'pending' }])
    for (const state of ['delivered', 'failed'] as const) {
      const id = newId()
      const delivery = { id, eventId: undefined, eventType: 'a', state, history: [], dueAt: undefined, createdAt: at, endedAt: at }
      await insertTestDelivery(db, accountId, { subscriptionId, delivery, event: '{}' })
      expect(await stateOf(db, id)).toBe(state)
    }
  })
})
