import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** Calls the URL of its input, with a header that would hide the depth. */
const callsBack = `do:
  - again:
      call: http
      with: { method: post, endpoint: '\${ .body.url }', redirect: true, headers: { Millrace-Depth: '1' }, body: '\${ .body }' }
`

async function createHook(account: TestAccount, definition: string): Promise<string> {
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(definition) } })
  const webhook = { signature: { scheme: 'none' }, ratePerMinute: 1_000 }
  const { body } = await account.send('POST', '/api/v1/triggers/webhook', { workflowId, name: 'hook', webhook })
  return `${server.url}${new URL(body.webhook.url).pathname}`
}

async function executionsOf({ accountId }: TestAccount) {
  const { rows } = await sql<{ readonly state: string; readonly depth: number; readonly detail: string | null }>`
    select state, depth, error ->> 'detail' as detail from executions where account_id = ${accountId} order by depth`.execute(
    server.database.system,
  )
  return rows
}

async function endOf(account: TestAccount) {
  await expect.poll(async () => (await executionsOf(account)).at(-1)?.state).toBe('faulted')
  return executionsOf(account)
}

const startBy = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

test('a workflow that calls its own webhook through a redirect of another host ends after 50 executions', async () => {
  const account = await server.registerAccount()
  const hook = await createHook(account, callsBack)
  await using other = await startWebhookReceiver(() => ({ status: 307, headers: { location: hook } }))
  expect((await startBy(hook, { url: other.url })).status).toBe(200)
  const executions = await endOf(account)
  expect(executions.map(({ depth }) => depth)).toEqual(Array.from({ length: 51 }, (_, depth) => depth))
  expect(executions.at(-1)?.detail).toContain('loop_detected')
})

test('an execution that a request starts, or retries, is as deep as the request says, and a person starts at the beginning', async () => {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({
    body: { definition: documentOf('do:\n  - stop: { raise: { error: { type: "https://a.example/b", status: 400 } } }\n') },
  })
  const run = (depth: string) => account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=5', 'millrace-depth': depth })
  const { body } = await run('7')
  await run('no number')
  await account.send('POST', `/api/v1/workflows/executions/${body.id}/retry`, {}, { prefer: 'wait=5', 'millrace-depth': '12' })
  expect((await executionsOf(account)).map(({ depth }) => depth)).toEqual([0, 7, 12])
  expect(await run('51')).toMatchObject({ status: 409, body: { code: 'loop_detected' } })
  expect(await run('9'.repeat(400))).toMatchObject({ status: 409, body: { code: 'loop_detected' } })
})

test('the delivery of an event says how many executions caused it, and so does an event that a request publishes', async () => {
  const account = await server.registerAccount()
  await using receiver = await startWebhookReceiver()
  const subscribed = await account.send('POST', '/api/v1/events/subscriptions', {
    name: 'orders',
    url: receiver.url,
    types: ['com.example.order'],
  })
  expect(subscribed.body).toMatchObject({ id: expect.any(String) })
  const event = { specversion: '1.0', id: 'one', source: '/test', type: 'com.example.order' }
  const published = await account.send('POST', '/api/v1/events', { events: [event] }, { 'millrace-depth': '4' })
  expect(published.status).toBe(200)
  await expect.poll(() => receiver.received[0]?.headers['millrace-depth']).toBe('4')
})
