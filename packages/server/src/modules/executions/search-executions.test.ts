import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, fails, greets, waits } from '#testing/definitions.ts'
import { newId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/executions'

let server: TestServer
let account: TestAccount
let workflows: Record<'greeting' | 'failing' | 'waiting', string>
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
  const create = async (name: string, tasks: string) =>
    (await account.client.workflows.create({ body: { definition: documentOf(tasks, name) } })).id
  workflows = {
    greeting: await create('say-hello', greets),
    failing: await create('reserve-stock', fails),
    waiting: await create('sleep', waits),
  }
  const { greeting, failing, waiting } = workflows
  for (const [id, wait] of [
    [greeting, 30],
    [failing, 30],
    [greeting, 30],
    [waiting, 0],
    [failing, 30],
  ] as const)
    await account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: `wait=${wait}` })
})
afterAll(() => server.close())

const search = async (query: string) => (await account.send('GET', `${path}?${query}`)).body
const statesOf = ({ data }: { data: { state: string }[] }) => data.map(({ state }) => state)

test('executions of all workflows are listed newest first, with name, duration and error', async () => {
  const { data, nextCursor } = await search('')
  expect(data.map(({ workflowId }: { workflowId: string }) => workflowId)).toEqual([
    workflows.failing,
    workflows.waiting,
    workflows.greeting,
    workflows.failing,
    workflows.greeting,
  ])
  expect(data[0]).toMatchObject({
    workflowName: 'reserve-stock',
    state: 'faulted',
    durationMs: expect.any(Number),
    error: { title: 'Out of stock' },
  })
  expect(data[1]).toMatchObject({ workflowName: 'sleep', durationMs: null })
  expect(nextCursor).toBeNull()
})

test('several states, a workflow, origins, the type of an error and times can be combined', async () => {
  expect(statesOf(await search('state=faulted,completed'))).toEqual(['faulted', 'completed', 'faulted', 'completed'])
  expect(statesOf(await search('state=waiting,running,pending'))).toHaveLength(1)
  expect(statesOf(await search(`workflowId=${workflows.failing}&state=completed`))).toEqual([])
  expect(statesOf(await search(`workflowId=${workflows.failing}`))).toEqual(['faulted', 'faulted'])
  expect(statesOf(await search('errorType=https://example.com/errors/stock'))).toEqual(['faulted', 'faulted'])
  expect(statesOf(await search('trigger=schedule,webhook'))).toEqual([])
  expect(statesOf(await search('trigger=manual&to=2000-01-01T00:00:00Z'))).toEqual([])
  expect(statesOf(await search('from=2000-01-01T00:00:00Z'))).toHaveLength(5)
})

test('a text finds an id, a part of a name, and a part of an error', async () => {
  const { data } = await search('')
  expect((await search(`q=${data[2].id}`)).data).toMatchObject([{ id: data[2].id }])
  expect(statesOf(await search('q=HELLO'))).toEqual(['completed', 'completed'])
  expect(statesOf(await search('q=none+left'))).toEqual(['faulted', 'faulted'])
  expect(statesOf(await search('q=100%25'))).toEqual([])
})

test('pages follow one another without gaps or repetitions', async () => {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await search(`limit=2&q=s&state=faulted,completed,waiting${cursor === '' ? '' : `&cursor=${cursor}`}`)
    ids.push(...page.data.map(({ id }: { id: string }) => id))
    cursor = page.nextCursor
  }
  expect(ids).toEqual((await search('q=s&state=faulted,completed,waiting')).data.map(({ id }: { id: string }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a filter without an index examines a bounded number of executions, and the next page continues behind them', async () => {
  const busy = await server.registerAccount()
  await busy.client.workflows.create({ body: { definition: documentOf(greets) } })
  // Ids in the order of their creation: the first one is the oldest.
  const ids = Array.from({ length: 5_100 }, newId)
  await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
    select i.id, ${busy.accountId}, w.id, w.latest_version_id, 'completed', case i.n when 1 then 'schedule' else 'manual' end, 'user:1', '{}', now()
    from unnest(${ids}::uuid[]) with ordinality as i (id, n)
    cross join (select id, latest_version_id from workflows where account_id = ${busy.accountId}) w`.execute(server.database.system)
  const first = (await busy.send('GET', `${path}?trigger=schedule`)).body
  expect(first).toEqual({ data: [], nextCursor: expect.any(String) })
  const second = (await busy.send('GET', `${path}?trigger=schedule&cursor=${first.nextCursor}`)).body
  expect(second).toMatchObject({ data: [{ trigger: 'schedule' }], nextCursor: null })
})

test('another account finds nothing, and a filter that does not exist is refused with its name', async () => {
  const other = await server.registerAccount()
  expect((await other.send('GET', `${path}?workflowId=${workflows.failing}`)).body.data).toEqual([])
  expect((await search('state=broken')).errors[0].pointer).toBe('/state')
  expect((await search('from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).errors[0].pointer).toBe('/to')
})

test('what needs attention are faulted executions, but no tests, and none of which a retry completed', async () => {
  const owner = await server.registerAccount()
  const divides = documentOf(`do:\n  - divide: { set: { result: '\${ 10 / .by }' } }\n`, 'divides')
  const { id } = await owner.client.workflows.create({ body: { definition: divides } })
  const run = async (what: string, body: object) => (await owner.send('POST', what, body, { prefer: 'wait=20' })).body.id
  const [first, second] = [
    await run(`/api/v1/workflows/${id}/execute`, { input: { by: 0 } }),
    await run(`/api/v1/workflows/${id}/execute`, { input: { by: 0 } }),
  ]
  await run(`/api/v1/workflows/${id}/execute`, { input: { by: 5 } })
  await run(`/api/v1/workflows/${id}/test`, { input: { by: 0 } })
  const found = async (query = '') =>
    (await owner.send('GET', `${path}?needsAttention=true${query}`)).body.data.map(({ id: one }: { id: string }) => one)
  expect(await found()).toEqual([second, first])
  const retry = await run(`/api/v1/workflows/executions/${first}/retry`, {})
  // A retry that failed too needs a look, and so does what it was to mend.
  expect(await found()).toEqual([retry, second, first])
  await run(`/api/v1/workflows/executions/${retry}/retry`, { input: { by: 5 } })
  expect(await found()).toEqual([second])
  expect(await found('&state=completed')).toEqual([])
})

test('a cursor is refused with other filters than those of its list; the size of a page and times may differ', async () => {
  const { data, nextCursor } = await search('state=faulted&limit=1')
  const next = (query: string) => search(`${query}&cursor=${nextCursor}`)
  for (const query of ['state=completed', 'state=faulted&q=stock', ''])
    expect((await next(query)).errors).toMatchObject([{ pointer: '/cursor', in: 'query' }])
  const ofWorkflow = await account.send('GET', `/api/v1/workflows/${workflows.failing}/executions?state=faulted&cursor=${nextCursor}`)
  expect(ofWorkflow.body).toMatchObject({ status: 400, code: 'request_invalid' })
  const rest = await next('state=faulted&limit=5&from=2000-01-01T00:00:00Z')
  expect(rest.data).toHaveLength(1)
  expect(rest.data[0].id).not.toBe(data[0].id)
  const ofOlderRelease = String(nextCursor).replace(/\..*/, '')
  expect((await search(`state=faulted&cursor=${ofOlderRelease}`)).data).toEqual(rest.data)
})
