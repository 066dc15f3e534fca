import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** A workflow whose definition has this schedule. */
async function workflowOn(account: TestAccount, on: string, name = 'on-events'): Promise<string> {
  const definition = documentOf(`schedule: ${on}\ndo:\n  - echo: { set: { got: "\${ . }" } }\n`, name)
  const { id, warnings } = await account.client.workflows.create({ body: { definition } })
  expect(warnings).toEqual([])
  return id
}

/** Sends events of these types, one after the other; `order` is in their data. */
async function send(account: TestAccount, events: readonly (readonly [type: string, order: number])[]): Promise<void> {
  for (const [index, [type, order]] of events.entries()) {
    const event = { specversion: '1.0', id: `${type} ${order} ${index}`, source: '/shop', type, data: { type, order } }
    expect((await account.send('POST', '/api/v1/events', event)).status).toBe(200)
  }
}

/** The inputs of all executions, after every event was taken. */
async function inputsOf(account: TestAccount, workflowId: string) {
  const pending = async () =>
    (await sql`select from trigger_firings where account_id = ${account.accountId}`.execute(server.database.system)).rows.length
  await expect.poll(pending).toBe(0)
  const { data } = (await account.send('GET', `/api/v1/workflows/${workflowId}/executions?limit=100`)).body
  const inputs = []
  for (const { id } of data.toReversed()) inputs.push((await account.send('GET', `/api/v1/workflows/executions/${id}`)).body.input)
  return inputs
}

const asOrders = (inputs: readonly (readonly { type: string; order: number }[])[]) =>
  inputs.map((input) => input.map(({ type, order }) => `${type} ${order}`)).toSorted((a, b) => (String(a) < String(b) ? -1 : 1))

test('an event that passes the filter of `one` starts the workflow with the event in an array, and others do not', async () => {
  const account = await server.registerAccount()
  const data = await workflowOn(account, '{ on: { one: { with: { type: paid, data: "${ .order > 1 }" } } } }', 'data')
  const envelope = await workflowOn(account, '{ on: { any: [{ with: { type: paid|sent } }] }, read: envelope }', 'envelope')
  await send(account, [
    ['paid', 1],
    ['paid', 2],
    ['sent', 3],
    ['lost', 4],
  ])
  expect(await inputsOf(account, data)).toEqual([[{ type: 'paid', order: 2 }]])
  const read = (await inputsOf(account, envelope)).map(([event]: { id: string }[]) => event?.id)
  expect(new Set(read)).toEqual(new Set(['paid 1 0', 'paid 2 1', 'sent 3 2']))
  expect(read).toHaveLength(3)
})

test('`all` starts the workflow once for each set of correlated events, while two servers run', async () => {
  const second = await server.startSecond()
  const account = await server.registerAccount()
  const filterOf = (type: string) => `{ with: { type: ${type} }, correlate: { order: { from: "\${ .data.order }" } } }`
  const workflowId = await workflowOn(account, `{ on: { all: [${filterOf('paid')}, ${filterOf('packed')}] } }`)
  const orders = Array.from({ length: 12 }, (_, order) => order)
  await Promise.all([
    send(
      account,
      orders.map((order) => ['paid', order]),
    ),
    send(
      account,
      orders.map((order) => ['packed', order]),
    ),
  ])
  await send(account, [['paid', 99]])
  const inputs = asOrders(
    (await inputsOf(account, workflowId)).map((input) => input.toSorted((a: { type: string }) => (a.type === 'packed' ? -1 : 1))),
  )
  expect(inputs).toEqual(
    asOrders(
      orders.map((order) => [
        { type: 'packed', order },
        { type: 'paid', order },
      ]),
    ),
  )
  const { rows } = await sql`select events from trigger_event_sets where account_id = ${account.accountId}`.execute(server.database.system)
  expect(rows).toHaveLength(1)
  await second.close()
})

test('`any` collects events until its condition or its last event, and disabling forgets them', async () => {
  const account = await server.registerAccount()
  const counted = await workflowOn(account, '{ on: { any: [{ with: { type: tick } }], until: "${ length == 3 }" } }', 'counted')
  const closed = await workflowOn(
    account,
    '{ on: { any: [{ with: { type: tick } }], until: { one: { with: { type: close } } } } }',
    'closed',
  )
  await send(account, [
    ['close', 0],
    ['tick', 1],
    ['tick', 2],
    ['close', 3],
    ['tick', 4],
    ['tick', 5],
  ])
  const tick = (order: number) => ({ type: 'tick', order })
  expect(await inputsOf(account, counted)).toEqual([[1, 2, 4].map(tick)])
  expect(await inputsOf(account, closed)).toEqual([[1, 2].map(tick)])
  const [trigger] = (await account.send('GET', `/api/v1/triggers/workflow/${closed}`)).body.data
  expect(trigger).toMatchObject({ origin: 'definition', kind: 'event', event: { types: ['tick', 'close'] } })
  for (const enabled of [false, true]) await account.send('PATCH', `/api/v1/triggers/${trigger.id}/toggle`, { enabled })
  await send(account, [
    ['tick', 6],
    ['close', 7],
  ])
  expect(asOrders(await inputsOf(account, closed))).toEqual([['tick 1', 'tick 2'], ['tick 6']])
})

test('an event on which the condition fails is refused alone, and the set ends with the others', async () => {
  const account = await server.registerAccount()
  const until = '{ on: { any: [{ with: { type: tick } }], until: "${ if any(.[]; .order == 2) then error(1) else length == 3 end }" } }'
  const workflowId = await workflowOn(account, until, 'counted')
  await send(
    account,
    [1, 2, 3, 2, 4].map((order) => ['tick', order]),
  )
  expect(await inputsOf(account, workflowId)).toEqual([[1, 3, 4].map((order) => ({ type: 'tick', order }))])
})

test('a trigger whose condition exceeds its step budget is paused, and the person reads why', async () => {
  const account = await server.registerAccount()
  const workflowId = await workflowOn(
    account,
    `{ on: { any: [{ with: { type: tick } }], until: '\${ last(range(1000000000)) == 1 }' } }`,
    'counted',
  )
  await send(
    account,
    Array.from({ length: 10 }, (_, order) => ['tick', order]),
  )
  const reason =
    /^10 starts in a row failed\. The last reason: The condition in `until` \(with 1 event\) failed: The program took more than 5000000 steps in /
  await expect
    .poll(async () => (await account.send('GET', `/api/v1/triggers/workflow/${workflowId}`)).body.data[0])
    .toMatchObject({ enabled: false, pausedReason: expect.stringMatching(reason) })
  // Events of several batches also have a notice of the first failure.
  const { data } = (await account.send('GET', '/api/v1/notifications?kind=trigger.paused')).body
  expect(data.filter(({ body }: { readonly body: string }) => reason.test(body))).toHaveLength(1)
})

test('a set on which the condition fails by itself is dropped, and later events begin another', async () => {
  const account = await server.registerAccount()
  const until = '{ on: { any: [{ with: { type: tick } }], until: "${ (map(.order - 0) | add) >= 3 }" } }'
  const workflowId = await workflowOn(account, until, 'counted')
  await send(account, [['tick', 1]])
  expect(await inputsOf(account, workflowId)).toEqual([])
  const kept = { specversion: '1.0', id: '1', source: '/shop', type: 'tick', data: { order: 'one' } }
  await sql`
    update trigger_event_sets set events = array[${JSON.stringify(kept)}::json]
    where account_id = ${account.accountId}`.execute(server.database.system)
  await send(account, [
    ['tick', 3],
    ['tick', 1],
    ['tick', 2],
  ])
  expect(await inputsOf(account, workflowId)).toEqual([[1, 2].map((order) => ({ type: 'tick', order }))])
})

test('a workflow that is disabled, or whose new version has no such schedule, is not started', async () => {
  const account = await server.registerAccount()
  const on = '{ on: { one: { with: { type: paid } } } }'
  const workflowId = await workflowOn(account, on)
  await account.send('PUT', `/api/v1/workflows/${workflowId}`, { enabled: false })
  await send(account, [['paid', 1]])
  await account.send('PUT', `/api/v1/workflows/${workflowId}`, { enabled: true })
  await send(account, [['paid', 2]])
  expect(await inputsOf(account, workflowId)).toEqual([[{ type: 'paid', order: 2 }]])
  await account.send('PUT', `/api/v1/workflows/${workflowId}`, { definition: documentOf('do:\n  - a: { set: { x: 1 } }\n', 'on-events') })
  await send(account, [['paid', 3]])
  expect(await inputsOf(account, workflowId)).toHaveLength(1)
})

test.each([
  ['reads an execution', '{ one: { with: { type: a, subject: "${ . == $context.x }" } } }', '/schedule/on/one/with/subject'],
  [
    'expects a value of an execution',
    '{ all: [{ with: { type: a }, correlate: { x: { from: .id, expect: "${ $input.x }" } } }] }',
    '/schedule/on/all/0/correlate/x/expect',
  ],
  [
    'takes lifecycle events of tasks',
    '{ any: [{ with: { type: io.serverlessworkflow.task.completed.v1 } }] }',
    '/schedule/on/any/0/with/type',
  ],
])('a schedule whose filter %s is refused with its place', async (_case, on, pointer) => {
  const account = await server.registerAccount()
  const definition = documentOf(`schedule: { on: ${on} }\ndo:\n  - a: { set: { x: 1 } }\n`)
  const { body } = await account.send('POST', '/api/v1/workflows', { definition })
  expect(body).toMatchObject({ status: 422, code: 'workflow_invalid', diagnostics: [{ pointer }] })
})
