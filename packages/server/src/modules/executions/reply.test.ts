import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { startGate } from '#testing/gate.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const path = '/api/v1/workflows'

async function workflowOf(body: string): Promise<string> {
  return (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id
}

const repliesThenCalls = (url: string, then = '') => `do:
  - reply: { call: respond, with: { body: { accepted: true, by: '\${ .name }' } } }
  - work: { call: http, with: { method: get, endpoint: { uri: '${url}/work' } } }
${then}`

test('a run returns the reply as soon as the workflow replies, and the execution continues', async () => {
  await using gate = await startGate()
  const id = await workflowOf(repliesThenCalls(gate.url, `  - done: { set: { done: true } }\n`))
  const { status, body, headers } = await account.send('POST', `/api/v1/execute/${id}/run`, { input: { name: 'Ada' } })
  expect([status, body]).toEqual([200, { accepted: true, by: 'Ada' }])
  const location = headers.get('location') ?? ''
  expect((await account.send('GET', location)).body).toMatchObject({ state: 'running', answer: { accepted: true, by: 'Ada' } })
  await gate.called(1)
  gate.letGo()
  await expect.poll(async () => (await account.send('GET', location)).body.state).toBe('completed')
  expect((await account.send('GET', location)).body).toMatchObject({ answer: { accepted: true, by: 'Ada' }, output: { done: true } })
})

test('a start that waits returns the unfinished execution as soon as the workflow replies', async () => {
  await using gate = await startGate()
  const id = await workflowOf(repliesThenCalls(gate.url))
  const { body } = await account.send('POST', `${path}/${id}/execute`, { input: { name: 'Ada' } }, { prefer: 'wait=10' })
  expect(body).toMatchObject({ state: 'running', endedAt: null, answer: { accepted: true, by: 'Ada' } })
  expect(body).not.toHaveProperty('output')
})

test('a run repeated with its key returns the same reply, whatever the result of the execution', async () => {
  const id = await workflowOf(`do:
  - reply: { call: respond, with: { body: [1, 2] } }
  - no: { raise: { error: { type: 'https://t.test/no', status: 500, title: No } } }
`)
  const keyed = { 'idempotency-key': `answer-${id}` }
  const first = await account.send('POST', `/api/v1/execute/${id}/run`, {}, keyed)
  expect([first.status, first.body]).toEqual([200, [1, 2]])
  await expect.poll(async () => (await account.send('GET', first.headers.get('location') ?? '')).body.state).toBe('faulted')
  const again = await account.send('POST', `/api/v1/execute/${id}/run`, {}, keyed)
  expect([again.status, again.body, again.headers.get('location')]).toEqual([200, [1, 2], first.headers.get('location')])
})

test('a run returns the reply of an execution in another process', async () => {
  await using idle = await createTestServer({ MILLRACE_ROLES: 'api,scheduler' })
  const owner = await idle.registerAccount()
  await using gate = await startGate()
  const { id } = await owner.client.workflows.create({ body: { definition: documentOf(repliesThenCalls(gate.url)) } })
  await idle.startSecond({ MILLRACE_ROLES: 'worker' })
  const { status, body } = await owner.send('POST', `/api/v1/execute/${id}/run`, { input: { name: 'Ada' } })
  expect([status, body]).toEqual([200, { accepted: true, by: 'Ada' }])
})

test('a reply of null is returned', async () => {
  await using gate = await startGate()
  const id = await workflowOf(`do:
  - reply: { call: respond, with: { body: null } }
  - work: { call: http, with: { method: get, endpoint: { uri: '${gate.url}/work' } } }
`)
  const { status, body, headers } = await account.send('POST', `/api/v1/execute/${id}/run`, {})
  expect([status, body]).toEqual([200, null])
  expect((await account.send('GET', headers.get('location') ?? '')).body).toHaveProperty('answer', null)
})

test('a large reply is a reference in the execution', async () => {
  const id = await workflowOf(`do: [{ reply: { call: respond, with: { body: '\${ [range(20000)] }' } } }]\n`)
  const { body } = await account.send('POST', `${path}/${id}/execute`, {}, { prefer: 'wait=10' })
  expect(body).not.toHaveProperty('answer')
  expect((await account.send('GET', body.answerReference.href)).body.answer).toHaveLength(20_000)
})
