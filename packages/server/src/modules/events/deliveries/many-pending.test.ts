import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { endUnsendableDeliveries } from '#modules/events/retention.ts'
import { createTestServer, type TestAccount } from '#testing/server.ts'

const path = '/api/v1/events/subscriptions'

async function subscribe(account: TestAccount): Promise<string> {
  const { body } = await account.send('POST', path, { name: 'x', url: 'http://127.0.0.1:9/', types: ['com.example.*'] })
  return String(body.id)
}

describe('a subscription with more pending deliveries than end with a request', () => {
  test('is disabled at once, and enabled again only when they have ended', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const id = await subscribe(account)
    const db = server.database.system
    const pending = async () => (await sql`select from event_deliveries where state = 'pending'`.execute(db)).rows.length
    await sql`
      insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
      select millrace_uuid_v7(), s.account_id, s.id, 'com.example.a', '{}', 'pending', now(), now()
      from event_subscriptions s, generate_series(1, 250)`.execute(db)
    const enable = (enabled: boolean) => account.send('PUT', `${path}/${id}`, { enabled })
    expect((await enable(false)).body.enabled).toBe(false)
    expect(await pending()).toBe(150)
    expect(await enable(true)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('still being ended') } })
    expect(await pending()).toBe(150)
    await endUnsendableDeliveries(db, new Date(), { subscriptionsMax: 10, limit: 60 })
    expect(await pending()).toBe(0)
    expect((await enable(true)).body.enabled).toBe(true)
    expect((await sql`select from dead_letters where reason = 'the subscription was disabled'`.execute(db)).rows).toHaveLength(250)
  })

  test('is deleted with some of them, and the rest afterwards', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const id = await subscribe(account)
    const db = server.database.system
    const deliveries = async () => (await sql`select from event_deliveries`.execute(db)).rows.length
    await sql`
      insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
      select millrace_uuid_v7(), s.account_id, s.id, 'com.example.a', '{}', 'pending', now(), now()
      from event_subscriptions s, generate_series(1, 1200)`.execute(db)
    expect((await account.send('DELETE', `${path}/${id}`)).status).toBeLessThan(300)
    expect(await deliveries()).toBe(200)
    await endUnsendableDeliveries(db, new Date(), { subscriptionsMax: 10, limit: 60 })
    expect(await deliveries()).toBe(0)
  })

  test('that is enabled again soon ends the rest first', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const id = await subscribe(account)
    const db = server.database.system
    await sql`
      insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
      select millrace_uuid_v7(), s.account_id, s.id, 'com.example.a', '{}', 'pending', now(), now()
      from event_subscriptions s, generate_series(1, 130)`.execute(db)
    for (const enabled of [false, true]) expect((await account.send('PUT', `${path}/${id}`, { enabled })).body.enabled).toBe(enabled)
    expect((await sql`select from event_deliveries where state = 'failed'`.execute(db)).rows).toHaveLength(130)
  })
})
