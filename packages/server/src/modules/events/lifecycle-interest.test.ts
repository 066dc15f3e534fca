import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'
import { watchLifecycleInterest } from './lifecycle-interest.ts'

async function insertAccount(db: Kysely<Rows>): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into accounts (id, name) values (gen_random_uuid(), 'x') returning id`.execute(db)
  return rows[0]?.id ?? ''
}

async function subscribe(db: Kysely<Rows>, types: readonly string[], enabled = true): Promise<string> {
  const account = await insertAccount(db)
  await sql`insert into event_subscriptions (id, account_id, name, url, types, enabled, secret, revision, created_at, created_by, updated_at, updated_by)
    values (millrace_uuid_v7(), ${account}, 'x', 'http://x', ${types}, ${enabled}, '\\x00', 1, now(), 'x', now(), 'x')`.execute(db)
  return account
}

async function listen(db: Kysely<Rows>, filter: object, type: string | null): Promise<string> {
  const account = await insertAccount(db)
  await sql`insert into event_filters (account_id, id, type, filter, used_at) values (${account}, 'f', ${type}, ${JSON.stringify(filter)}, now())`.execute(
    db,
  )
  return account
}

const started = 'io.serverlessworkflow.workflow.started.v1'
const onError = (error: unknown) => {
  throw error
}

test('only accounts with subscriptions or listeners for lifecycle events get them', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const interested = [
    await subscribe(db, ['a', 'io.serverlessworkflow.*']),
    await subscribe(db, [started]),
    await listen(db, { with: { type: started } }, started),
    await listen(db, { with: { type: String.raw`io\..*` } }, null),
  ]
  const others = [
    await subscribe(db, ['*', 'io.*', 'com.example.a']),
    await subscribe(db, [started], false),
    await listen(db, { with: { type: 'com.example.a' } }, 'com.example.a'),
    await listen(db, { with: { source: '/a' } }, null),
    await listen(db, {}, null),
    await insertAccount(db),
  ]
  const interest = await watchLifecycleInterest({ db, onError })
  expect(interested.map(interest.wanted)).toEqual(interested.map(() => true))
  expect(others.map(interest.wanted)).toEqual(others.map(() => false))
  await interest.stop()
})

test('a changed interest is noticed within a moment, and a failed read changes nothing', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const errors: unknown[] = []
  const interest = await watchLifecycleInterest({ db, onError: (error) => void errors.push(error), everyMs: 20 })
  const account = await subscribe(db, [started])
  await expect.poll(() => interest.wanted(account)).toBe(true)
  await sql`alter table event_filters rename to hidden`.execute(db)
  await expect.poll(() => errors.length).toBeGreaterThan(0)
  expect(interest.wanted(account)).toBe(true)
  await sql`alter table hidden rename to event_filters`.execute(db)
  await sql`update event_subscriptions set enabled = false`.execute(db)
  await expect.poll(() => interest.wanted(account)).toBe(false)
  await interest.stop()
})

test('a subscription receives the lifecycle events of its account, with the ids of the API', async () => {
  await using receiver = await startWebhookReceiver()
  await using server = await createTestServer()
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  await account.client.eventSubscriptions.create({
    body: { name: 'x', url: receiver.url, types: ['io.serverlessworkflow.workflow.completed.*'] },
  })
  const foreign = await other.client.workflows.create({ body: { definition: documentOf(greets) } })
  const received = () => receiver.received.map(({ body }) => JSON.parse(body))
  const run = async () => {
    await other.client.workflows.execute({ params: { id: foreign.id }, body: { input: { name: 'B' } } })
    const execution = await account.client.workflows.execute({ params: { id }, body: { input: { name: 'A' } } })
    return received().some(({ subject }) => subject === execution.id)
  }
  await expect.poll(async () => (await run()) || received().length > 0, { interval: 200 }).toBe(true)
  const { data } = await account.client.workflows.executions({ params: { id }, query: { limit: 100 } })
  const own = data.map((execution) => execution.id)
  for (const event of received()) {
    expect(event.type).toBe('io.serverlessworkflow.workflow.completed.v1')
    expect(own).toContain(event.subject)
  }
})
