import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/triggers'
const secret = 'a long shared phrase'
const answers = 'do:\n  - answer: { set: { total: "${ .body.total }", mode: "${ $variables.MODE }" } }\n'
const unsigned = { signature: { scheme: 'none' } }

async function createHook(webhook: object, { body = answers, publish = false, ...more }: Readonly<Record<string, unknown>> = {}) {
  const account = await server.registerAccount()
  const definition = documentOf(String(body))
  const { id: workflowId } = await account.client.workflows.create({ body: { definition, publish: publish === true } })
  const created = await account.send('POST', `${path}/webhook`, { workflowId, name: 'hook', webhook, ...more })
  const { id } = created.body
  const { pathname } = new URL(created.body.webhook.testUrl)
  return {
    account,
    id,
    workflowId,
    listen: (options: object = {}) => account.send('POST', `${path}/${id}/test`, options),
    async send(value: unknown, headers: Readonly<Record<string, string>> = {}, to = pathname): Promise<Answer> {
      const init = { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...headers } }
      const response = await fetch(`${server.url}${to}`, init)
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    pathname,
    deliveries: async (query = 'test=true') => (await account.send('GET', `${path}/${id}/deliveries?${query}`)).body.data,
  }
}

const execution = async (account: TestAccount, id: string) => (await account.send('GET', `/api/v1/workflows/executions/${id}`)).body

test('while a webhook listens, its test URL starts the draft with the values for drafts, shows the request, and changes nothing else', async () => {
  const hook = await createHook({ ...unsigned, reply: 'end' }, { enabled: false, mapping: '{ body: { total: (.body.total * 2) } }' })
  const { account } = hook
  for (const environment of ['draft', 'production'])
    await account.send('POST', '/api/v1/variables', { name: 'MODE', value: environment, environment })
  expect(await hook.send({ total: 1 })).toMatchObject({ status: 409, body: { code: 'trigger_not_listening' } })
  expect(await hook.deliveries('')).toEqual([])
  const listening = await hook.listen()
  expect(listening.body.webhook).toMatchObject({ testUrl: expect.stringContaining('/test'), listensUntil: expect.any(String) })
  expect(await hook.send({ total: 4 }, { 'x-sender': 'Ada', authorization: 'Bearer hidden' })).toMatchObject({
    status: 200,
    body: { total: 8, mode: 'draft' },
  })
  const [delivery] = await hook.deliveries()
  expect(delivery).toMatchObject({ test: true, outcome: 'started', status: 200 })
  expect(await execution(account, delivery.executionId)).toMatchObject({ trigger: 'test', state: 'completed' })
  const again = await account.send('POST', `${path}/deliveries/${delivery.id}/replay`, {})
  expect(again.status).toBe(200)
  await expect
    .poll(() => execution(account, again.body.executionId))
    .toMatchObject({ trigger: 'test', state: 'completed', output: { total: 8, mode: 'draft' } })
  const { body: shown } = await account.send('GET', `${path}/deliveries/${delivery.id}`)
  expect(shown.content).toMatchObject({ method: 'POST', body: { total: 4 }, headers: { 'x-sender': 'Ada' } })
  expect(JSON.stringify(shown)).not.toContain('hidden')
  expect((await account.send('GET', `${path}/${hook.id}`)).body).toMatchObject({ enabled: false, lastExecutionId: null, failures: 0 })
  await account.send('DELETE', `${path}/${hook.id}/test`)
  expect((await hook.send({ total: 5 })).status).toBe(409)
  expect(await hook.deliveries('test=false')).toEqual([])
})

test('a test that starts nothing shows the request only, and its content is that of no other delivery', async () => {
  const hook = await createHook(unsigned, { publish: true, body: 'do:\n  - ok: { set: { ok: true } }\n' })
  await hook.listen({ start: false })
  const received = await hook.send({ total: 4 })
  expect(received).toMatchObject({ status: 200, body: { test: true, deliveryId: expect.stringMatching(/^whd_/) } })
  expect(await hook.deliveries()).toMatchObject([{ id: received.body.deliveryId, outcome: 'received', executionId: null }])
  expect((await hook.account.send('GET', `/api/v1/executions`)).body.data).toEqual([])
  expect((await hook.send({ total: 5 }, {}, hook.pathname.replace(/\/test$/, ''))).status).toBe(200)
  const [real] = await hook.deliveries('test=false')
  expect((await hook.account.send('GET', `${path}/deliveries/${real.id}`)).body).toMatchObject({
    test: false,
    outcome: 'started',
    content: null,
  })
  const other = await server.registerAccount()
  for (const [method, to] of [
    ['GET', `${path}/deliveries/${received.body.deliveryId}`],
    ['POST', `${path}/${hook.id}/test`],
    ['DELETE', `${path}/${hook.id}/test`],
  ] as const)
    expect((await other.send(method, to, method === 'POST' ? {} : undefined)).status).toBe(404)
})

test('a test request needs the signature of the webhook, and one that is refused is listed with the reason', async () => {
  const hook = await createHook({ signature: { scheme: 'github', secret } }, { body: 'do:\n  - ok: { set: { ok: true } }\n' })
  await hook.listen()
  const sign = (value: unknown) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(value)).digest('hex')}`,
  })
  expect((await hook.send({ a: 1 })).status).toBe(401)
  const first = await hook.send({ a: 1 }, sign({ a: 1 }))
  const again = await hook.send({ a: 1 }, sign({ a: 1 }))
  expect([first.status, again.status]).toEqual([200, 200])
  expect(again.body.executionId).not.toBe(first.body.executionId)
  const outcomes = (await hook.deliveries()).map(({ outcome }: { readonly outcome: string }) => outcome)
  expect(outcomes).toEqual(['started', 'started', 'refused'])
})

test('of many test requests at once, no more than twenty start a test', async () => {
  const hook = await createHook(unsigned, { body: 'do:\n  - ok: { set: { ok: true } }\n' })
  await hook.listen()
  const responses = await Promise.all(Array.from({ length: 25 }, (_, n) => hook.send({ n })))
  const { rows } = await sql`select from executions where account_id = ${hook.account.accountId}`.execute(server.database.system)
  expect([responses.filter(({ status }) => status === 200).length, rows.length]).toEqual([20, 20])
})

test('a draft with errors is reported to its author, and without them to the sender', async () => {
  const hook = await createHook(unsigned, { body: 'do:\n  - ok: { set: { ok: true } }\n' })
  await hook.account.send('PUT', `/api/v1/workflows/${hook.workflowId}/draft`, { text: `${documentOf('')}do:\n  - a: { nonsense: 1 }\n` })
  await hook.listen()
  const { status, body } = await hook.send({})
  expect([status, body.code, body.diagnostics]).toEqual([422, 'workflow_invalid', undefined])
  expect(await hook.deliveries()).toMatchObject([{ outcome: 'failed', status: 422, executionId: null }])
  expect((await hook.account.send('GET', `${path}/${hook.id}`)).body.failures).toBe(0)
})

test('only a webhook listens, only for ten minutes, and starting tests needs the scope for it', async () => {
  const hook = await createHook(unsigned)
  const manual = await hook.account.send('POST', path, { workflowId: hook.workflowId, name: 'by hand', kind: 'manual' })
  expect((await hook.account.send('POST', `${path}/${manual.body.id}/test`, {})).status).toBe(404)
  expect((await hook.listen({ seconds: 601 })).body.errors).toMatchObject([{ pointer: '/seconds' }])
  const key = await hook.account.send('POST', '/api/v1/api-keys', { name: 'hooks', scopes: ['triggers:write', 'triggers:read'] })
  const withKey = { authorization: `Bearer ${key.body.secret}` }
  expect((await hook.account.send('POST', `${path}/${hook.id}/test`, {}, withKey)).body).toMatchObject({ code: 'insufficient_scope' })
  expect((await hook.account.send('POST', `${path}/${hook.id}/test`, { start: false }, withKey)).status).toBe(200)
})

test('the privacy policy for inputs applies to the request that is shown', async () => {
  const hook = await createHook(unsigned, { body: 'do:\n  - ok: { set: { ok: true } }\n' })
  const policy = { workflowId: hook.workflowId, action: 'redact', purpose: 'tests', legalBasis: 'contract' }
  expect((await hook.account.send('PUT', '/api/v1/privacy/policies', policy)).status).toBe(200)
  await hook.listen()
  await hook.send({ mail: 'ada@example.com' })
  const [delivery] = await hook.deliveries()
  const { body } = await hook.account.send('GET', `${path}/deliveries/${delivery.id}`)
  expect(JSON.stringify(body.content)).not.toContain('ada@example.com')
})
