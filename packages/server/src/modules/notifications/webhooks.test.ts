import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'
import { notify } from './notify.ts'

const path = '/api/v1/notifications/preferences'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const note = (account: TestAccount, more: object = {}) =>
  notify(server.database.system, {
    accountId: account.accountId,
    roles: ['owner'],
    kind: 'execution.faulted',
    title: 'Orders: <out> of stock',
    groupKey: 'stock',
    link: '/runs/1',
    ...more,
  })

/** Sets the time of the next attempt. */
async function sendNothingFor(account: TestAccount, time: string): Promise<void> {
  await sql`
    update notification_webhooks set next_attempt_at = now() + ${time}::interval where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
}

/** How many notifications wait to be sent to the URL of the account. */
async function waitingOf(account: TestAccount): Promise<number> {
  const { rows } = await sql`
    select from notifications where account_id = ${account.accountId} and webhook_due_since is not null`.execute(server.database.system)
  return rows.length
}

const webhookOf = async (account: TestAccount) => (await account.send('GET', path)).body.webhook

test('a notification is sent to the URL once, with its count and a signature that an independent implementation verifies', async () => {
  await using receiver = await startWebhookReceiver()
  const account = await server.registerAccount()
  const set = await account.send('PUT', path, { webhook: { url: receiver.url } })
  expect(set).toMatchObject({ status: 200, body: { webhook: { url: receiver.url, format: 'standard', failingSince: null } } })
  const { secret } = set.body.webhook
  expect(await webhookOf(account)).not.toHaveProperty('secret')
  const again = await account.send('PUT', path, { webhook: { url: receiver.url } })
  expect(again.body.webhook).not.toHaveProperty('secret')
  await sendNothingFor(account, '1 hour')
  await note(account)
  await note(account)
  await note(account, { kind: 'system.notice', groupKey: 'other' })
  await sendNothingFor(account, '0 s')
  await expect.poll(async () => (await webhookOf(account)).lastSentAt).not.toBeNull()
  expect(receiver.received).toHaveLength(1)
  const [request] = receiver.received
  expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
    type: 'execution.faulted',
    data: {
      id: expect.stringMatching(/^ntf_/),
      title: 'Orders: <out> of stock',
      count: 2,
      url: expect.stringMatching(/^http.*\/runs\/1$/),
    },
  })
  // A further occurrence of the same cause is not sent for a day, also if the user has read the first.
  await note(account)
  expect(await waitingOf(account)).toBe(0)
  await account.send('PATCH', '/api/v1/notifications/read-all', {})
  await note(account)
  expect(await waitingOf(account)).toBe(0)
  await sql`
    update notifications set webhook_sent_at = webhook_sent_at - interval '1 day' where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  await note(account)
  expect(await waitingOf(account)).toBe(1)
})

test.each([
  ['slack', { text: expect.stringMatching(/^Orders: &lt;out&gt; of stock\n@everyone\nhttp.*\/runs\/1$/) }],
  ['discord', { content: expect.stringMatching(/^Orders: <out> of stock\n@everyone\nhttp/), allowed_mentions: { parse: [] } }],
])('a message for %s escapes what the text of a workflow could do there', async (format, expected) => {
  await using receiver = await startWebhookReceiver(() => ({ status: 200 }))
  const account = await server.registerAccount()
  await account.send('PUT', path, { webhook: { url: receiver.url, format } })
  await note(account, { body: '@everyone' })
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual(expected)
})

test('a URL that fails is tried again later, and sending to one that is gone stops with a notification', async () => {
  const statuses = [503, 410]
  await using receiver = await startWebhookReceiver((_, number) => ({ status: statuses[number - 1] ?? 204 }))
  const account = await server.registerAccount()
  await account.send('PUT', path, { webhook: { url: receiver.url } })
  await note(account)
  await expect.poll(async () => (await webhookOf(account)).lastError).toBe('The address responded 503.')
  expect(await waitingOf(account)).toBe(1)
  expect(receiver.received).toHaveLength(1)
  await sql`update notification_webhooks set next_attempt_at = now() where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  await expect.poll(async () => (await webhookOf(account)).disabledAt).not.toBeNull()
  const listed = await account.send('GET', '/api/v1/notifications?kind=system.notice')
  expect(listed.body.data).toMatchObject([{ title: 'Your webhook for notifications was stopped', body: expect.stringContaining('410') }])
  await note(account, { groupKey: 'later' })
  expect(await waitingOf(account)).toBe(0)
  expect((await account.send('PUT', path, { webhook: { url: receiver.url } })).body.webhook.disabledAt).toBeNull()
})

test('a response of an earlier URL does not stop sending to the one that was set meanwhile', async () => {
  const { promise: later, resolve } = Promise.withResolvers<void>()
  await using gone = await startWebhookReceiver(async () => {
    await later
    return { status: 410 }
  })
  await using receiver = await startWebhookReceiver()
  const account = await server.registerAccount()
  await account.send('PUT', path, { webhook: { url: gone.url } })
  await note(account)
  await expect.poll(() => gone.received.length).toBe(1)
  await account.send('PUT', path, { webhook: { url: receiver.url } })
  resolve()
  await expect.poll(() => receiver.received.length).toBe(1)
  await expect.poll(async () => (await webhookOf(account)).lastSentAt).not.toBeNull()
  expect(await webhookOf(account)).toMatchObject({ disabledAt: null, failingSince: null, lastError: null })
})

test('kinds that the user switched off are not sent, null removes the URL, and an unusable one is refused with its pointer', async () => {
  const account = await server.registerAccount()
  const kinds = [{ kind: 'execution.faulted', webhook: false }]
  await account.send('PUT', path, { webhook: { url: 'https://chat.example/hook' }, kinds })
  await note(account)
  expect(await waitingOf(account)).toBe(0)
  await note(account, { kind: 'quota.near' })
  expect(await waitingOf(account)).toBe(1)
  expect((await account.send('PUT', path, { webhook: null })).body.webhook).toBeNull()
  expect(await waitingOf(account)).toBe(0)
  const unreachable = ['http://10.0.0.5/hook', 'http://[::ffff:192.168.0.1]/hook', 'http://169.254.169.254/hook']
  for (const url of ['ftp://chat.example', 'https://user:pw@chat.example', 'chat', ...unreachable])
    expect(await account.send('PUT', path, { webhook: { url } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/webhook/url' }] },
    })
})

test('a URL that does not respond does not stop the others', async () => {
  const { promise: later, resolve } = Promise.withResolvers<void>()
  await using silent = await startWebhookReceiver(async () => {
    await later
    return { status: 204 }
  })
  await using receiver = await startWebhookReceiver()
  const [slow, other] = [await server.registerAccount(), await server.registerAccount()]
  await slow.send('PUT', path, { webhook: { url: silent.url } })
  await other.send('PUT', path, { webhook: { url: receiver.url } })
  await note(slow)
  await note(other)
  await expect.poll(() => receiver.received.length).toBe(1)
  await expect.poll(() => silent.received.length).toBe(1)
  expect((await webhookOf(slow)).lastSentAt).toBeNull()
  resolve()
  await expect.poll(async () => (await webhookOf(slow)).lastSentAt).not.toBeNull()
})

test('a test is sent to the URL at once and reports the response, and is refused without a URL', async () => {
  const statuses = [204, 403]
  await using receiver = await startWebhookReceiver((_, number) => ({ status: statuses[number - 1] ?? 204 }))
  const account = await server.registerAccount()
  const send = () => account.send('POST', `${path}/webhook/test`)
  expect(await send()).toMatchObject({ status: 409 })
  await account.send('PUT', path, { webhook: { url: receiver.url, format: 'slack' } })
  expect(await send()).toMatchObject({ status: 200, body: { delivered: true, status: null, error: null } })
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ text: expect.stringContaining('Test of your notifications') })
  expect((await send()).body).toEqual({ delivered: false, status: 403, error: 'The address responded 403.' })
  expect(await webhookOf(account)).toMatchObject({ failingSince: null, disabledAt: null })
})
