import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let service: Awaited<ReturnType<typeof startHttpStandIn>>
beforeAll(async () => {
  service = await startHttpStandIn(() => ({ status: 200 }))
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})

const path = '/api/v1/connections'
const asks = 'do:\n  - ask: { call: postgres.query, with: { connection: crm, statement: select 1 } }\n'

async function connect(account: TestAccount, name = 'crm'): Promise<string> {
  const { body } = await account.send('POST', path, {
    name,
    settings: { kind: 'bearer', url: service.url },
    secrets: { token: 'the token 4711' },
  })
  expect(body).toMatchObject({ state: 'ready' })
  return body.id
}

async function nightly(account: TestAccount, body: string, name: string) {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(body, name) } })
  const schedule = { workflowId: id, name, kind: 'schedule', schedule: { cron: '0 3 * * *' } }
  const trigger = (await account.send('POST', '/api/v1/triggers', schedule)).body.id
  return async () => (await account.send('GET', `/api/v1/triggers/${trigger}`)).body
}

const notices = async (account: TestAccount) =>
  (await account.send('GET', '/api/v1/notifications')).body.data.map(({ title }: { title: string }) => title)

test('a deleted connection pauses what needs it with a reason and a notification, until there is one of its name', async () => {
  const account = await server.registerAccount()
  const first = await connect(account)
  const using = await nightly(account, asks, 'using')
  const other = await nightly(account, 'do:\n  - a: { set: { b: crm } }\n', 'other')
  expect((await account.send('DELETE', `${path}/${first}`)).status).toBe(200)
  expect(await using()).toMatchObject({ enabled: false, pausedReason: expect.stringContaining('"crm" was deleted') })
  expect(await other()).toMatchObject({ enabled: true, pausedReason: null })
  expect(await notices(account)).toEqual(['The connection crm was deleted, and 1 trigger is paused'])
  await connect(account, 'erp')
  expect(await using()).toMatchObject({ enabled: false })
  await connect(account)
  expect(await using()).toMatchObject({ enabled: true, pausedReason: null, schedule: { nextAt: expect.any(String) } })
})

test('a connection that is renamed is lost under its old name and found under the new one', async () => {
  const account = await server.registerAccount()
  const id = await connect(account)
  const using = await nightly(account, asks, 'using')
  await account.send('PUT', `${path}/${id}`, { name: 'crm-old' })
  expect(await using()).toMatchObject({ enabled: false, pausedReason: expect.stringContaining('"crm" was renamed to "crm-old"') })
  await account.send('PUT', `${path}/${id}`, { name: 'crm' })
  expect(await using()).toMatchObject({ enabled: true, pausedReason: null })
})

test('what runs a workflow with the connection is paused too, also through a tool of an agent, and an agent that has it itself', async () => {
  const account = await server.registerAccount()
  const id = await connect(account)
  const agent =
    'do:\n  - think: { call: agent, with: { goal: Go., tools: [{ kind: workflow, name: t, description: d, namespace: tests, workflow: inner }] } }\n'
  const direct =
    'do:\n  - think: { call: agent, with: { goal: Go., tools: [{ kind: connector, name: t, description: d, function: slack.postMessage, connection: crm }] } }\n'
  const run = (name: string) => `do:\n  - go: { run: { workflow: { namespace: tests, name: ${name}, version: latest } } }\n`
  const triggers = [
    await nightly(account, asks, 'inner'),
    await nightly(account, agent, 'agent'),
    await nightly(account, direct, 'direct'),
    await nightly(account, run('agent'), 'outer'),
    await nightly(account, run('elsewhere'), 'unrelated'),
  ]
  await account.send('DELETE', `${path}/${id}`)
  expect(await Promise.all(triggers.map(async (read) => (await read()).enabled))).toEqual([false, false, false, false, true])
  expect(await notices(account)).toEqual(['The connection crm was deleted, and 4 triggers are paused'])
})
