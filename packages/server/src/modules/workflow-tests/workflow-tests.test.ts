import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
let bank: Awaited<ReturnType<typeof startHttpStandIn>>
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  bank = await startHttpStandIn(({ body }) => ({ body: { paid: body } }))
})
afterAll(async () => {
  await bank[Symbol.asyncDispose]()
  await server.close()
})

const pay = (value: unknown) => ({ call: 'http', with: { method: 'post', endpoint: bank.url, body: value } })
let names = 0

async function draftOf(tasks: readonly object[], more: object = {}): Promise<string> {
  const document = { dsl: '1.0.3', namespace: 'test', name: `tested-${++names}`, version: '1.0.0' }
  const { status, body } = await account.send('POST', '/api/v1/workflows', { definition: { document, ...more, do: tasks }, publish: false })
  expect([status, body]).toMatchObject([200, {}])
  return body.id
}

function run(id: string, body: object) {
  return account.send('POST', `/api/v1/workflows/${id}/test`, body, { prefer: 'wait=20' })
}

const order = () => [
  { fetch: pay({ never: true }) },
  { pay: { ...pay('${ {amount: .total, by: $context.by} }'), then: 'done' } },
  { skipped: pay({ never: true }) },
  { done: { set: { sum: '${ .paid.amount }' } } },
]

describe('a test of one task', () => {
  test('runs this task alone, with the given input and context, from a draft that was never published', async () => {
    const id = await draftOf(order(), { output: { as: '${ {wrong: true} }' } })
    bank.requests.length = 0
    const { status, body } = await run(id, { task: '/do/1/pay', taskInput: { total: 7 }, context: { by: 'Ada' } })
    expect([status, body]).toMatchObject([200, { state: 'completed', trigger: 'test', output: { paid: { amount: 7, by: 'Ada' } } }])
    expect(body.workflowVersion).toBeLessThan(0)
    expect(bank.requests.map((request) => request.body)).toEqual([{ amount: 7, by: 'Ada' }])
  })

  test('takes the sample of its input, or the sample output of the task before it', async () => {
    const id = await draftOf([{ first: pay({}) }, { second: { set: { double: '${ .n * 2 }' } } }])
    const path = `/api/v1/workflows/${id}/samples`
    const tasks = { '/do/0/first': { output: { n: 3 } } }
    expect((await account.send('PUT', path, { tasks })).body).toEqual({ tasks })
    expect((await run(id, { task: '/do/1/second' })).body.output).toEqual({ double: 6 })
    await account.send('PUT', path, { tasks: { ...tasks, '/do/1/second': { input: { n: 5 } } } })
    expect((await run(id, { task: '/do/1/second' })).body.output).toEqual({ double: 10 })
    expect((await run(id, { task: '/do/1/second', taskInput: { n: 1 } })).body.output).toEqual({ double: 2 })
    expect((await account.send('GET', path)).body.tasks['/do/1/second']).toEqual({ input: { n: 5 } })
  })

  test('has null as its input where the test or the sample says so', async () => {
    const id = await draftOf([{ first: pay({}) }, { second: { set: { isNull: '${ . == null }' } } }])
    const save = (second: object) =>
      account.send('PUT', `/api/v1/workflows/${id}/samples`, { tasks: { '/do/0/first': { output: { n: 3 } }, '/do/1/second': second } })
    await save({ input: { n: 5 } })
    expect((await run(id, { task: '/do/1/second', taskInput: null })).body.output).toEqual({ isNull: true })
    await save({ input: null })
    expect((await run(id, { task: '/do/1/second' })).body.output).toEqual({ isNull: true })
  })

  test('inside a loop has the item that the test gives', async () => {
    const inner = [{ add: { set: { text: '${ $customer.name + "-" + ($at | tostring) }' } } }]
    const id = await draftOf([{ each: { for: { each: 'customer', in: '${ .customers }', at: 'at' }, do: inner } }])
    const { body } = await run(id, { task: '/do/0/each/do/0/add', items: { customer: { name: 'Ada' } } })
    expect(body).toMatchObject({ state: 'completed', output: { text: 'Ada-0' } })
  })

  test('reads the outputs of earlier steps from pins and samples, also around a loop, and says which one is missing', async () => {
    const item = { note: { set: { text: '${ $steps.ask.name + $steps["look up"].code + .sign }' } } }
    const each = { for: { each: 'line', in: '${ .lines }' }, do: [{ 'look up': pay({}) }, item] }
    const id = await draftOf([{ ask: pay({}) }, { each }])
    const task = '/do/1/each/do/1/note'
    await account.send('PUT', `/api/v1/workflows/${id}/samples`, { tasks: { '/do/0/ask': { output: { name: 'Ada' } } } })
    const refused = await run(id, { task, taskInput: { sign: '!' } })
    const pointer = '/pins/~1do~11~1each~1do~10~1look up'
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer, detail: expect.stringContaining('"look up"') }]])
    const pins = { '/do/1/each/do/0/look up': { output: { code: '7' } } }
    const { body } = await run(id, { task, taskInput: { sign: '!' }, pins })
    expect(body).toMatchObject({ state: 'completed', output: { text: 'Ada7!' } })
  })

  test('with an unknown reference is refused with its pointer', async () => {
    const { status, body } = await run(await draftOf(order()), { task: '/do/9/none' })
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/task' }]])
  })

  test('with a pin of no task is refused, since the task would act for real', async () => {
    const id = await draftOf([{ alert: pay({}) }])
    const { status, body } = await run(id, { pins: { '/do/0/alrt': { output: {} } } })
    const detail = expect.stringContaining('"/do/0/alert"')
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/pins/~1do~10~1alrt', detail }]])
  })
})

describe('a test of a whole definition', () => {
  test('replaces pinned tasks by their outputs, which are data and never evaluated, and runs the others', async () => {
    const id = await draftOf([{ fetch: pay({ never: true }) }, { keep: { set: { got: '${ . }', input: '${ $workflow.input.x }' } } }])
    bank.requests.length = 0
    const tricky = { text: '${ error("evaluated") } \\(1) "quoted" \u2028 \\', list: [-1.5, null, true] }
    const { body } = await run(id, { input: { x: 1 }, pins: { '/do/0/fetch': { output: tricky } } })
    expect(body).toMatchObject({ state: 'completed', output: { got: tricky, input: 1 } })
    expect(bank.requests).toEqual([])
  })

  test('takes a definition that is not saved, leaves the draft and the versions as they are, and reports its errors', async () => {
    const id = await draftOf([{ a: { set: { saved: true } } }])
    const before = (await account.send('GET', `/api/v1/workflows/${id}`)).body
    const document = { dsl: '1.0.3', namespace: 'test', name: 'not-saved', version: '1.0.0' }
    const { body } = await run(id, { definition: { document, do: [{ a: { set: { saved: false } } }] } })
    expect(body.output).toEqual({ saved: false })
    expect((await account.send('GET', `/api/v1/workflows/${id}`)).body).toEqual({ ...before, lastExecution: expect.anything() })
    expect((await account.send('GET', `/api/v1/workflows/${id}/versions`)).body.data).toEqual([])
    expect((await run(id, { definition: { document, do: [{ a: { unknown: 1 } }] } })).body.code).toBe('workflow_invalid')
  })
})

test('a test that faults notifies no person and is in no figures', async () => {
  const id = await draftOf([{ no: { raise: { error: { type: 'https://example.com/no', status: 400 } } } }])
  const { body } = await run(id, {})
  expect(body.state).toBe('faulted')
  await account.send('PUT', `/api/v1/workflows/${id}`, { publish: true })
  const real = await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=10' })
  expect(real.body.state).toBe('faulted')
  const list = async () => (await account.send('GET', '/api/v1/notifications?kind=execution.faulted')).body.data
  await expect.poll(list).toMatchObject([{ count: 1, link: `/runs/${real.body.id}` }])
})

test('another workflow never runs a version of a test, whatever its document version is', async () => {
  const id = await draftOf([{ a: { set: { x: 1 } } }])
  await account.send('PUT', `/api/v1/workflows/${id}`, { publish: true })
  const name = `tested-${names}`
  const document = { dsl: '1.0.3', namespace: 'test', name, version: '9.0.0' }
  expect((await run(id, { definition: { document, do: [{ a: { set: { x: 2 } } }] } })).body.state).toBe('completed')
  const caller = await draftOf([{ call: { run: { workflow: { namespace: 'test', name, version: '9.0.0' } } } }])
  expect((await run(caller, {})).body.state).toBe('faulted')
})

test('another account cannot test a workflow, and a key without workflows:write cannot bring a definition', async () => {
  const id = await draftOf([{ a: { set: { x: 1 } } }])
  const other = await server.registerAccount()
  expect((await other.send('POST', `/api/v1/workflows/${id}/test`, {})).status).toBe(404)
  const { secret } = (await account.send('POST', '/api/v1/api-keys', { name: 'runner', scopes: ['executions:run'] })).body
  const send = (body: object) =>
    fetch(`${server.url}/api/v1/workflows/${id}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await send({ definition: 'do: []' })).status).toBe(403)
  expect((await send({})).status).toBe(200)
})
