import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, fails, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { lastExecutionJoin } from './store.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const create = async (account: TestAccount, name: string, more: object = {}) =>
  (await account.client.workflows.create({ body: { definition: documentOf(greets), name, ...more } })).id
const namesOf = (page: { data: readonly { name: string }[] }) => page.data.map(({ name }) => name)
const run = (account: TestAccount, id: string) => account.send('POST', `/api/v1/workflows/${id}/execute`, {}, { prefer: 'wait=10' })

describe('the list', () => {
  test('workflows are listed newest first, each with the state of its last execution', async () => {
    const account = await server.registerAccount()
    const [one, two] = [await create(account, 'One'), await create(account, 'Two', { definition: documentOf(fails) })]
    await create(account, 'Never')
    await run(account, one)
    await run(account, two)
    const last = (await run(account, two)).body
    const { data, nextCursor } = await account.client.workflows.list()
    expect(data.map(({ name, lastExecution }) => [name, lastExecution?.state ?? null])).toEqual([
      ['Never', null],
      ['Two', 'faulted'],
      ['One', 'completed'],
    ])
    expect(data[1]?.lastExecution).toEqual({ id: last.id, state: 'faulted', createdAt: last.createdAt, endedAt: last.endedAt })
    expect(nextCursor).toBeNull()
    expect(data[0]).not.toHaveProperty('definition')
  })

  test('each workflow has the kinds of its enabled triggers', async () => {
    const account = await server.registerAccount()
    const scheduled = await create(account, 'Scheduled', { definition: documentOf(`schedule: { every: { hours: 1 } }\n${greets}`) })
    const called = await create(account, 'Called')
    for (const [name, workflowId] of [
      ['one', scheduled],
      ['two', scheduled],
      ['off', called],
    ] as const)
      await account.client.triggers.createWebhook({ body: { workflowId, name, enabled: name !== 'off' } })
    const { data } = await account.client.workflows.list()
    expect(data.map(({ name, startKinds }) => [name, startKinds])).toEqual([
      ['Called', []],
      ['Scheduled', ['schedule', 'webhook']],
    ])
  })
})

describe('filters', () => {
  test('workflows are read by their ids, those of chains as well, and those of another account are left out', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    const [one, theirs] = [await create(account, 'One'), await create(other, 'Theirs')]
    await create(account, 'Two')
    const chain = (await account.send('POST', '/api/v1/chains', { name: 'Chained', members: [{ name: 'first', workflowId: one }] })).body
    const found = await account.client.workflows.list({ query: { ids: [one, theirs, chain.workflowId].join(','), sort: 'name' } })
    expect(namesOf(found)).toEqual(['Chained', 'One'])
    expect(await account.send('GET', '/api/v1/workflows?ids=One')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/ids' }] },
    })
  })

  test('a filter by state returns drafts, published or disabled workflows', async () => {
    const account = await server.registerAccount()
    await create(account, 'Draft', { publish: false })
    await create(account, 'Published')
    const id = await create(account, 'Disabled')
    await account.client.workflows.update({ params: { id }, body: { enabled: false } })
    const states = ['draft', 'published', 'disabled'] as const
    const found = await Promise.all(states.map(async (state) => namesOf(await account.client.workflows.list({ query: { state } }))))
    expect(found).toEqual([['Draft'], ['Published'], ['Disabled']])
  })

  test('workflows can be filtered by tag and by trigger', async () => {
    const account = await server.registerAccount()
    await create(account, 'Tagged', { tags: ['billing', 'nightly'] })
    await create(account, 'Scheduled', { definition: documentOf(`schedule: { every: { hours: 1 } }\n${greets}`) })
    expect(namesOf(await account.client.workflows.list({ query: { tag: 'billing' } }))).toEqual(['Tagged'])
    expect(namesOf(await account.client.workflows.list({ query: { tag: 'bill' } }))).toEqual([])
    expect(namesOf(await account.client.workflows.list({ query: { trigger: 'schedule' } }))).toEqual(['Scheduled'])
    expect(namesOf(await account.client.workflows.list({ query: { trigger: 'schedule', tag: 'billing' } }))).toEqual([])
  })

  test('the tags of an account are listed with the number of workflows that have them', async () => {
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    await create(other, 'Elsewhere', { tags: ['theirs'] })
    await create(account, 'One', { tags: ['nightly', 'Billing'] })
    const id = await create(account, 'Two', { tags: ['nightly', 'nightly'] })
    const tags = async () => (await account.client.workflows.tags()).data
    expect(await tags()).toEqual([
      { tag: 'Billing', workflows: 1 },
      { tag: 'nightly', workflows: 2 },
    ])
    await account.client.workflows.delete({ params: { id } })
    expect(await tags()).toContainEqual({ tag: 'nightly', workflows: 1 })
  })

  test('a workflow is found by the namespace and name of its document, and nothing else is', async () => {
    const account = await server.registerAccount()
    await create(account, 'One', { definition: documentOf(greets, 'orders') })
    await create(account, 'Two', { definition: documentOf(greets, 'orders-2') })
    const found = async (document: string) => namesOf(await account.client.workflows.list({ query: { document } }))
    expect(await found('tests/orders')).toEqual(['One'])
    expect(await found('other/orders')).toEqual([])
  })

  test('a filter by text searches name, description, and name and title of the definition, ignores case and has no wildcards', async () => {
    const account = await server.registerAccount()
    await create(account, 'Send INVOICES')
    await create(account, 'Other', { description: 'Makes an invoice.' })
    await create(account, '100% off_season \\ sale')
    const found = async (q: string) => namesOf(await account.client.workflows.list({ query: { q, sort: 'name' } }))
    expect(await found('invoice')).toEqual(['Other', 'Send INVOICES'])
    for (const text of ['%', '_', '\\']) expect(await found(text)).toEqual(['100% off_season \\ sale'])
    await create(account, 'Renamed', {
      definition: documentOf(greets, 'dunning-letters').replace('version:', 'title: Second Reminder, version:'),
    })
    expect(await found('DUNNING-l')).toEqual(['Renamed'])
    expect(await found('second rem')).toEqual(['Renamed'])
    expect(await found("'; drop table workflows; --")).toEqual([])
  })
})

describe('sorting', () => {
  test('sorting by name is ascending and ignores case, across pages', async () => {
    const account = await server.registerAccount()
    for (const name of ['beta', 'Alpha', 'gamma', 'alpha', 'Über']) await create(account, name)
    const expected = ['Alpha', 'alpha', 'beta', 'gamma', 'Über']
    expect(namesOf(await account.client.workflows.list({ query: { sort: 'name' } }))).toEqual(expected)
    expect(await pages(account, { sort: 'name', limit: 2 })).toEqual(expected)
  })

  test('sorting by last execution puts the latest first and workflows without executions last', async () => {
    const account = await server.registerAccount()
    const ids: string[] = []
    for (const name of ['A', 'B', 'C', 'D']) ids.push(await create(account, name))
    for (const at of [2, 0, 1]) await run(account, ids[at] ?? '')
    expect(namesOf(await account.client.workflows.list({ query: { sort: 'lastExecution' } }))).toEqual(['B', 'A', 'C', 'D'])
    expect(await pages(account, { sort: 'lastExecution', limit: 1 })).toEqual(['B', 'A', 'C', 'D'])
  })
})

describe('pages', () => {
  test.each(['created', 'name'] as const)(
    'pages sorted by %s contain every workflow once while others are created and deleted',
    async (sort) => {
      const account = await server.registerAccount()
      const names = Array.from({ length: 7 }, (_, index) => `m${index}`)
      for (const name of names) await create(account, name)
      let count = 0
      const seen = await pages(account, { sort, limit: 2 }, async () => {
        count += 1
        const id = await create(account, `${sort === 'name' ? 'a' : 'z'}-late-${count}`)
        if (count % 2 === 0) await account.client.workflows.delete({ params: { id } })
      })
      expect(seen).toEqual(sort === 'name' ? names : names.toReversed())
    },
  )

  test('pages sorted by last execution contain every workflow once while they run', async () => {
    const account = await server.registerAccount()
    const ids = new Map<string, string>()
    for (const name of ['A', 'B', 'C', 'D', 'E']) ids.set(name, await create(account, name))
    for (const id of ids.values()) await run(account, id)
    // Each time the one that comes last runs, which would bring it to the front, out of the reader's sight.
    const seen = await pages(account, { sort: 'lastExecution', limit: 1 }, () => run(account, ids.get('A') ?? ''))
    expect(seen).toEqual(['E', 'D', 'C', 'B', 'A'])
  })

  test('a list refuses the cursor of another order and a malformed cursor', async () => {
    const account = await server.registerAccount()
    for (const name of ['A', 'B']) await create(account, name)
    const { nextCursor } = await account.client.workflows.list({ query: { limit: 1 } })
    for (const query of [`sort=name&cursor=${nextCursor}`, 'cursor=nonsense', 'limit=0', 'limit=101', 'limit=x', 'sort=colour', 'q='])
      expect(await account.send('GET', `/api/v1/workflows?${query}`)).toMatchObject({ status: 400, body: { code: 'request_invalid' } })
  })
})

test('the search for the last execution of a workflow reads no executions of other workflows', async () => {
  const account = await server.registerAccount()
  const busy = await create(account, 'Busy')
  await create(account, 'Never')
  await run(account, busy)
  const { system } = server.database
  await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
    select gen_random_uuid(), account_id, workflow_id, version_id, state, trigger, actor, input, created_at
    from executions, generate_series(1, 20000) where account_id = ${account.accountId}`.execute(system)
  await sql`analyze executions`.execute(system)
  const { rows } = await sql`explain (format json) select e.id from workflows w ${lastExecutionJoin}`.execute(system)
  expect(JSON.stringify(rows)).toContain('workflow_id_id_idx')
  expect(JSON.stringify(rows)).not.toMatch(/executions_\w+_pkey/)
})

/** Names of all pages in turn. */
async function pages(account: TestAccount, query: object, between: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await account.client.workflows.list({ query: { ...query, ...(cursor === undefined ? {} : { cursor }) } })
    names.push(...namesOf(page))
    cursor = page.nextCursor ?? undefined
    await between()
  } while (cursor !== undefined)
  return names
}
