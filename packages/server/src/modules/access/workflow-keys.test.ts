import { workflowKeyScopes } from '@millrace/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { openEventStream } from '#testing/event-stream.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const executionsPath = '/api/v1/workflows/executions'
const refused = { status: 403, body: { code: 'key_restricted' } }

async function workflow(account: TestAccount, body: string): Promise<string> {
  return (await account.client.workflows.create({ body: { definition: documentOf(body), publish: true } })).id
}

const start = async (account: TestAccount, id: string): Promise<string> =>
  (await account.send('POST', `/api/v1/workflows/${id}/execute`, {})).body.id

/** Requests with a key that is limited to workflows. */
async function limitedTo(account: TestAccount, workflowIds: readonly string[], scopes: readonly string[] = workflowKeyScopes) {
  const issued = await account.send('POST', '/api/v1/api-keys', { name: 'shop', scopes, workflowIds })
  expect(issued).toMatchObject({ status: 200, body: { workflowIds } })
  const headers = { authorization: `Bearer ${issued.body.secret}` }
  const send: TestAccount['send'] = (method, path, body, more) => account.send(method, path, body, { ...more, ...headers })
  const id: string = issued.body.id
  return { send, headers, id }
}

/** Two workflows, and a key for the first. */
async function two() {
  const account = await server.registerAccount()
  const [own, other] = [await workflow(account, waits), await workflow(account, greets)]
  return { account, own, other, key: await limitedTo(account, [own]) }
}

describe('a key that is limited to workflows', () => {
  test('starts, reads, watches, cancels and retries executions of these', async () => {
    const { own, key } = await two()
    const started = await key.send('POST', `/api/v1/workflows/${own}/execute`, {})
    expect(started.status).toBe(200)
    const path = `${executionsPath}/${started.body.id}`
    expect(await key.send('GET', path)).toMatchObject({ status: 200, body: { workflowId: own } })
    await using stream = await openEventStream(`${server.url}${path}/stream`, key.headers)
    await stream.until(({ event }) => event === 'state')
    expect(await key.send('POST', `${path}/cancel`, undefined, { prefer: 'wait=10' })).toMatchObject({
      status: 200,
      body: { state: 'cancelled' },
    })
    expect((await stream.rest()).at(-1)?.event).toBe('end')
    expect((await key.send('POST', `${path}/retry`, {})).status).toBe(200)
    expect((await key.send('GET', `/api/v1/workflows/${own}/executions`)).body.data).toHaveLength(2)
  })

  test('lists and finds only these workflows and their executions', async () => {
    const { account, own, other, key } = await two()
    const [mine] = [await start(account, own), await start(account, other)]
    const third = await workflow(account, greets)
    const wide = await limitedTo(account, [own, third])
    for (const { send } of [key, wide]) {
      const { data } = (await send('GET', '/api/v1/executions')).body
      expect(data.map(({ id }: { id: string }) => id)).toEqual([mine])
    }
    const listed = async (query: string) =>
      (await key.send('GET', `/api/v1/workflows${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await listed('')).toEqual([own])
    expect(await listed(`?ids=${own},${other}`)).toEqual([own])
    expect(await key.send('GET', `/api/v1/executions?workflowId=${other}`)).toMatchObject(refused)
    expect(await key.send('GET', `/api/v1/workflows/${own}?callers=true`)).toMatchObject(refused)
  })

  test('is refused other workflows, and executions of workflows that one of its workflows runs', async () => {
    const account = await server.registerAccount()
    await account.client.workflows.create({
      body: {
        definition: `document: { dsl: '1.0.3', namespace: keys, name: child, version: '1.0.0' }\n${waits}`,
        publish: true,
      },
    })
    const parent = await workflow(account, `do:\n  - ask: { run: { workflow: { namespace: keys, name: child, version: latest } } }\n`)
    const key = await limitedTo(account, [parent])
    await key.send('POST', `/api/v1/workflows/${parent}/execute`, {})
    const found = async () => (await account.send('GET', '/api/v1/executions')).body.data
    await expect.poll(async () => (await found()).length).toBe(2)
    const child = (await found()).find(({ workflowId }: { workflowId: string }) => workflowId !== parent)
    for (const path of ['', '/record', '/log', '/stream'])
      expect(await key.send('GET', `${executionsPath}/${child.id}${path}`)).toMatchObject(refused)
    for (const what of ['cancel', 'suspend', 'resume', 'retry'])
      expect(await key.send('POST', `${executionsPath}/${child.id}/${what}`, {})).toMatchObject(refused)
    expect(await key.send('GET', `/api/v1/workflows/${child.workflowId}`)).toMatchObject(refused)
    expect(await key.send('POST', `/api/v1/workflows/${child.workflowId}/execute`, {})).toMatchObject(refused)
    expect((await key.send('GET', '/api/v1/executions')).body.data).toHaveLength(1)
  })

  test('can do nothing with a workflow that was deleted, and is not without a limit when all are', async () => {
    const { account, own, other, key } = await two()
    const executionId = await start(account, own)
    await account.send('POST', `${executionsPath}/${executionId}/cancel`, undefined, { prefer: 'wait=10' })
    await account.send('DELETE', `/api/v1/workflows/${own}`)
    for (const path of [
      `/api/v1/workflows/${own}`,
      `/api/v1/workflows/${own}/executions`,
      `${executionsPath}/${executionId}`,
      `/api/v1/workflows/${other}`,
    ])
      expect(await key.send('GET', path)).toMatchObject(refused)
    for (const path of ['/api/v1/workflows', '/api/v1/executions']) expect((await key.send('GET', path)).body.data).toEqual([])
    const { data } = (await account.send('GET', '/api/v1/api-keys')).body
    expect(data).toMatchObject([{ id: key.id, workflowIds: [] }])
  })

  test('finds the executions of several workflows, page by page, and none of others', async () => {
    const account = await server.registerAccount()
    const ids = await Promise.all([greets, greets, greets].map((body) => workflow(account, body)))
    const started: string[] = []
    for (let round = 0; round < 3; round++) for (const id of ids) started.push(await start(account, id))
    const key = await limitedTo(account, ids.slice(0, 2))
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await key.send('GET', `/api/v1/executions?limit=2${cursor}`)
      found.push(...body.data.map(({ id }: { id: string }) => id))
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(found).toEqual(started.filter((_id, index) => index % 3 < 2).toReversed())
    expect(await key.send('GET', `/api/v1/executions?workflowId=${ids[2]}`)).toMatchObject(refused)
  })

  test('keeps its limit when its secret is replaced', async () => {
    const { account, own, other, key } = await two()
    const { body } = await account.send('POST', `/api/v1/api-keys/${key.id}/rotate`, {})
    expect(body.workflowIds).toEqual([own])
    const headers = { authorization: `Bearer ${body.secret}` }
    expect(await account.send('GET', `/api/v1/workflows/${other}`, undefined, headers)).toMatchObject(refused)
  })

  test('lets no workflow that it starts read the account', async () => {
    const account = await server.registerAccount()
    const reading = await workflow(
      account,
      'do:\n  - look: { call: account-read, with: { operation: list_workflows, operations: [list_workflows] } }\n',
    )
    const state = async (send: TestAccount['send']) =>
      (await send('POST', `/api/v1/workflows/${reading}/execute`, {}, { prefer: 'wait=20' })).body
    const { send } = await limitedTo(account, [reading])
    expect((await state(account.send)).state).toBe('completed')
    expect(await state(send)).toMatchObject({ state: 'faulted', error: { detail: expect.stringContaining('workflows:read') } })
  })
})

describe('a key cannot be limited to', () => {
  const issue = (account: TestAccount, body: object) =>
    account.send('POST', '/api/v1/api-keys', { name: 'x', scopes: ['executions:run'], ...body })
  const invalid = (pointer: string) => ({ status: 400, body: { code: 'request_invalid', errors: [{ pointer }] } })

  test('workflows of another account, nor to deleted ones or none', async () => {
    const { account, own, other } = await two()
    const { own: foreign } = await two()
    await account.send('DELETE', `/api/v1/workflows/${other}`)
    expect(await issue(account, { workflowIds: [own, foreign] })).toMatchObject(invalid('/workflowIds/1'))
    expect(await issue(account, { workflowIds: [other] })).toMatchObject(invalid('/workflowIds/0'))
    expect(await issue(account, { workflowIds: [] })).toMatchObject(invalid('/workflowIds'))
  })

  test('workflows with scopes that would do nothing', async () => {
    const { account, own } = await two()
    expect(await issue(account, { workflowIds: [own], scopes: ['executions:run', 'events:read'] })).toMatchObject(invalid('/scopes'))
  })
})
