import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { createStartLookup } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('exactly one of many concurrent creations with one document name succeeds, and the others leave nothing', async () => {
  const account = await server.registerAccount()
  const definition = documentOf(greets, 'wanted')
  const answers = await Promise.all(Array.from({ length: 10 }, () => account.send('POST', '/api/v1/workflows', { definition })))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  expect((await account.client.workflows.list()).data).toHaveLength(1)
  const { rows } = await sql`select from workflow_versions where account_id = ${account.accountId}`.execute(server.database.system)
  expect(rows).toHaveLength(1)
})

test('concurrent duplicates of one workflow all succeed, each with a name of its own', async () => {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, 'popular'), name: 'Popular' } })
  const duplicate = (key: number) =>
    account.send('POST', `/api/v1/workflows/${id}/duplicate`, {}, { 'idempotency-key': `duplicate ${key}` })
  const answers = await Promise.all(Array.from({ length: 30 }, (_, key) => duplicate(key)))
  expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(answers.map(() => [200, undefined]))
  expect(new Set(answers.map(({ body }) => body.name)).size).toBe(30)
  expect(answers.map(({ body }) => body.name)).toContain('Popular 2')
  expect((await duplicate(7)).body).toEqual(answers[7]?.body)
  const created = (await account.send('GET', '/api/v1/audit/me?limit=100')).body.data.filter(
    ({ event }: { event: string }) => event === 'workflow.created',
  )
  expect(created).toHaveLength(31)
})

test('concurrent imports of one export of another product all succeed, each with a name of its own', async () => {
  const account = await server.registerAccount()
  const nodes = [{ name: 'Go', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} }]
  const given = { export: { name: 'From n8n', nodes, connections: {} } }
  const answers = await Promise.all(Array.from({ length: 10 }, () => account.send('POST', '/api/v1/workflows/import', given)))
  expect(answers.map(({ status, body }) => [status, body.detail])).toEqual(answers.map(() => [200, undefined]))
  expect(new Set(answers.map(({ body }) => body.name)).size).toBe(10)
})

test('concurrently published versions are numbered without a gap', async () => {
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets, 'often') } })
  const definitions = Array.from({ length: 8 }, (_, index) => documentOf(`do:\n  - say: { set: { word: w${index} } }\n`, 'often'))
  const changed = await Promise.all(
    definitions.map((definition) => account.client.workflows.update({ params: { id }, body: { definition } })),
  )
  expect(changed.map(({ version }) => version).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  const words = await Promise.all(
    changed.map(async ({ version }) => (await account.send('POST', `/api/v1/execute/${id}/run`, { version })).body.word),
  )
  expect(new Set(words).size).toBe(8)
})

test('each of many concurrent look-ups gets its own result', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  for (const name of ['one', 'two']) await account.client.workflows.create({ body: { definition: documentOf(greets, name) } })
  await account.client.workflows.create({ body: { definition: documentOf(greets, 'draft'), publish: false } })
  const { rows } = await sql<{ id: string; version: string | null }>`
    select id, latest_version_id as version from workflows where account_id = ${account.accountId} order by id`.execute(
    server.database.system,
  )
  const [one, two, draft] = rows
  if (one === undefined || two === undefined || draft === undefined) throw new Error('three workflows were made')
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 2 })
  try {
    const find = createStartLookup(pool)
    const { accountId } = account
    const found = await Promise.all([
      find({ accountId, workflowId: one.id, number: undefined }),
      find({ accountId: other.accountId, workflowId: one.id, number: undefined }),
      find({ accountId, workflowId: two.id, number: 1 }),
      find({ accountId, workflowId: two.id, number: 2 }),
      find({ accountId, workflowId: draft.id, number: undefined }),
      find({ accountId, workflowId: one.id, number: undefined }),
    ])
    const first = { enabled: true, published: true, isOfAgent: false, version: { id: one.version, number: 1, checksInput: false } }
    expect(found).toEqual([
      first,
      undefined,
      { ...first, version: { ...first.version, id: two.version } },
      { enabled: true, published: true, isOfAgent: false, version: undefined },
      { enabled: true, published: false, isOfAgent: false, version: undefined },
      first,
    ])
  } finally {
    await pool.end()
  }
})
