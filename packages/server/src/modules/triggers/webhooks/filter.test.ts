import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { type Answer, createTestServer, type TestServer } from '#testing/server.ts'
import { deleteExcessDeliveries } from './delivery-store.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/triggers'
const secret = 'a long shared phrase'
const unsigned = { signature: { scheme: 'none' } }
const filter = '.body.ref == "refs/heads/main"'
const main = { ref: 'refs/heads/main' }
const other = { ref: 'refs/heads/other' }

const echoes = 'do:\n  - echo: { set: { got: "${ .body.ref }" } }\n'
const asks = `input: { schema: { document: { type: object, properties: { ref: { type: string } } } } }\n${echoes}`

async function createHook(more: object, webhook: object = unsigned, body = echoes) {
  const account = await server.registerAccount()
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(body) } })
  const created = await account.send('POST', `${path}/webhook`, { workflowId, name: 'hook', webhook, ...more })
  expect([created.status, created.body.errors]).toEqual([200, undefined])
  const { id } = created.body
  const read = async (at: string) => (await account.send('GET', at)).body
  return {
    account,
    id,
    workflowId,
    async send(value: unknown, headers: Readonly<Record<string, string>> = {}, url: string = created.body.webhook.url): Promise<Answer> {
      const init = { method: 'POST', body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...headers } }
      const response = await fetch(`${server.url}${new URL(url).pathname}`, init)
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    testUrl: String(created.body.webhook.testUrl),
    change: (changed: object) => account.send('PATCH', `${path}/${id}`, changed),
    replay: (deliveryId: string) => account.send('POST', `${path}/deliveries/${deliveryId}/replay`),
    trigger: () => read(`${path}/${id}`),
    deliveries: async () => (await read(`${path}/${id}/deliveries`)).data,
    executions: async () => (await read('/api/v1/executions')).data,
  }
}

describe('a request that the filter refuses', () => {
  test.each(['accepted', 'end', 'respond'])(
    'is answered 200 with the reply %s, is listed as ignored, and starts nothing',
    async (reply) => {
      const hook = await createHook({ filter }, { ...unsigned, reply })
      const ignored = await hook.send(other)
      expect([ignored.status, ignored.body]).toEqual([200, { ignored: true, deliveryId: expect.stringMatching(/^whd_/) }])
      expect(await hook.executions()).toEqual([])
      expect(await hook.deliveries()).toMatchObject([
        {
          id: ignored.body.deliveryId,
          outcome: 'ignored',
          status: 200,
          reason: 'The filter gave false.',
          executionId: null,
          replayable: true,
        },
      ])
      expect((await hook.send(main)).status).toBe(200)
      expect(await hook.executions()).toHaveLength(1)
    },
  )

  test('is no failure, however many there are, and leaves the failures before it as they are', async () => {
    const hook = await createHook({ filter: 'if .body.broken then null else false end' })
    await hook.send({ broken: true })
    for (let count = 0; count < 11; count++) await hook.send({ count })
    expect(await hook.trigger()).toMatchObject({ enabled: true, failures: 1, lastExecutionId: null })
  })

  test('starts the workflow by a replay once the filter lets it, and by none before', async () => {
    const hook = await createHook({ filter })
    const { deliveryId } = (await hook.send(other)).body
    expect((await hook.replay(deliveryId)).body).toMatchObject({ status: 409, code: 'delivery_ignored' })
    await hook.change({ filter: '.body.ref | startswith("refs/heads/")' })
    const { executionId } = (await hook.replay(deliveryId)).body
    expect(await hook.executions()).toMatchObject([{ id: executionId }])
  })

  test('is kept without its content where the privacy policy of the workflow takes none of it', async () => {
    const hook = await createHook({ filter })
    await hook.account.client.privacy.putPolicy({ body: { purpose: 'pushes', legalBasis: 'contract', action: 'block' } })
    const { deliveryId } = (await hook.send({ ...other, mail: 'ada@example.com' })).body
    expect(await hook.deliveries()).toMatchObject([{ outcome: 'ignored', replayable: false, reason: expect.stringContaining('privacy') }])
    expect((await hook.replay(deliveryId)).status).toBe(409)
  })

  test('is one of 1,000 that are kept, although the webhook never started anything', async () => {
    const hook = await createHook({ filter })
    await hook.send(other)
    const id = fromTypeId('trg', hook.id)
    await sql`
      insert into webhook_deliveries (id, account_id, trigger_id, at, method, address, outcome, status, bytes, test)
      select gen_random_uuid(), account_id, trigger_id, at, method, address, outcome, status, bytes, test
      from webhook_deliveries, generate_series(1, 1004) where trigger_id = ${id}`.execute(server.database.system)
    await deleteExcessDeliveries(server.database.system)
    const { rows } = await sql<{ readonly count: number }>`
      select count(*)::int as count from webhook_deliveries where trigger_id = ${id}`.execute(server.database.system)
    expect(rows).toEqual([{ count: 1_000 }])
  })
})

test('the signature is checked before the filter, and a delivery that is sent again starts once', async () => {
  const hook = await createHook({ filter }, { signature: { scheme: 'github', secret } })
  const sign = (value: unknown, id: string) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(value)).digest('hex')}`,
    'x-github-delivery': id,
  })
  expect((await hook.send(other, sign(main, 'forged'))).body).toMatchObject({ status: 401, code: 'signature_invalid' })
  const first = await hook.send(main, sign(main, 'one'))
  expect((await hook.send(main, sign(main, 'one'))).body).toEqual({ executionId: first.body.executionId, duplicate: true })
  for (const id of ['two', 'two']) expect((await hook.send(other, sign(other, id))).body).toMatchObject({ ignored: true })
  await hook.change({ filter: null })
  expect((await hook.send(other, sign(other, 'two'))).body).toMatchObject({ duplicate: false })
  expect((await hook.deliveries())[1]).toMatchObject({ outcome: 'ignored', deliveryId: 'two' })
})

test.each([
  ['null', 'null'],
  ['"true"', 'a string'],
  ['.body | empty', 'no result'],
  ['error("no ref")', 'no ref'],
  ['last(range(1e9)) > 1', 'steps'],
])('a filter that gives neither true nor false, %s, is a fault of the trigger that names the filter', async (wrong, said) => {
  const hook = await createHook({ filter: wrong })
  const { body } = await hook.send(main)
  expect(body).toMatchObject({ status: 422, code: 'filter_failed', detail: expect.stringMatching(/^The filter of the trigger /) })
  expect(body.detail).toContain(said)
  expect(await hook.deliveries()).toMatchObject([{ outcome: 'failed', replayable: true }])
  expect(await hook.trigger()).toMatchObject({ failures: 1, lastError: body.detail })
})

test('a filter is read as it was given, and changed, kept and removed by a change of the trigger', async () => {
  const hook = await createHook({ filter, input: { branch: 'refs/heads/main' } })
  expect((await hook.trigger()).filter).toBe(filter)
  expect((await hook.change({ name: 'after', webhook: unsigned })).body).toMatchObject({ name: 'after', filter })
  expect((await hook.change({ filter: '.body.ref == .input.branch' })).body.filter).toContain('.input')
  expect([(await hook.send(other)).body.ignored, (await hook.send(main)).body.duplicate]).toEqual([true, false])
  expect((await hook.change({ filter: null })).body.filter).toBe(null)
  expect((await hook.send(other)).body).toMatchObject({ duplicate: false })
})

test('a filter that is no jq, and one of a trigger that receives no requests or shows a form, is refused at its place', async () => {
  const hook = await createHook({ filter }, unsigned, asks)
  const refused = ({ body }: Answer) => [body.code, body.errors?.[0]?.pointer]
  const create = (body: object) => hook.account.send('POST', path, { workflowId: hook.workflowId, name: 'x', filter, ...body })
  expect(refused(await hook.change({ filter: '.body ==' }))).toEqual(['filter_invalid', '/filter'])
  expect(refused(await create({ kind: 'webhook', webhook: unsigned, filter: '$secrets.a' }))).toEqual(['filter_invalid', '/filter'])
  expect(refused(await create({ kind: 'manual' }))).toEqual(['request_invalid', '/filter'])
  expect(refused(await create({ kind: 'webhook', webhook: { ...unsigned, form: {} } }))).toEqual(['request_invalid', '/filter'])
  expect(refused(await hook.change({ webhook: { ...unsigned, form: {} } }))).toEqual(['request_invalid', '/filter'])
})

test('a test of a webhook says what its filter gave, and starts what passes', async () => {
  const hook = await createHook({ filter })
  await hook.account.send('POST', `${path}/${hook.id}/test`, {})
  expect((await hook.send(other, {}, hook.testUrl)).body).toEqual({ test: true, ignored: true, deliveryId: expect.any(String) })
  expect((await hook.send(main, {}, hook.testUrl)).body).toMatchObject({ executionId: expect.any(String) })
  await hook.account.send('POST', `${path}/${hook.id}/test`, { start: false })
  await hook.send(main, {}, hook.testUrl)
  expect(await hook.deliveries()).toMatchObject([
    { test: true, outcome: 'received', reason: 'The filter gave true.' },
    { test: true, outcome: 'started', reason: 'The filter gave true.' },
    { test: true, outcome: 'ignored', reason: 'The filter gave false.' },
  ])
})

test('a mapping that gives no result starts nothing, and the reason names the filter', async () => {
  const hook = await createHook({ mapping: `if ${filter} then . else empty end` })
  const { body } = await hook.send(other)
  expect(body).toMatchObject({ status: 422, code: 'mapping_failed', detail: expect.stringContaining('`filter` of the trigger') })
  expect(await hook.executions()).toEqual([])
  await hook.change({ mapping: 'null' })
  expect((await hook.send(other)).body).toMatchObject({ duplicate: false })
})
