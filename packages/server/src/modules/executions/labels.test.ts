import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, greets, labelled, waits } from '#testing/definitions.ts'
import { newId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const byOrder = "{ order: '${ .orderId }', customer: '${ .customer.email }', vip: '${ .vip }', team: billing }"

async function workflowOf(owner: TestAccount, definition: string): Promise<string> {
  return (await owner.client.workflows.create({ body: { definition } })).id
}

const start = (owner: TestAccount, id: string, input: unknown, headers: Record<string, string> = {}) =>
  owner.send('POST', `/api/v1/workflows/${id}/execute`, { input }, headers)

const found = async (owner: TestAccount, query: string, path = '/api/v1/executions') => (await owner.send('GET', `${path}?${query}`)).body
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

const newest = async (owner: TestAccount, query: string) => (await found(owner, `limit=1&${query}`)).data[0]?.labels

describe('the labels of an execution', () => {
  test('are values of its input as text, in the response of the start, in lists and in its record', async () => {
    const id = await workflowOf(account, labelled(documentOf(waits), byOrder))
    const { body } = await start(account, id, { orderId: 4711, customer: { email: ' ada@example.com ' }, vip: true })
    const labels = { order: '4711', customer: 'ada@example.com', vip: 'true', team: 'billing' }
    expect(body.labels).toEqual(labels)
    expect(Object.keys(body.labels)).toEqual(['order', 'customer', 'vip', 'team'])
    const read = (await account.send('GET', `/api/v1/workflows/executions/${body.id}`)).body
    expect([read.labels, read.labelProblems]).toEqual([labels, undefined])
    expect((await found(account, 'label=order:4711')).data).toMatchObject([{ id: body.id, labels }])
    expect((await found(account, '', `/api/v1/workflows/${id}/executions`)).data).toMatchObject([{ id: body.id, labels }])
  })

  test('are absent where the input has no value for them, and so is the member of an execution without any', async () => {
    const id = await workflowOf(account, labelled(documentOf(greets), "{ order: '${ .orderId }', note: '${ .note }' }"))
    expect((await start(account, id, { note: '  ' })).body).not.toHaveProperty('labels')
    const { body } = await start(account, id, { orderId: 0, note: null })
    expect(body.labels).toEqual({ order: '0' })
    expect(body).not.toHaveProperty('labelProblems')
  })

  test.each<[string, unknown, RegExp]>([
    ['[range(1e12)] | length', {}, /take more than 20000 steps/],
    ['def f: f; f', {}, /take more than 20000 steps/],
    ['"x" * 1e9', {}, /./],
    ['[limit(9; repeat("a"*100000))] | join("") | test("(a+)+$")', {}, /./],
    ['.orderId | tonumber', { orderId: 'A' }, /./],
    ['.orderId', { orderId: [1] }, /gives a list/],
    ['.', { orderId: 1 }, /gives an object/],
    ['.orderId', { orderId: 'x'.repeat(201) }, /201 characters, more than 200/],
  ])('`%s` gives no value, and says so, and the execution starts all the same', async (expression, input, problem) => {
    const labels = `{ team: billing, order: '\${ ${expression} }', last: x }`
    const id = await workflowOf(account, labelled(documentOf(greets), labels))
    const { status, body } = await start(account, id, input, { prefer: 'wait=20' })
    expect([status, body.labels.team]).toEqual([200, 'billing'])
    expect(body.labelProblems[0]).toEqual({ name: 'order', problem: expect.stringMatching(problem) })
    expect((await account.send('GET', `/api/v1/workflows/executions/${body.id}`)).body.labelProblems).toEqual(body.labelProblems)
  })

  test('are those of the new input for a retry, and those of its own input for a child, without the secrets of the parent', async () => {
    const owner = await server.registerAccount()
    await owner.send('POST', '/api/v1/variables', { name: 'token', kind: 'secret', value: 'tok-9f8e7d6c' })
    const child = labelled(documentOf(greets, 'labelled-child'), "{ order: '${ .orderId }', token: '${ .token }' }")
    await workflowOf(owner, child)
    const parent = documentOf(`use: { secrets: [token] }
do:
  - pack:
      run:
        workflow:
          namespace: tests
          name: labelled-child
          version: 1.0.0
          input: { orderId: '\${ .orderId }', token: '\${ $secrets.token }' }
  - divide: { set: { result: '\${ 10 / $workflow.input.by }' } }
`)
    const id = await workflowOf(owner, labelled(parent, "{ parent: '${ .orderId }' }"))
    const { body } = await start(owner, id, { orderId: 7, by: 0 }, { prefer: 'wait=20' })
    expect([body.state, body.labels]).toEqual(['faulted', { parent: '7' }])
    expect((await found(owner, 'trigger=workflow')).data).toMatchObject([{ labels: { order: '7', token: '***' } }])
    const retried = await owner.send(
      'POST',
      `/api/v1/workflows/executions/${body.id}/retry`,
      { input: { orderId: 8, by: 5 } },
      { prefer: 'wait=20' },
    )
    expect(retried.body).toMatchObject({ state: 'completed', labels: { parent: '8' } })
    expect(idsOf(await found(owner, 'label=parent:7'))).toEqual([body.id])
  })

  test('are given to what webhooks, events and tests start', async () => {
    const owner = await server.registerAccount()
    const id = await workflowOf(
      owner,
      labelled(documentOf(greets), "{ order: '${ .body.orderId // .data.orderId // .orderId // .event.data.orderId }' }"),
    )
    const webhook = (
      await owner.send('POST', '/api/v1/triggers/webhook', { workflowId: id, name: 'orders', webhook: { signature: { scheme: 'none' } } })
    ).body
    await fetch(`${server.url}${new URL(webhook.webhook.url).pathname}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ orderId: 'W1' }),
    })
    await expect.poll(() => newest(owner, 'trigger=webhook')).toEqual({ order: 'W1' })
    await owner.send('POST', '/api/v1/triggers', { workflowId: id, kind: 'event', name: 'placed', event: { types: ['order.placed'] } })
    await owner.send('POST', '/api/v1/events', {
      specversion: '1.0',
      id: 'e1',
      source: '/shop',
      type: 'order.placed',
      data: { orderId: 'E1' },
    })
    await expect.poll(() => newest(owner, 'trigger=event')).toEqual({ order: 'E1' })
    await owner.send('POST', `/api/v1/workflows/${id}/test`, { input: { orderId: 'T1' } }, { prefer: 'wait=20' })
    await expect.poll(() => newest(owner, 'trigger=test')).toEqual({ order: 'T1' })
  })

  test('have personal data redacted as the input has, also where an expression puts it together', async () => {
    const owner = await server.registerAccount()
    const labels = `{ customer: '\${ .email }', other: '\${ "\\(.user)@\\(.host)" }', problem: '\${ error("\\(.user)@\\(.host)") }' }`
    const id = await workflowOf(owner, labelled(documentOf(greets), labels))
    const input = { email: 'ada@example.com', user: 'grace', host: 'example.org' }
    const policy = { purpose: 'orders', legalBasis: 'contract' as const, kinds: ['email' as const] }
    await owner.client.privacy.putPolicy({ body: { ...policy, action: 'redact' } })
    const { body } = await start(owner, id, input)
    expect(body.labels).toEqual({ customer: '<EMAIL>', other: '<EMAIL>' })
    expect(body.labelProblems).toEqual([{ name: 'problem', problem: '<EMAIL>' }])
    await owner.client.privacy.putPolicy({ body: { ...policy, action: 'block' } })
    const blocked = await start(owner, id, { user: 'grace', host: 'example.org' })
    expect([blocked.status, blocked.body.labels]).toEqual([200, undefined])
    expect(blocked.body.labelProblems[0]).toEqual({
      name: 'other',
      problem: expect.stringMatching(/^The privacy policy of the account refuses/),
    })
    const { rows } = await sql<{ row: string }>`select to_jsonb(l)::text as row from execution_labels l`.execute(server.database.system)
    expect(rows.filter(({ row }) => row.includes('example.org'))).toEqual([])
  })
})

describe('a filter by labels', () => {
  test('finds executions that have all of them, in all workflows or in one, and those of no other account', async () => {
    const owner = await server.registerAccount()
    const labels = "{ order: '${ .order }', shop: '${ .shop }' }"
    const [one, two] = [
      await workflowOf(owner, labelled(documentOf(greets), labels)),
      await workflowOf(owner, labelled(documentOf(greets), labels)),
    ]
    const ids: string[] = []
    for (const [id, order, shop] of [
      [one, 1, 'Berlin'],
      [two, 1, 'Paris, Rive Gauche'],
      [one, 2, 'Berlin'],
      [two, 1, 'Berlin'],
    ] as const)
      ids.push((await start(owner, id, { order, shop }, { prefer: 'wait=20' })).body.id)
    const [first, second, third, fourth] = ids
    expect(idsOf(await found(owner, 'label=order:1'))).toEqual([fourth, second, first])
    expect(idsOf(await found(owner, 'label=order:1,shop:Berlin'))).toEqual([fourth, first])
    expect(idsOf(await found(owner, 'label=shop:Berlin,order:2'))).toEqual([third])
    expect(idsOf(await found(owner, String.raw`label=shop:Paris\,+Rive+Gauche`))).toEqual([second])
    expect(idsOf(await found(owner, 'label=order:1,order:2'))).toEqual([])
    expect(idsOf(await found(owner, `label=order:1&workflowId=${one}&state=completed`))).toEqual([first])
    expect(idsOf(await found(owner, 'label=order:1&state=faulted'))).toEqual([])
    expect(idsOf(await found(owner, 'label=order:1&to=2000-01-01T00:00:00Z'))).toEqual([])
    expect(idsOf(await found(owner, 'label=order:1', `/api/v1/workflows/${two}/executions`))).toEqual([fourth, second])
    expect(idsOf(await found(account, 'label=order:1,shop:Berlin'))).toEqual([])
    for (const wrong of ['order', ':1', 'order:', '', Array.from({ length: 11 }, (_, at) => `l${at}:x`).join(',')])
      expect((await found(owner, `label=${wrong}`)).errors[0].pointer).toBe('/label')
  })

  test('has pages without gaps or repetitions, also where few of many match, and after retention has deleted executions', async () => {
    const owner = await server.registerAccount()
    const id = await workflowOf(owner, documentOf(greets))
    const ids = Array.from({ length: 6_000 }, newId)
    const { system } = server.database
    await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
      select i.id, ${owner.accountId}, w.id, w.latest_version_id, case when i.n % 1500 = 1 then 'faulted' else 'completed' end, 'manual',
        'user:1', '{}', now()
      from unnest(${ids}::uuid[]) with ordinality as i (id, n)
      cross join (select id, latest_version_id from workflows where account_id = ${owner.accountId}) w`.execute(system)
    await sql`insert into execution_labels (execution_id, account_id, number, name, value)
      select id, ${owner.accountId}, 0, 'shop', 'Berlin' from unnest(${ids}::uuid[]) as i (id)`.execute(system)
    await sql`delete from executions where id = any(${ids.slice(100, 200)}::uuid[])`.execute(system)
    const all = async (query: string, path?: string) => {
      const listed: string[] = []
      const sizes: number[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { data: { id: string }[]; nextCursor: string | null } = await found(
          owner,
          `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
          path,
        )
        listed.push(...idsOf(page))
        sizes.push(page.data.length)
        cursor = page.nextCursor
      }
      return { listed, sizes }
    }
    const every = await all('label=shop:Berlin&limit=100')
    expect([every.listed.length, new Set(every.listed).size]).toEqual([5_900, 5_900])
    expect(every.listed).toEqual(every.listed.toSorted().toReversed())
    const few = await all('label=shop:Berlin&state=faulted&limit=3')
    expect([few.listed.length, few.sizes]).toEqual([4, [3, 1]])
    expect((await all('label=shop:Berlin&state=faulted', `/api/v1/workflows/${id}/executions`)).listed).toEqual(few.listed)
  })
})

test('a text finds the label that it is first, however old, and each execution once', async () => {
  const owner = await server.registerAccount()
  const labels = "{ order: '${ .order }', ref: '${ .ref }' }"
  const id = await workflowOf(owner, labelled(documentOf(greets, 'works-4711'), labels))
  const ids: string[] = []
  for (const input of [{ order: 4711, ref: 4711 }, { order: 1 }, { ref: '4711' }, { order: 2 }, { order: 47 }])
    ids.push((await start(owner, id, input, { prefer: 'wait=20' })).body.id)
  const [first, second, third, fourth, fifth] = ids
  const expected = [third, first, fifth, fourth, second]
  expect(idsOf(await found(owner, 'q=4711'))).toEqual(expected)
  for (const limit of [1, 2, 3, 4]) {
    const listed: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: { id: string }[]; nextCursor: string | null } = await found(
        owner,
        `q=4711&limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      listed.push(...idsOf(page))
      cursor = page.nextCursor
    }
    expect(listed, `pages of ${limit}`).toEqual(expected)
  }
  expect(idsOf(await found(owner, 'q=4711&label=order:4711'))).toEqual([first])
  for (const text of ['order:4711', 'Order: 4711', 'order 4711'])
    expect(idsOf(await found(owner, `q=${encodeURIComponent(text)}`)), text).toEqual([first])
  expect(idsOf(await found(owner, 'q=shop:4711'))).toEqual([])
})
