import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { claimDueDeliveries } from './delivery-claims.ts'

const limits = { limit: 64, idleLimit: 128, perAccountMax: 16, perSubscriptionMax: 4, leaseMs: 60_000 }

/** An account with so many subscriptions, each with so many deliveries that have been due for about a minute. */
async function insertAccount(db: Kysely<Rows>, subscriptions: number, deliveries: number, ageSeconds = 60): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with a as (insert into accounts (id, name) values (gen_random_uuid(), 'x') returning id),
    s as (
      insert into event_subscriptions (id, account_id, name, url, types, enabled, secret, revision, created_at, created_by, updated_at, updated_by)
      select millrace_uuid_v7(), a.id, 'x', 'http://x', '{a}', true, '\\x00', 1, now(), 'x', now(), 'x' from a, generate_series(1, ${subscriptions})
      returning id, account_id
    ), d as (
      insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
      select millrace_uuid_v7(), s.account_id, s.id, 'a', '{"n":1}', 'pending', now() - make_interval(secs => ${ageSeconds} + n / 1000.0), now()
      from s, generate_series(1, ${deliveries}) n
    )
    select id from a`.execute(db)
  return rows[0]?.id ?? ''
}

/** How many deliveries are taken on, for each account. */
async function claim(db: Kysely<Rows>, options = limits): Promise<ReadonlyMap<string, number>> {
  const claimed = await claimDueDeliveries(db, options)
  return new Map([...Map.groupBy(claimed, ({ accountId }) => accountId)].map(([accountId, all]) => [accountId, all.length]))
}

test('an account with 10,000 deliveries sends no more at a time than its share, and another account sends at once', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const many = await insertAccount(db, 100, 100)
  expect(await claim(db)).toEqual(new Map([[many, 16]]))
  expect(await claim(db)).toEqual(new Map())
  const few = await insertAccount(db, 1, 2, 0)
  expect(await claim(db)).toEqual(new Map([[few, 2]]))
})

test('accounts alternate when the limit of attempts is reached', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const [many, few] = [await insertAccount(db, 10, 10), await insertAccount(db, 1, 4, 0)]
  expect(await claim(db, { ...limits, limit: 6, idleLimit: 6 })).toEqual(
    new Map([
      [many, 3],
      [few, 3],
    ]),
  )
})

test('an account without claimed deliveries can send when other accounts use the whole limit', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const busy = await Promise.all([1, 2, 3].map(() => insertAccount(db, 2, 10)))
  expect([...(await claim(db)).values()]).toEqual([8, 8, 8])
  const idle = await insertAccount(db, 1, 5, 0)
  expect(await claim(db, { ...limits, limit: 0, idleLimit: 5, perSubscriptionMax: 10 })).toEqual(new Map([[idle, 1]]))
  expect(busy).not.toContain(idle)
})

test('the subscriptions of one account share its limit', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  await insertAccount(db, 5, 10)
  const claimed = await claimDueDeliveries(db, { ...limits, perAccountMax: 10 })
  expect([...Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId).values()].map((all) => all.length)).toEqual([2, 2, 2, 2, 2])
})

test.each([
  ['disabled', sql`update event_subscriptions set enabled = false where account_id = `],
  ['deleted', sql`delete from event_subscriptions where account_id = `],
])('pending deliveries of %s subscriptions take no turn from others', async (_, change) => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const stuck = await Promise.all(Array.from({ length: 70 }, () => insertAccount(db, 1, 1)))
  for (const accountId of stuck) await sql`${change} ${accountId}`.execute(db)
  const other = await insertAccount(db, 1, 2, 0)
  expect(await claim(db)).toEqual(new Map([[other, 2]]))
})
