import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTables } from '#modules/tables/index.ts'
import { documentOf } from '#testing/definitions.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createTablesConnector } from './tables/tables-connector.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const run = (call: string, given: object, by = account) => runTasks(by, [{ it: { call: `tables.${call}`, with: given } }])

test('a workflow writes, reads, changes, lists and deletes rows', async () => {
  const place = { table: 'orders', key: 'A-1' }
  const end = await runTasks(account, [
    { put: { call: 'tables.put', with: { ...place, columns: { total: 7, open: true, note: null } }, export: { as: '{ put: . }' } } },
    {
      update: {
        call: 'tables.update',
        with: { ...place, columns: { open: null, paid: true } },
        export: { as: '$context + { update: . }' },
      },
    },
    { get: { call: 'tables.get', with: place, export: { as: '$context + { get: . }' } } },
    { list: { call: 'tables.list', with: { table: 'orders' }, export: { as: '$context + { list: . }' } } },
    { delete: { call: 'tables.delete', with: place, export: { as: '$context + { delete: . }' } } },
    { left: { call: 'tables.get', with: place, output: { as: '$context + { left: . }' } } },
  ])
  const changed = { key: 'A-1', columns: { total: 7, note: null, paid: true }, revision: 2, expiresAt: null }
  expect(end.output).toMatchObject({
    put: { created: true, row: { revision: 1, columns: { total: 7, open: true } } },
    update: { created: false, row: changed },
    get: { found: true, row: changed },
    list: { rows: [changed], nextCursor: null },
    delete: { deleted: true, row: changed },
    left: { found: false, row: null },
  })
})

test('rows are listed and counted by bounds of their columns', async () => {
  for (const [key, columns] of Object.entries({
    a: { total: 5, due: '2026-11-30' },
    b: { total: 50, due: '2026-12-24' },
    c: { total: '7' },
  }))
    await run('put', { table: 'bounds', key, columns })
  const keys = async (range: object) => {
    const { output, error } = await run('list', { table: 'bounds', range })
    return output?.rows?.map(({ key }: { key: string }) => key) ?? error.detail
  }
  expect(await keys({ total: { above: 5 } })).toEqual(['b'])
  expect(await keys({ total: { from: 5, below: 50 } })).toEqual(['a'])
  expect(await keys({ total: { from: 1 }, due: { to: '2026-12-24', above: '2026-11-30' } })).toEqual(['b'])
  expect((await run('count', { table: 'bounds', range: { due: { from: '2026' } } })).output).toEqual({ count: 2 })
  expect(await keys({ total: { from: 1, below: '9' } })).toBe('The bounds of "total" must all be numbers, or all be texts.')
})

test('rows are counted, beyond the limit of a list, by their columns and when they were first written', async () => {
  const rows = Array.from({ length: 150 }, (_, n) => ({ key: `${n % 2 === 0 ? 'a' : 'b'}-${n}`, columns: { open: n < 30 } }))
  const owner = await server.registerAccount()
  await run('add', { table: 'many', key: 'a-first', columns: { open: true } }, owner)
  await sql`
    insert into data_rows (account_id, table_name, key, content, revision, written_by, created_at, updated_at)
    select ${owner.accountId}, 'many', r.key, r.columns, 1, 'x', '2026-01-02T12:00:00Z', '2026-01-02T12:00:00Z'
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (key text, columns json)`.execute(server.database.system)
  const count = async (given: object) => (await run('count', { table: 'many', ...given }, owner)).output
  expect(await count({})).toEqual({ count: 151 })
  expect(await count({ prefix: 'a-', where: { open: true } })).toEqual({ count: 16 })
  expect(await count({ createdFrom: '2026-01-02T00:00:00Z', createdBefore: '2026-01-03T01:00:00+01:00' })).toEqual({ count: 150 })
  expect(await count({ createdFrom: '2026-01-02T12:00:01Z' })).toEqual({ count: 1 })
  const { output } = await run('list', { table: 'many', createdFrom: '2026-01-02T12:00:01Z' }, owner)
  expect(output).toMatchObject({ rows: [{ key: 'a-first' }], nextCursor: null })
  expect((await run('count', { table: 'none' }, owner)).output).toEqual({ count: 0 })
  expect((await run('count', { table: 'many' })).output).toEqual({ count: 0 })
  const wrong = await run('count', { table: 'many', createdFrom: '${ "yesterday" }' }, owner)
  expect(wrong).toMatchObject({ state: 'faulted', error: { detail: expect.stringContaining('createdFrom') } })
})

test('of many executions that add the same key, one creates the row, and all get it', async () => {
  const ends = await Promise.all(
    Array.from({ length: 12 }, (_, n) => run('add', { table: 'seen', key: 'order 7', columns: { by: `run ${n}` } })),
  )
  const outputs = ends.map(({ output }) => output)
  const created = outputs.filter((output) => output.created)
  expect(created).toHaveLength(1)
  for (const { row } of outputs) expect(row.columns).toEqual(created[0].row.columns)
})

test('many executions that add to a number together give their sum, and each gets another number', async () => {
  const ends = await Promise.all(Array.from({ length: 12 }, () => run('increment', { table: 'counters', key: 'invoices', column: 'last' })))
  expect(ends.map(({ output }) => output.value).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
  expect((await run('increment', { table: 'counters', key: 'invoices', column: 'last', by: -2.5 })).output).toEqual({
    value: 9.5,
    created: false,
  })
  await run('put', { table: 'counters', key: 'text', columns: { last: 'seven' } })
  expect((await run('increment', { table: 'counters', key: 'text', column: 'last' })).error).toMatchObject({
    status: 400,
    detail: expect.stringContaining('"last" is not a number'),
  })
})

test('a call that is repeated after a crash changes nothing again, and gives what it gave', async () => {
  const { database } = server
  const tables = createTables({ database, storageOf: async () => async () => Infinity, now: Date.now })
  const { functions } = createTablesConnector({ tables: Promise.resolve(tables) })
  const repeated = (name: string, args: object, idempotencyKey: string) => {
    const call = { accountId: account.accountId, executionId: crypto.randomUUID(), input: null, secrets: {}, idempotencyKey }
    const found = functions.find((candidate) => candidate.name === name)
    return found?.perform({ ...call, arguments: { table: 'repeated', key: 'k', ...args }, signal: new AbortController().signal })
  }
  const first = await repeated('increment', { column: 'n' }, 'call 1')
  await repeated('increment', { column: 'n' }, 'call 2')
  expect(await repeated('increment', { column: 'n' }, 'call 1')).toEqual(first)
  const added = await repeated('add', { key: 'new', columns: { a: 1 } }, 'call 3')
  expect(added).toMatchObject({ created: true })
  expect(await repeated('add', { key: 'new', columns: { a: 1 } }, 'call 3')).toEqual(added)
  const deleted = await repeated('delete', {}, 'call 4')
  expect(deleted).toMatchObject({ deleted: true, row: { columns: { n: 2 } } })
  expect(await repeated('delete', {}, 'call 4')).toEqual(deleted)
})

test('a number that has no exact successor is refused, and names of the language are columns like others', async () => {
  const place = { table: 'counters', key: 'odd' }
  await run('put', { ...place, columns: { n: Number.MAX_SAFE_INTEGER } })
  expect((await run('increment', { ...place, column: 'n' })).error).toMatchObject({
    status: 400,
    detail: expect.stringContaining('too large'),
  })
  for (const column of ['toString', '__proto__', 'constructor']) expect((await run('increment', { ...place, column })).output.value).toBe(1)
})

test('rows that a test of a draft wrote are marked and found, until another execution or a person writes them', async () => {
  const owner = await server.registerAccount()
  const put = (key: string) => [{ put: { call: 'tables.put', with: { table: 'tried', key, columns: {} } } }]
  const { workflowId } = await runTasks(owner, put('production'))
  const tryOut = (key: string) =>
    owner.send(
      'POST',
      `/api/v1/workflows/${workflowId}/test`,
      { definition: documentOf(`do: ${JSON.stringify(put(key))}\n`, 'tries') },
      { prefer: 'wait=20' },
    )
  const { body: tested } = await tryOut('draft')
  const rows = async (query = '') => (await owner.send('GET', `/api/v1/tables/tried/rows${query}`)).body.data
  const keys = async (query: string) => (await rows(query)).map(({ key }: { key: string }) => key)
  expect(await rows()).toMatchObject([
    { key: 'draft', byTest: true, writtenBy: `execution:${tested.id}` },
    { key: 'production', byTest: false },
  ])
  expect([await keys('?byTest=true'), await keys('?byTest=false')]).toEqual([['draft'], ['production']])
  await owner.send('PUT', '/api/v1/tables/tried/rows/draft', { columns: {} })
  await tryOut('production')
  expect([await keys('?byTest=true'), await keys('?byTest=false')]).toEqual([['production'], ['draft']])
})

test('a secret does not become readable in a table', async () => {
  await account.send('POST', '/api/v1/variables', { name: 'PAYKEY', kind: 'secret', value: 'quite "between" us' })
  const put = { call: 'tables.put', with: { table: 'leak', key: 'k', columns: { v: '${ "key: " + $secrets.PAYKEY }' } } }
  const definition = documentOf(`use: { secrets: [PAYKEY] }\ndo: ${JSON.stringify([{ put }])}\n`, 'leaks')
  const { body } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
  const ended = await account.send('POST', `/api/v1/workflows/${body.id}/execute`, { input: {} }, { prefer: 'wait=20' })
  expect(JSON.stringify(ended.body)).toContain('The secret PAYKEY must not be in a table')
  expect((await account.send('GET', '/api/v1/tables/leak/rows')).status).toBe(404)
})

test('a row is replaced only at the revision that is expected', async () => {
  const place = { table: 'guarded', key: 'k' }
  expect((await run('put', { ...place, columns: { n: 1 }, ifRevision: 0 })).output.row.revision).toBe(1)
  expect((await run('put', { ...place, columns: { n: 2 }, ifRevision: 0 })).error).toMatchObject({
    status: 409,
    detail: 'The row is at revision 1.',
  })
  expect((await run('put', { ...place, columns: { n: 2 }, ifRevision: 1 })).output.row.revision).toBe(2)
  expect((await run('get', place)).output.row.columns).toEqual({ n: 2 })
})

test('rows are listed by prefix and by their columns, page by page', async () => {
  const rows = ['p/c', 'p/a', 'p/b', 'q', 'p/\u{1F600}']
  for (const [n, key] of rows.entries()) await run('put', { table: 'listed', key, columns: { n, odd: n % 2 === 1, at: { n } } })
  const list = async (given: object) => (await run('list', { table: 'listed', ...given })).output
  const keysOf = (page: { readonly rows: readonly { readonly key: string }[] }) => page.rows.map(({ key }) => key)
  const first = await list({ prefix: 'p/', limit: 2 })
  expect(keysOf(first)).toEqual(['p/a', 'p/b'])
  const second = await list({ prefix: 'p/', limit: 2, cursor: first.nextCursor })
  expect([keysOf(second), second.nextCursor]).toEqual([['p/c', 'p/\u{1F600}'], null])
  expect(keysOf(await list({ where: { odd: true } }))).toEqual(['p/a', 'q'])
  const largest = await list({ prefix: 'p/', sort: 'n:desc', limit: 3 })
  expect(keysOf(largest)).toEqual(['p/\u{1F600}', 'p/b', 'p/a'])
  const { nextCursor: cursor } = largest
  expect(keysOf(await list({ prefix: 'p/', sort: 'n:desc', limit: 3, cursor }))).toEqual(['p/c'])
  for (const given of [{ sort: 'n', cursor }, { sort: ':desc' }])
    expect((await run('list', { table: 'listed', ...given })).error).toMatchObject({ type: expect.stringContaining('validation') })
  expect(keysOf(await list({ where: { at: { n: 2 } } }))).toEqual(['p/b'])
  expect(keysOf(await list({ where: { odd: 'true' } }))).toEqual([])
  expect((await run('list', { table: 'nothing' })).output).toEqual({ rows: [], nextCursor: null })
})

test('a list in a column is found only as a whole, also the empty one', async () => {
  const tags = { none: [], one: ['new'], two: ['new', 'late'], nested: [[]] }
  for (const [key, value] of Object.entries(tags)) await run('put', { table: 'tagged', key, columns: { order: { tags: value } } })
  const found = async (value: unknown) => {
    const { output } = await run('list', { table: 'tagged', where: { order: { tags: value } } })
    return output.rows.map(({ key }: { readonly key: string }) => key)
  }
  expect(await Promise.all(Object.values(tags).map(found))).toEqual(Object.keys(tags).map((key) => [key]))
  expect(await Promise.all([['late'], ['late', 'new'], 'new'].map(found))).toEqual([[], [], []])
  expect((await run('count', { table: 'tagged', where: { order: { tags: [] } } })).output).toEqual({ count: 1 })
})

test('a row with an end is not there after it, is added anew, and is deleted', async () => {
  const place = { table: 'short', key: 'k' }
  await run('add', { ...place, columns: { n: 1 }, expiresIn: 'PT1H' })
  await run('put', { ...place, key: 'other', columns: {}, expiresIn: 'PT1H' })
  const db = server.database.system
  await sql`update data_rows set expires_at = now() - interval '1 minute' where table_name = 'short'`.execute(db)
  expect((await run('get', place)).output).toEqual({ found: false, row: null })
  expect((await run('list', { table: 'short' })).output.rows).toEqual([])
  expect((await run('add', { ...place, columns: { n: 2 } })).output).toMatchObject({
    created: true,
    row: { columns: { n: 2 }, revision: 2 },
  })
  await createTables({ database: server.database, storageOf: async () => async () => Infinity, now: Date.now }).sweep()
  const { rows } = await sql`
    select t.row_count, t.bytes::int4, r.key from data_tables t join data_rows r on r.table_name = t.name where t.name = 'short'`.execute(
    db,
  )
  expect(rows).toEqual([{ row_count: 1, bytes: '{"n":2}'.length + 1, key: 'k' }])
})

test('an account neither reads nor changes the rows of another', async () => {
  const other = await server.registerAccount()
  const place = { table: 'own', key: 'k' }
  await run('put', { ...place, columns: { mine: 1 } })
  expect((await run('get', place, other)).output.found).toBe(false)
  expect((await run('list', { table: 'own' }, other)).output.rows).toEqual([])
  expect((await run('delete', place, other)).output.deleted).toBe(false)
  expect((await run('add', { ...place, columns: { theirs: 1 } }, other)).output.created).toBe(true)
  expect((await run('get', place)).output.row.columns).toEqual({ mine: 1 })
  const visible = await server.database.account(other.accountId, async (tx) => (await sql`select key from data_rows`.execute(tx)).rows)
  expect(visible).toEqual([{ key: 'k' }])
})

test.each([
  [{ key: '${ "a" * 300 }' }, /at most 256 characters/],
  [{ key: '${ [0] | implode }' }, /key/],
  [{ key: '..' }, /must not be \. or \.\./i],
  [{ table: '${ "no table" }' }, /\/table: must begin with a letter/],
  [{ columns: { text: '${ [0] | implode }' } }, /character NUL/],
  [{ columns: { text: '${ "x" * 70000 }' } }, /at most 65536 bytes/],
  [{ expiresIn: '${ "soon" }' }, /duration/],
])('a row that cannot be kept is refused with the reason: %j', async (given, reason) => {
  const { error } = await run('put', { table: 'refused', key: 'k', columns: {}, ...given })
  expect(error).toMatchObject({ status: 400, detail: expect.stringMatching(reason) })
})
