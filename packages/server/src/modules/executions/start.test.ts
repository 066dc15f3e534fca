import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { counts, documentOf, fails, greets, waits } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/workflows'

async function workflowOf(account: TestAccount, body: string): Promise<string> {
  return (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id
}

const execute = (account: TestAccount, id: string, body?: unknown, headers?: Record<string, string>) =>
  account.send('POST', `${path}/${id}/execute`, body, headers)
const run = (account: TestAccount, id: string, body?: unknown, headers?: Record<string, string>) =>
  account.send('POST', `/api/v1/execute/${id}/run`, body, headers)

describe('execute', () => {
  test('execute returns the accepted execution and its location', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, waits)
    const { status, headers, body } = await execute(account, id, { input: { a: 1 } })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^exec_/),
      workflowId: id,
      workflowVersion: 1,
      trigger: 'manual',
      input: { a: 1 },
    })
    expect(['pending', 'running', 'waiting']).toContain(body.state)
    expect(body.endedAt).toBeNull()
    expect(headers.get('location')).toBe(`${path}/executions/${body.id}`)
    expect(headers.get('preference-applied')).toBeNull()
    expect((await account.send('GET', headers.get('location') ?? '')).body.id).toBe(body.id)
  })

  test('execute with Prefer waits for the end and returns Preference-Applied', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, 'do:\n  - nap: { wait: { milliseconds: 50 } }\n  - done: { set: { done: true } }\n')
    const { headers, body } = await execute(account, id, {}, { prefer: 'wait=10' })
    expect(body).toMatchObject({ state: 'completed', output: { done: true } })
    expect(Date.parse(body.endedAt)).toBeGreaterThanOrEqual(Date.parse(body.startedAt))
    expect(headers.get('preference-applied')).toBe('wait=10')
  })

  test.each([
    ['completed', counts, { count: 1.5e3 }],
    ['faulted', fails, {}],
    [
      'completed after a reply',
      `do:\n  - reply: { call: respond, with: { body: { a: [null, "\\u00e4"] } } }\n${greets.slice(4)}`,
      { name: 'Ada' },
    ],
  ])('the response to a start that waits equals the stored execution: %s', async (_case, definition, input) => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, definition)
    const { body, headers } = await execute(account, id, { input }, { prefer: 'wait=10' })
    await expect.poll(async () => (await account.send('GET', headers.get('location') ?? '')).body.endedAt).not.toBeNull()
    const { timeline: _timeline, timelineNextCursor: _cursor, ...stored } = (await account.send('GET', headers.get('location') ?? '')).body
    const { state, endedAt, output } = body.endedAt === null ? stored : body
    expect({ ...body, state, endedAt, ...(output === undefined ? {} : { output }) }).toEqual(stored)
  })

  test('an execution of a workflow that permits one at once is pending until the one before it has ended', async () => {
    const account = await server.registerAccount()
    const definition = documentOf(waits).replace('version: 1.0.0', 'version: 1.0.0, metadata: { concurrency: 1 }')
    const { id } = await account.client.workflows.create({ body: { definition } })
    const started = [(await execute(account, id)).body.id, (await execute(account, id)).body.id]
    const states = () => Promise.all(started.map(async (one) => (await account.send('GET', `${path}/executions/${one}`)).body.state))
    await expect.poll(states).toEqual(['waiting', 'pending'])
    const detail = async (one: string) => (await account.send('GET', `${path}/executions/${one}`)).body
    await expect.poll(async () => (await detail(started[1])).turn).toEqual({ max: 1, ahead: 0 })
    expect(await detail(started[0])).not.toHaveProperty('turn')
    const listed = [
      ...(await account.client.workflows.executions({ params: { id } })).data,
      ...(await account.client.executions.search({ query: {} })).data,
    ]
    expect(listed.filter(({ awaitsTurn }) => awaitsTurn).map((one) => one.id)).toEqual([started[1], started[1]])
    await account.client.executions.cancel({ params: { executionId: started[0] } })
    await expect.poll(states).toEqual(['cancelled', 'waiting'])
  })

  test('execute with Prefer returns the current state when the time to wait is over', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, waits)
    const { status, body } = await execute(account, id, {}, { prefer: 'wait=1' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'waiting', endedAt: null })
  })

  test('execute of a workflow that faults is a success and contains the error of the execution', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, fails)
    const { status, body } = await execute(account, id, {}, { prefer: 'wait=10' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      state: 'faulted',
      error: { type: 'https://example.com/errors/stock', status: 409, title: 'Out of stock' },
    })
    expect(body).not.toHaveProperty('output')
  })

  test('execute without a body starts with an empty object', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    expect((await execute(account, id)).body.input).toEqual({})
  })

  test.each([[null], [[1, 'two']], ['text'], [0], [false]])('execute stores the input %j unchanged', async (input) => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, 'do:\n  - keep: { set: { kept: true } }\n')
    expect((await execute(account, id, { input })).body.input).toEqual(input)
  })

  test('a start writes no audit row, since the row of the execution contains the actor', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    await execute(account, id, { input: { name: 'A' } })
    const rows = await server.database.account(account.accountId, async (tx) => ({
      audit: await tx.selectFrom('audit_events').select('event').where('event', 'like', 'execution%').execute(),
      executions: await tx.selectFrom('executions').select('actor').execute(),
    }))
    expect(rows).toEqual({ audit: [], executions: [{ actor: expect.stringMatching(/^user:usr_/) }] })
  })

  test('an execution that an API key started has the key as its actor', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    const key = await account.client.apiKeys.create({ body: { name: 'starter', scopes: ['executions:run'] } })
    const { status } = await execute(account, id, {}, { authorization: `Bearer ${key.secret}` })
    expect(status).toBe(200)
    const rows = await server.database.account(account.accountId, (tx) => tx.selectFrom('executions').select('actor').execute())
    expect(rows).toEqual([{ actor: `key:${key.id}` }])
  })

  test('a start of an unknown version is a 404', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    expect(await execute(account, id, { version: 2 })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await execute(account, id, { version: 0 })).toMatchObject({ status: 400, body: { code: 'request_invalid' } })
  })
})

describe('run', () => {
  test('run returns the output itself and the id of the execution', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    const { status, headers, body } = await run(account, id, { input: { name: 'World' } })
    expect(status).toBe(200)
    expect(body).toEqual({ greeting: 'Hello, World' })
    const found = await account.send('GET', headers.get('location') ?? '')
    expect(found.body).toMatchObject({ state: 'completed', output: { greeting: 'Hello, World' } })
  })

  test('run of a workflow that faults is a 422 with its error', async () => {
    const account = await server.registerAccount()
    const { status, body } = await run(account, await workflowOf(account, fails))
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'execution_faulted', error: { status: 409, title: 'Out of stock', detail: 'None left' } })
    expect(body.detail).toContain('Out of stock (None left)')
    expect(body.executionId).toMatch(/^exec_/)
  })

  test('run that exceeds the time to wait is a 409 with the id of the execution, which continues', async () => {
    const account = await server.registerAccount()
    const { status, body } = await run(account, await workflowOf(account, waits), {}, { prefer: 'wait=1' })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'execution_unfinished', state: 'waiting' })
    expect(body.detail).toContain(body.executionId)
    expect((await account.send('GET', body.href)).body).toMatchObject({ id: body.executionId, state: 'waiting' })
  })
})

describe('input', () => {
  test.each([
    ['is missing what is required', {}, '/input'],
    ['has a value of another type', { count: 'three' }, '/input/count'],
    ['is out of range', { count: -1 }, '/input/count'],
    ['is no object', [1], '/input'],
  ])('that %s is a 422 with a pointer, and starts nothing', async (_what, input, pointer) => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, counts)
    for (const start of [execute, run]) {
      const { status, body } = await start(account, id, { input })
      expect([status, body.code]).toEqual([422, 'input_invalid'])
      expect(body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    }
    expect((await account.client.workflows.executions({ params: { id } })).data).toEqual([])
  })

  test('an input that matches its schema is accepted', async () => {
    const account = await server.registerAccount()
    expect((await run(account, await workflowOf(account, counts), { input: { count: 41 } })).body).toEqual({ count: 42 })
  })

  test('an input is validated against the schema of the version that runs', async () => {
    const account = await server.registerAccount()
    const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, 'schema-later') } })
    await account.client.workflows.update({ params: { id }, body: { definition: documentOf(counts, 'schema-later') } })
    expect((await run(account, id, { input: { name: 'A' } })).status).toBe(422)
    expect((await run(account, id, { input: { name: 'A' }, version: 1 })).body).toEqual({ greeting: 'Hello, A' })
  })
})

describe('an idempotency key', () => {
  const key = { 'idempotency-key': 'start-once' }

  test('an idempotency key starts one execution, also for concurrent requests', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    const answers = await Promise.all(Array.from({ length: 12 }, () => execute(account, id, { input: { name: 'A' } }, key)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
    expect((await account.client.workflows.executions({ params: { id } })).data).toHaveLength(1)
  })

  test('a run repeated with its idempotency key returns the output of the first run', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    const first = await run(account, id, { input: { name: 'A' } }, key)
    const again = await run(account, id, { input: { name: 'A' } }, key)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('an idempotency key with another input, version, workflow or operation is a 409', async () => {
    const account = await server.registerAccount()
    const [id, other] = [await workflowOf(account, greets), await workflowOf(account, greets)]
    await execute(account, id, { input: { name: 'A' } }, key)
    const conflict = { status: 409, body: { code: 'idempotency_key_reused' } }
    expect(await execute(account, id, { input: { name: 'B' } }, key)).toMatchObject(conflict)
    expect(await execute(account, id, { input: { name: 'A' }, version: 1 }, key)).toMatchObject(conflict)
    expect(await execute(account, other, { input: { name: 'A' } }, key)).toMatchObject(conflict)
    expect(await run(account, id, { input: { name: 'A' } }, key)).toMatchObject(conflict)
  })

  test('a repetition returns the first execution after the workflow was disabled or deleted', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    const first = await run(account, id, { input: { name: 'A' } }, key)
    await account.client.workflows.update({ params: { id }, body: { enabled: false } })
    expect((await run(account, id, { input: { name: 'A' } }, key)).body).toEqual(first.body)
    await account.client.workflows.delete({ params: { id } })
    expect((await run(account, id, { input: { name: 'A' } }, key)).body).toEqual(first.body)
    expect((await run(account, id, { input: { name: 'B' } }, key)).body.code).toBe('idempotency_key_reused')
    expect((await run(account, id, { input: { name: 'A' } })).status).toBe(404)
  })

  test('an idempotency key of a refused request can be used again', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, counts)
    expect((await run(account, id, { input: {} }, key)).status).toBe(422)
    expect((await run(account, id, { input: { count: 1 } }, key)).body).toEqual({ count: 2 })
  })

  test('an idempotency key of one account has no effect in another account', async () => {
    const [one, other] = [await server.registerAccount(), await server.registerAccount()]
    const first = await execute(one, await workflowOf(one, greets), {}, key)
    const second = await execute(other, await workflowOf(other, greets), {}, key)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect(second.body.id).not.toBe(first.body.id)
  })
})

describe('a start without permission', () => {
  test('an API key without the scope cannot start an execution', async () => {
    const account = await server.registerAccount()
    const id = await workflowOf(account, greets)
    const { secret } = await account.client.apiKeys.create({ body: { name: 'reader', scopes: ['executions:read'] } })
    const refused = { status: 403, body: { code: 'insufficient_scope' } }
    expect(await execute(account, id, {}, { authorization: `Bearer ${secret}` })).toMatchObject(refused)
    expect(await run(account, id, {}, { authorization: `Bearer ${secret}` })).toMatchObject(refused)
  })
})

test('each of many concurrent starts runs its own workflow with its own input', async () => {
  const account = await server.registerAccount()
  const ids = await Promise.all(Array.from({ length: 5 }, () => workflowOf(account, greets)))
  const names = Array.from({ length: 100 }, (_, index) => `n${index}`)
  const answers = await Promise.all(names.map((name, index) => run(account, ids[index % 5] ?? '', { input: { name } })))
  expect(answers.map(({ body }) => body.greeting)).toEqual(names.map((name) => `Hello, ${name}`))
})
