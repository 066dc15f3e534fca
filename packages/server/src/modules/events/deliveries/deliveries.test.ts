import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startServerProcess } from '#testing/server-process.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

const path = '/api/v1/events/subscriptions'
let ids = 0

/** Publishes one event; gives its id. */
async function publish(account: TestAccount, type = 'com.example.order', data: object = {}): Promise<string> {
  const id = `d${++ids}`
  const { status, body } = await account.send('POST', '/api/v1/events', { specversion: '1.0', id, source: '/shop', type, data })
  expect([status, body.accepted]).toEqual([200, 1])
  return id
}

async function subscribe(account: TestAccount, url: string, types: readonly string[] = ['com.example.*']) {
  const { body } = await account.send('POST', path, { name: 'x', url, types })
  return { id: String(body.id), secret: String(body.secret) }
}

async function deliveriesOf(account: TestAccount, id: string, query = '') {
  return (await account.send('GET', `${path}/${id}/deliveries${query}`)).body.data
}

const stateOf = async (account: TestAccount, id: string) => (await deliveriesOf(account, id)).map((one: { state: string }) => one.state)

/** Lets the time come of whatever is pending. */
async function hurry(server: TestServer): Promise<void> {
  await sql`update event_deliveries set due_at = now() where state = 'pending' and claimed_until is null`.execute(server.database.system)
}

const lettersOf = async (account: TestAccount) => (await account.send('GET', '/api/v1/queue/dead-letter')).body.data

describe('an event is delivered to the subscriptions to its type', () => {
  test('an event is delivered once, complete and with a signature that an independent implementation verifies', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id, secret } = await subscribe(account, receiver.url)
    const eventId = await publish(account, 'com.example.order', { note: 'Grüße', deep: { n: 1 } })
    await expect.poll(() => stateOf(account, id)).toEqual(['delivered'])
    expect(receiver.received).toHaveLength(1)
    const [request] = receiver.received
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
      specversion: '1.0',
      id: eventId,
      type: 'com.example.order',
      datacontenttype: 'application/json',
      data: { note: 'Grüße', deep: { n: 1 } },
    })
    const [delivery] = await deliveriesOf(account, id)
    expect(delivery).toMatchObject({ id: request?.headers['webhook-id'], eventType: 'com.example.order', nextAttemptAt: null })
    expect(delivery.attempts).toMatchObject([{ number: 1, status: 204, error: null }])
    expect((await account.send('GET', `/api/v1/events/${delivery.eventId}`)).body.eventId).toBe(eventId)
  })

  test('an event that a workflow emits is delivered', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url, ['com.example.emitted'])
    const definition = documentOf(
      `do:\n  - send: { emit: { event: { with: { source: 'https://a.example', type: com.example.emitted, data: { n: 7 } } } } }\n`,
    )
    const workflow = await account.client.workflows.create({ body: { definition } })
    expect((await account.send('POST', `/api/v1/execute/${workflow.id}/run`)).status).toBe(200)
    await expect.poll(() => stateOf(account, id)).toEqual(['delivered'])
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'com.example.emitted', data: { n: 7 } })
  })

  test.each([
    [['a.b'], ['a.b'], ['a.b.c', 'a.bx', 'A.b']],
    [['a.*'], ['a.b', 'a.b.c', 'a.'], ['a', 'b.a.b']],
    [['*'], ['a', 'anything at all'], ['io.serverlessworkflow.task.started.v1']],
    [['io.*'], ['io.example'], ['io.serverlessworkflow.task.started.v1']],
    [['io.serverlessworkflow.task.*'], ['io.serverlessworkflow.task.started.v1'], ['io.serverlessworkflow.workflow.started.v1']],
    [['io.serverlessworkflow.*'], ['io.serverlessworkflow.workflow.started.v1'], ['io.example']],
    [
      ['a%b', 'c_d'],
      ['a%b', 'c_d'],
      ['axb', 'cxd'],
    ],
  ])('%j are those of %j and not of %j', async (types, matching, others) => {
    await using db = await createTestDatabase()
    const passes = async (type: string) =>
      (await sql<{ passes: boolean }>`select event_type_matches(${type}, ${types}) as passes`.execute(db.database.system)).rows[0]?.passes
    for (const type of matching) expect([type, await passes(type)]).toEqual([type, true])
    for (const type of others) expect([type, await passes(type)]).toEqual([type, false])
  })

  test('an event is not delivered to another account, another type, a disabled subscription, or twice', async () => {
    await using server = await createTestServer()
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    await subscribe(other, 'http://127.0.0.1:9/', ['*'])
    await subscribe(account, 'http://127.0.0.1:9/', ['com.example.other'])
    const { id } = await subscribe(account, 'http://127.0.0.1:9/')
    await account.send('PUT', `${path}/${id}`, { enabled: false })
    await publish(account)
    const count = async () => (await sql`select from event_deliveries`.execute(server.database.system)).rows.length
    expect(await count()).toBe(0)
    await account.send('PUT', `${path}/${id}`, { enabled: true })
    const event = { specversion: '1.0', id: 'twice', source: '/shop', type: 'com.example.order' }
    await account.send('POST', '/api/v1/events', [event, event])
    await account.send('POST', '/api/v1/events', event)
    expect(await count()).toBe(1)
  })
})

describe('an attempt that fails', () => {
  test('a failed attempt is retried under the same id, and the history has every attempt', async () => {
    await using receiver = await startWebhookReceiver((_, number) => ({ status: number < 3 ? 503 : 200 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    await publish(account)
    const attempts = async () => (await deliveriesOf(account, id))[0].attempts.length
    await expect.poll(attempts).toBe(1)
    const [first] = await deliveriesOf(account, id)
    expect(first.state).toBe('pending')
    // Five seconds, more or less a fifth, and what a busy machine needs to record the attempt.
    const [{ at, durationMs }] = first.attempts
    const pauseMs = Date.parse(first.nextAttemptAt) - Date.parse(at) - durationMs
    expect(pauseMs).toBeGreaterThanOrEqual(4_000)
    expect(pauseMs).toBeLessThanOrEqual(30_000)
    expect((await account.send('GET', `${path}/${id}`)).body.failingSince).toBe(first.attempts[0].at)
    await hurry(server)
    await expect.poll(attempts).toBe(2)
    await hurry(server)
    await expect.poll(() => stateOf(account, id)).toEqual(['delivered'])
    const [delivery] = await deliveriesOf(account, id)
    expect(delivery.attempts.map(({ number, status }: { number: number; status: number }) => [number, status])).toEqual([
      [1, 503],
      [2, 503],
      [3, 200],
    ])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.id]))
    expect((await account.send('GET', `${path}/${id}`)).body.failingSince).toBeNull()
  })

  test('a retry waits as long as Retry-After says', async () => {
    await using receiver = await startWebhookReceiver(() => ({ status: 429, headers: { 'retry-after': '3600' } }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    await publish(account)
    await expect.poll(async () => (await deliveriesOf(account, id))[0].attempts.length).toBe(1)
    const [{ nextAttemptAt, attempts }] = await deliveriesOf(account, id)
    expect(Date.parse(nextAttemptAt) - Date.parse(attempts[0].at)).toBeGreaterThanOrEqual(3_600_000)
  })

  test('the last failed attempt makes the delivery a dead letter with all its data', async () => {
    await using receiver = await startWebhookReceiver(() => ({ status: 500 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    const eventId = await publish(account, 'com.example.order', { n: 1 })
    await expect.poll(async () => (await deliveriesOf(account, id))[0].attempts.length).toBe(1)
    await sql`update event_deliveries set attempts = 10, due_at = now()`.execute(server.database.system)
    await expect.poll(() => stateOf(account, id)).toEqual(['failed'])
    const [delivery] = await deliveriesOf(account, id)
    const [letter] = await lettersOf(account)
    expect(letter).toMatchObject({
      kind: 'event_delivery',
      reason: '11 attempts failed; the last: the endpoint responded 500',
      attempts: 11,
      subscriptionId: id,
      deliveryId: delivery.id,
      executionId: null,
      replayedAt: null,
    })
    const { payload } = (await account.send('GET', `/api/v1/queue/dead-letter/${letter.id}`)).body
    expect(payload).toMatchObject({ url: receiver.url, event: { id: eventId, data: { n: 1 } } })
    expect((await account.send('GET', `${path}/${id}`)).body.enabled).toBe(true)
  })
})

describe('a disabled subscription has a reason, and its pending deliveries become dead letters', () => {
  test('a subscription is disabled when its endpoint responds 410', async () => {
    await using receiver = await startWebhookReceiver((_, number) => ({ status: number === 1 ? 410 : 204 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    await publish(account)
    await expect.poll(() => stateOf(account, id)).toEqual(['failed'])
    expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({
      enabled: false,
      disabledReason: 'the endpoint responded 410 Gone',
      revision: 2,
    })
    expect(await lettersOf(account)).toMatchObject([{ reason: expect.stringContaining('410'), attempts: 1 }])
    await publish(account)
    expect(await stateOf(account, id)).toEqual(['failed'])
    const enabled = await account.send('PUT', `${path}/${id}`, { enabled: true })
    expect(enabled.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null })
    await publish(account)
    await expect.poll(() => stateOf(account, id)).toEqual(['delivered', 'failed'])
  })

  test('a subscription is disabled when its endpoint accepted nothing for five days, and not before', async () => {
    await using receiver = await startWebhookReceiver(() => ({ status: 500 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    await publish(account)
    const failedFor = (time: string) =>
      sql`update event_subscriptions set failing_since = now() - ${time}::interval`.execute(server.database.system)
    await expect.poll(async () => (await deliveriesOf(account, id))[0].attempts.length).toBe(1)
    await failedFor('4 days 23 hours')
    await hurry(server)
    await expect.poll(async () => (await deliveriesOf(account, id))[0].attempts.length).toBe(2)
    expect((await account.send('GET', `${path}/${id}`)).body.enabled).toBe(true)
    await failedFor('5 days')
    await publish(account)
    await hurry(server)
    await expect.poll(async () => (await account.send('GET', `${path}/${id}`)).body.enabled).toBe(false)
    expect((await account.send('GET', `${path}/${id}`)).body.disabledReason).toMatch(/^nothing was delivered since .*500$/)
    expect(await stateOf(account, id)).toEqual(['failed', 'failed'])
    expect(await lettersOf(account)).toHaveLength(2)
  })

  test('a user can disable a subscription', async () => {
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await subscribe(account, 'http://127.0.0.1:9/')
    await publish(account)
    await publish(account)
    await account.send('PUT', `${path}/${id}`, { enabled: false })
    expect(await stateOf(account, id)).toEqual(['failed', 'failed'])
    expect((await lettersOf(account)).map((letter: { reason: string }) => letter.reason)).toEqual(
      Array.from({ length: 2 }, () => 'the subscription was disabled'),
    )
    expect((await account.send('GET', `${path}/${id}`)).body.disabledReason).toBeNull()
  })
})

describe('deliveries across crashes and shutdowns', () => {
  test('an event and its deliveries are inserted by one statement', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    await subscribe(account, 'http://127.0.0.1:9/')
    const insert = (id: string) => sql`insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at)
      values (millrace_uuid_v7(), ${account.accountId}, '/x', ${id}, 'com.example.a', '{}', now(), now())`
    const db = server.database.system
    const failing = db.transaction().execute(async (tx) => {
      await insert('lost').execute(tx)
      throw new Error('the process dies')
    })
    await expect(failing).rejects.toThrow('the process dies')
    expect((await sql`select from event_deliveries`.execute(db)).rows).toHaveLength(0)
    await insert('kept').execute(db)
    expect((await sql`select from event_deliveries`.execute(db)).rows).toHaveLength(1)
  })

  test('a delivery that a dead process had claimed is sent by another process when the claim ends', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    await publish(account)
    // As a process that died after its claim leaves it.
    const taken = sql`update event_deliveries set attempts = 1, due_at = now() + interval '2 seconds', claimed_until = now() + interval '2 seconds'`
    await taken.execute(server.database.system)
    await server.startSecond({ MILLRACE_ROLES: 'worker' })
    await expect.poll(() => stateOf(account, id)).toEqual(['delivered'])
    const [delivery] = await deliveriesOf(account, id)
    expect(delivery.attempts).toMatchObject([{ number: 2, status: 204 }])
    expect(receiver.received).toHaveLength(1)
  })

  test('an attempt that a kill interrupted is repeated under the same id', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    await using receiver = await startWebhookReceiver((_, number) => {
      ask()
      return number === 1 ? new Promise(() => undefined) : { status: 204 }
    })
    // Processes that share a database share the key that its secrets are sealed under.
    const environment = { MILLRACE_SECRET_KEY: 'ab'.repeat(32), MILLRACE_ROLES: 'api' }
    await using server = await createTestServer(environment)
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    await using process = await startServerProcess({ ...environment, DATABASE_URL: server.databaseUrl, MILLRACE_ROLES: 'worker' })
    await publish(account)
    await asked
    await process.kill()
    const db = server.database.system
    const { rows } = await sql<{ left: number }>`
      select extract(epoch from claimed_until - now())::int as left from event_deliveries where state = 'pending' and attempts = 1`.execute(
      db,
    )
    expect(rows[0]?.left).toBeGreaterThan(30)
    // The end of the claim, after a minute.
    await sql`update event_deliveries set due_at = now(), claimed_until = now()`.execute(db)
    await server.startSecond({ MILLRACE_ROLES: 'worker' })
    await expect.poll(() => stateOf(account, id)).toEqual(['delivered'])
    const [first, second] = receiver.received
    expect(receiver.received).toHaveLength(2)
    expect([second?.headers['webhook-id'], second?.body]).toEqual([first?.headers['webhook-id'], first?.body])
  })

  test('a server that closes releases unfinished deliveries without counting an attempt', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    await using receiver = await startWebhookReceiver((_, number) => {
      ask()
      return number === 1 ? new Promise(() => undefined) : { status: 204 }
    })
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const { id } = await subscribe(account, receiver.url)
    await publish(account)
    const worker = await server.startSecond({ MILLRACE_ROLES: 'worker', MILLRACE_SHUTDOWN_SECONDS: '1' })
    await asked
    await worker.close()
    const { rows } = await sql`select attempts, claimed_until, state, due_at <= now() as due from event_deliveries`.execute(
      server.database.system,
    )
    expect(rows).toEqual([{ attempts: 0, claimed_until: null, state: 'pending', due: true }])
    await server.startSecond({ MILLRACE_ROLES: 'worker' })
    await expect.poll(() => stateOf(account, id)).toEqual(['delivered'])
  })

  test('two processes together keep the limit of concurrent sends to one endpoint, and send everything once', async () => {
    let now = 0
    let most = 0
    await using receiver = await startWebhookReceiver(async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      now--
      return { status: 204 }
    })
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    await subscribe(account, receiver.url)
    const all = Array.from({ length: 60 }, (_, index) => ({
      specversion: '1.0',
      id: `m${index}`,
      source: '/shop',
      type: 'com.example.many',
    }))
    await account.send('POST', '/api/v1/events', all)
    await Promise.all([server.startSecond({ MILLRACE_ROLES: 'worker' }), server.startSecond({ MILLRACE_ROLES: 'worker' })])
    await expect.poll(() => receiver.received.length).toBe(60)
    expect(most).toBe(4)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60)
  })

  test('an endpoint that hangs does not delay other endpoints', async () => {
    await using slow = await startWebhookReceiver(() => new Promise(() => undefined))
    await using quick = await startWebhookReceiver()
    await using server = await createTestServer({ MILLRACE_SHUTDOWN_SECONDS: '1' })
    const account = await server.registerAccount()
    await subscribe(account, slow.url)
    const { id } = await subscribe(account, quick.url)
    for (let count = 0; count < 10; count++) await publish(account)
    await expect.poll(async () => new Set(await stateOf(account, id))).toEqual(new Set(['delivered']))
    expect(slow.received.length).toBeLessThanOrEqual(4)
  })
})

test('deliveries are listed by their state, page by page, newest first', async () => {
  await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
  const account = await server.registerAccount()
  const { id } = await subscribe(account, 'http://127.0.0.1:9/')
  for (let count = 0; count < 3; count++) await publish(account)
  await sql`update event_deliveries set state = 'delivered', due_at = null, ended_at = now() where id = (select min(id::text)::uuid from event_deliveries)`.execute(
    server.database.system,
  )
  expect(await stateOf(account, id)).toEqual(['pending', 'pending', 'delivered'])
  expect(await deliveriesOf(account, id, '?state=pending')).toHaveLength(2)
  const { body } = await account.send('GET', `${path}/${id}/deliveries?limit=2`)
  const rest = await deliveriesOf(account, id, `?limit=2&cursor=${body.nextCursor}`)
  expect(rest).toMatchObject([{ state: 'delivered' }])
})

test('each attempt with a secret that was sealed under another key fails with that reason', async () => {
  await using server = await createTestServer()
  const account = await server.registerAccount()
  const { id } = await subscribe(account, 'http://127.0.0.1:9/')
  await sql`update event_subscriptions set secret = '\\x00'`.execute(server.database.system)
  await publish(account)
  await expect
    .poll(async () => (await deliveriesOf(account, id))[0].attempts)
    .toMatchObject([{ error: 'the secret cannot be opened: rotate it', status: null }])
  expect((await account.send('POST', `${path}/${id}/test`)).body).toMatchObject({
    status: 409,
    detail: expect.stringContaining('Rotate it'),
  })
  await using receiver = await startWebhookReceiver()
  await account.send('PUT', `${path}/${id}`, { url: receiver.url })
  await account.send('POST', `${path}/${id}/rotate`, { overlap: 'PT0S' })
  await hurry(server)
  await expect.poll(() => stateOf(account, id)).toEqual(['delivered'])
})
