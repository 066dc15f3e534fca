import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/triggers'
const echoes = 'do:\n  - echo: { set: { got: "${ . }" } }\n'

let server: TestServer
let account: TestAccount
let workflowId: string
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  workflowId = (await account.client.workflows.create({ body: { definition: documentOf(echoes) } })).id
})
afterAll(() => server.close())

async function create(body: object) {
  const made = await account.send('POST', path, { workflowId, name: 'before', ...body })
  expect(made.status).toBe(200)
  return made.body
}

const change = (id: string, body: object, headers = {}) => account.send('PATCH', `${path}/${id}`, body, headers)
const inputOf = async (executionId: string) => (await account.send('GET', `/api/v1/workflows/executions/${executionId}`)).body.input

/** Sends a signed request to a webhook. @returns the status and the input of what it started. */
async function deliver({ webhook }: { readonly webhook: { readonly url: string } }, secret: string, id: string) {
  const body = '{"total":3}'
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new StandardWebhook(secret).sign(id, at, body),
  }
  const response = await fetch(`${server.url}${new URL(webhook.url).pathname}`, { method: 'POST', headers, body })
  const { body: started }: Pick<Answer, 'body'> = { body: await response.json() }
  return { status: response.status, input: started.executionId === undefined ? undefined : await inputOf(started.executionId) }
}

test('a schedule is due by its new times, with its new input and name, and what was not named stays', async () => {
  const { id, revision, createdAt } = await create({ kind: 'schedule', schedule: { cron: '0 0 1 1 *', timeZone: 'Europe/Berlin' } })
  const { status, body } = await change(id, { name: 'after', input: { a: 1 }, schedule: { cron: '* * * * *' } })
  expect([status, body.errors]).toEqual([200, undefined])
  expect(body).toMatchObject({ id, name: 'after', input: { a: 1 }, enabled: true, createdAt, revision: revision + 1, secret: null })
  expect(body.schedule).toMatchObject({ cron: '* * * * *', timeZone: 'UTC' })
  expect(Date.parse(body.schedule.nextAt) - Date.now()).toBeLessThanOrEqual(60_000)
  await sql`update triggers set next_at = now() where id = ${fromTypeId('trg', id)}`.execute(server.database.system)
  await expect.poll(async () => (await account.send('GET', `${path}/${id}`)).body.lastExecutionId).not.toBeNull()
  const fired = (await account.send('GET', `${path}/${id}`)).body
  expect(await inputOf(fired.lastExecutionId)).toEqual({ a: 1 })
  expect((await change(id, { input: null })).body).toMatchObject({ name: 'after', input: null, schedule: { cron: '* * * * *' } })
})

test('a change that names nothing returns the trigger as it is, at its revision', async () => {
  const made = await create({ kind: 'schedule', schedule: { cron: '0 0 1 1 *' }, input: { a: 1 } })
  const { status, body } = await change(made.id, {})
  expect([status, body]).toEqual([200, made])
})

test('a schedule that a person fires gives what a due time gives', async () => {
  const { id } = await create({ kind: 'schedule', schedule: { cron: '0 9 * * *', timeZone: 'Asia/Dubai' } })
  const { body } = await account.send('POST', `${path}/${id}/fire`, {})
  const { dueAt, ...input } = await inputOf(body.executionId)
  expect(input).toEqual({ localTime: expect.stringMatching(/\+04:00$/), timeZone: 'Asia/Dubai', firedAt: dueAt })
})

test('a disabled schedule stays disabled, and is due by its new times once it is enabled', async () => {
  const { id } = await create({ kind: 'schedule', enabled: false, schedule: { cron: '0 0 1 1 *' } })
  expect((await change(id, { schedule: { cron: '0 0 2 1 *' } })).body).toMatchObject({ enabled: false, schedule: { nextAt: null } })
  const enabled = await account.send('PATCH', `${path}/${id}/toggle`, { enabled: true })
  expect(enabled.body.schedule.nextAt).toMatch(/-01-02T00:00:00/)
})

test('a webhook keeps its URL and its secret, unless it gets another one or another scheme', async () => {
  const { id, secret, webhook } = await create({ kind: 'webhook', webhook: {} })
  expect((await change(id, { mapping: '{ total: .body.total }', webhook: { ratePerMinute: 30 } })).body).toMatchObject({ secret: null })
  expect(await deliver({ webhook }, secret, 'one')).toEqual({ status: 200, input: { total: 3 } })
  const own = `whsec_${Buffer.from('a secret of my own, long enough').toString('base64')}`
  await change(id, { webhook: { signature: { secret: own } } })
  expect(await deliver({ webhook }, secret, 'two')).toMatchObject({ status: 401 })
  expect(await deliver({ webhook }, own, 'three')).toEqual({ status: 200, input: { total: 3 } })
  const github = await change(id, { webhook: { signature: { scheme: 'github' } } })
  expect(github.body).toMatchObject({ webhook: { url: webhook.url }, mapping: '{ total: .body.total }', secret: expect.any(String) })
  expect(await deliver({ webhook }, own, 'four')).toMatchObject({ status: 401 })
})

test('an event trigger takes its new types', async () => {
  const alone = (await account.client.workflows.create({ body: { definition: documentOf(echoes) } })).id
  const { id } = await create({ workflowId: alone, kind: 'event', event: { types: ['com.example.old'] } })
  await change(id, { event: { types: ['com.example.new'] } })
  const eventOf = (type: string) => ({ specversion: '1.0' as const, id: `of ${type}`, source: '/tests', type })
  await account.client.events.publish({ body: { events: [eventOf('com.example.old'), eventOf('com.example.new')] } })
  await expect.poll(async () => (await account.send('GET', `${path}/${id}`)).body.lastExecutionId).not.toBeNull()
  const { lastExecutionId } = (await account.send('GET', `${path}/${id}`)).body
  expect(await inputOf(lastExecutionId)).toMatchObject({ type: 'com.example.new' })
  expect((await account.send('GET', `/api/v1/workflows/${alone}/executions?limit=100`)).body.data).toHaveLength(1)
})

test('a watch of another place begins anew, and keeps its position when only its interval changes', async () => {
  const watch = { source: 'feed', url: `${server.url}/none.xml`, every: 'P7D' }
  const { id } = await create({ kind: 'watch', enabled: false, watch })
  const row = sql<{
    position: string | null
  }>`select position::text as position from trigger_watches where trigger_id = ${fromTypeId('trg', id)}`
  await sql`update trigger_watches set position = '"seen"' where trigger_id = ${fromTypeId('trg', id)}`.execute(server.database.system)
  expect((await change(id, { watch: { ...watch, every: 'PT1H' } })).body.watch.settings).toMatchObject({ every: 'PT1H' })
  expect((await row.execute(server.database.system)).rows).toEqual([{ position: '"seen"' }])
  await change(id, { watch: { ...watch, url: `${server.url}/other.xml` } })
  expect((await row.execute(server.database.system)).rows).toEqual([{ position: null }])
})

test('a member of another kind, an invalid one and an old revision change nothing, and the response names what is wrong', async () => {
  const { id, revision } = await create({ kind: 'schedule', schedule: { cron: '0 0 1 1 *' } })
  const refused = async (body: object, headers = {}) => {
    const { status, body: problem } = await change(id, { name: 'after', ...body }, headers)
    return [status, problem.code, problem.errors?.[0]?.pointer]
  }
  expect(await refused({ webhook: {} })).toEqual([400, 'request_invalid', '/webhook'])
  expect(await refused({ schedule: { cron: '99 * * * *' } })).toEqual([422, 'schedule_invalid', '/schedule/cron'])
  expect(await refused({ mapping: '{' })).toEqual([422, 'mapping_invalid', '/mapping'])
  expect(await refused({}, { 'if-match': '"41"' })).toEqual([409, 'revision_mismatch', undefined])
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ name: 'before', revision })
})

test('a trigger of a definition is changed in the definition', async () => {
  const body = `schedule: { cron: '0 0 1 1 *' }\n${echoes}`
  const scheduled = (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id
  const { data } = (await account.send('GET', `${path}/workflow/${scheduled}`)).body
  expect(await change(data[0].id, { name: 'after' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
})
