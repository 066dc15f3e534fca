import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { type ClaimedDelivery, claimDueDeliveries, releaseClaim } from './delivery-claims.ts'
import type { AttemptOutcome } from './send.ts'
import { recordOutcome } from './record-outcome.ts'

const limits = { limit: 10, idleLimit: 10, perAccountMax: 10, perSubscriptionMax: 2, leaseMs: 60_000 }
const outcome = (kind: AttemptOutcome['kind']): AttemptOutcome => ({
  kind,
  at: new Date(),
  durationMs: 5,
  status: kind === 'delivered' ? 204 : kind === 'gone' ? 410 : 500,
  error: kind === 'delivered' ? undefined : 'refused',
  retryAfterMs: undefined,
})

/** A subscription with so many deliveries that are due. */
async function insertDue(db: Kysely<Rows>, count: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with a as (insert into accounts (id, name) values (gen_random_uuid(), 'x') returning id),
    s as (
      insert into event_subscriptions (id, account_id, name, url, types, enabled, secret, revision, created_at, created_by, updated_at, updated_by)
      select millrace_uuid_v7(), a.id, 'x', 'http://x', '{a}', true, '\\x00', 1, now(), 'x', now(), 'x' from a returning id, account_id
    ), d as (
      insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
      select millrace_uuid_v7(), s.account_id, s.id, 'a', '{"n":1}', 'pending', now() - make_interval(secs => n), now() from s, generate_series(1, ${count}) n
    )
    select id from s`.execute(db)
  return rows[0]?.id ?? ''
}

/** Ends all claims, as after the death of their processes. */
const endClaims = (db: Kysely<Rows>) =>
  sql`update event_deliveries set due_at = now(), claimed_until = now() where claimed_until is not null`.execute(db)

async function statesOf(db: Kysely<Rows>): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select state, attempts, jsonb_array_length(history) as attempts_recorded from event_deliveries order by state, attempts, attempts_recorded`.execute(
    db,
  )
  return rows
}

function only(claimed: readonly ClaimedDelivery[]): ClaimedDelivery {
  const [first] = claimed
  if (first === undefined || claimed.length > 1) throw new Error(`${claimed.length} deliveries were claimed`)
  return first
}

test('the claimed deliveries of one subscription are bounded, the oldest are claimed first, and each is claimed once', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const [one, other] = [await insertDue(db, 5), await insertDue(db, 1)]
  const first = await claimDueDeliveries(db, limits)
  expect(first.map(({ subscriptionId }) => subscriptionId).toSorted()).toEqual([one, one, other].toSorted())
  expect(await claimDueDeliveries(db, limits)).toEqual([])
  await recordOutcome(db, first.find(({ subscriptionId }) => subscriptionId === one) ?? only([]), outcome('delivered'), 0.5)
  const next = only(await claimDueDeliveries(db, limits))
  expect(first.map(({ id }) => id)).not.toContain(next.id)
  expect(await claimDueDeliveries(db, { ...limits, perSubscriptionMax: 10, limit: 1, idleLimit: 1 })).toHaveLength(1)
})

test('concurrent claims never claim a delivery twice', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  for (let count = 0; count < 5; count++) await insertDue(db, 4)
  const takes = await Promise.all(Array.from({ length: 6 }, () => claimDueDeliveries(db, limits)))
  const ids = takes.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const { rows } = await sql<{ most: number }>`
    select max(n)::int as most from (select count(*) as n from event_deliveries where claimed_until > now() group by subscription_id) c`.execute(
    db,
  )
  expect(rows).toEqual([{ most: 2 }])
})

test('the outcome of a slow process is ignored once another process has claimed the delivery', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  await insertDue(db, 1)
  const slow = only(await claimDueDeliveries(db, limits))
  await endClaims(db)
  const quick = only(await claimDueDeliveries(db, limits))
  expect([slow.id === quick.id, slow.attempt, quick.attempt]).toEqual([true, 1, 2])
  await recordOutcome(db, slow, outcome('delivered'), 0.5)
  await recordOutcome(db, slow, outcome('gone'), 0.5)
  await releaseClaim(db, slow)
  expect(await statesOf(db)).toEqual([{ state: 'pending', attempts: 2, attempts_recorded: 0 }])
  expect((await sql`select from event_subscriptions where enabled`.execute(db)).rows).toHaveLength(1)
  await recordOutcome(db, quick, outcome('delivered'), 0.5)
  expect(await statesOf(db)).toEqual([{ state: 'delivered', attempts: 2, attempts_recorded: 1 }])
})

test('no delivery of a disabled or deleted subscription is claimed', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const [disabled, gone] = [await insertDue(db, 1), await insertDue(db, 1)]
  await sql`update event_subscriptions set enabled = false where id = ${disabled}`.execute(db)
  await sql`delete from event_subscriptions where id = ${gone}`.execute(db)
  expect(await claimDueDeliveries(db, limits)).toEqual([])
})

test('an attempt that fails after its subscription was disabled changes nothing of the subscription', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  await insertDue(db, 1)
  const claimed = only(await claimDueDeliveries(db, limits))
  await sql`update event_subscriptions set enabled = false`.execute(db)
  await recordOutcome(db, claimed, outcome('gone'), 0.5)
  expect((await sql`select revision, disabled_reason from event_subscriptions`.execute(db)).rows).toEqual([
    { revision: 1, disabled_reason: null },
  ])
})

test('the history keeps the latest twenty attempts', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  await insertDue(db, 1)
  for (let count = 0; count < 25; count++) {
    await sql`update event_deliveries set attempts = 0, due_at = now()`.execute(db)
    await recordOutcome(db, only(await claimDueDeliveries(db, limits)), outcome('failed'), count / 25)
  }
  expect(await statesOf(db)).toEqual([{ state: 'pending', attempts: 1, attempts_recorded: 20 }])
})

test('an outcome and a concurrent change of the subscription do not deadlock', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  for (let round = 0; round < 5; round++) {
    const id = await insertDue(db, 2)
    const claimed = await claimDueDeliveries(db, limits)
    const disable = db.transaction().execute(async (tx) => {
      await sql`update event_subscriptions set enabled = false where id = ${id}`.execute(tx)
      await sql`update event_deliveries set state = 'failed', ended_at = now(), due_at = null where subscription_id = ${id} and state = 'pending'`.execute(
        tx,
      )
    })
    await Promise.all([disable, ...claimed.map((one) => recordOutcome(db, one, outcome('failed'), 0.5))])
  }
  expect((await sql`select from event_deliveries where state = 'pending'`.execute(db)).rows).toEqual([])
})

test('the outcome of an attempt at an earlier URL changes nothing of the subscription, and the delivery is sent to the new one', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  await insertDue(db, 1)
  const old = only(await claimDueDeliveries(db, limits))
  await sql`update event_subscriptions set url = 'http://new'`.execute(db)
  await recordOutcome(db, old, outcome('gone'), 0.5)
  expect((await sql`select enabled, failing_since from event_subscriptions`.execute(db)).rows).toEqual([
    { enabled: true, failing_since: null },
  ])
  // It is due when the attempt had ended by the clock of this process.
  await sql`update event_deliveries set due_at = now()`.execute(db)
  const next = only(await claimDueDeliveries(db, limits))
  expect(next).toMatchObject({ id: old.id, url: 'http://new', attempt: 2 })
  await recordOutcome(db, next, outcome('failed'), 0.5)
  await recordOutcome(db, { ...old, attempt: 2 }, outcome('delivered'), 0.5)
  expect((await sql`select from event_subscriptions where failing_since is not null`.execute(db)).rows).toHaveLength(1)
})
