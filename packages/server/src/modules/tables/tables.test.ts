import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { rowsMax, tablesMax } from './model.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const at = (path: string) => `/api/v1/tables/${path}`
const create = (name: string, by = account) => by.send('POST', '/api/v1/tables', { name })
const put = (path: string, body: object, headers?: Readonly<Record<string, string>>, by = account) =>
  by.send('PUT', at(path), body, headers)

test('a table knows its rows and their size, through every way they change', async () => {
  const sizes = async () => {
    const { data } = (await account.send('GET', '/api/v1/tables?name=SIZ')).body
    return data.map(({ name, rows, size }: { name: string; rows: number; size: number }) => ({ name, rows, size }))
  }
  await create('sized')
  expect(await sizes()).toEqual([{ name: 'sized', rows: 0, size: 0 }])
  await put('sized/rows/a', { columns: { n: 1 } })
  await put('sized/rows/ä b', { columns: {} })
  expect(await sizes()).toEqual([{ name: 'sized', rows: 2, size: 8 + 6 }])
  await put('sized/rows/a', { columns: { n: 22 } })
  await put('sized/rows', {
    rows: [
      { key: 'a', columns: {} },
      { key: 'c', columns: {} },
      { key: 'c', columns: { last: 1 } },
    ],
  })
  expect(await sizes()).toEqual([{ name: 'sized', rows: 3, size: 3 + 6 + 11 }])
  await account.send('DELETE', at('sized/rows/c'))
  expect(await sizes()).toEqual([{ name: 'sized', rows: 2, size: 9 }])
  expect((await account.send('DELETE', at('sized'))).body).toEqual({ name: 'sized', deleted: true, rows: 2 })
  expect(await sizes()).toEqual([])
  expect((await account.send('GET', at('sized/rows'))).status).toBe(404)
})

test('many rows are written together or not at all', async () => {
  await create('many')
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ key: `k${n}`, columns: { n } }))
  expect((await put('many/rows', { rows })).body).toEqual({ created: 1_000, replaced: 0 })
  expect((await put('many/rows', { rows: [...rows.slice(0, 9), { key: 'new', columns: {} }] })).body).toEqual({ created: 1, replaced: 9 })
  const large = { key: 'large', columns: { text: 'x'.repeat(70_000) } }
  const refused = await put('many/rows', { rows: [{ key: 'other', columns: {} }, large] })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/rows/1/columns'])
  expect((await account.send('GET', at('many/rows/other'))).status).toBe(404)
})

test('a row is found by a text in its key or its columns, in any case, page by page', async () => {
  await create('found')
  for (const [key, name] of [
    ['k1', 'Åse Berg'],
    ['k2', 'Berger'],
    ['BERG-3', 'none'],
    ['k4', 'other'],
  ])
    await put(`found/rows/${key}`, { columns: { name } })
  const list = async (query: string) => (await account.send('GET', at(`found/rows?text=berg&limit=2${query}`))).body
  const first = await list('')
  const second = await list(`&cursor=${first.nextCursor}`)
  expect([...first.data, ...second.data].map(({ key }) => key)).toEqual(['BERG-3', 'k1', 'k2'])
  expect(second.nextCursor).toBeNull()
})

test('the names of columns are not searched', async () => {
  await create('named')
  await put('named/rows/k', { columns: { size: 'large' } })
  expect((await account.send('GET', at('named/rows?text=size'))).body.data).toEqual([])
})

test('rows are found by the value of a column, and no others', async () => {
  await create('filtered')
  await put('filtered/rows', {
    rows: [
      { key: 'a', columns: { state: 'open', paid: false, total: 12.5 } },
      { key: 'b', columns: { state: 'closed: late', paid: true, total: 12 } },
      { key: 'c', columns: { note: 'open' } },
    ],
  })
  const found = async (column: string) => {
    const { body } = await account.send('GET', at(`filtered/rows?column=${encodeURIComponent(column)}`))
    return body.data?.map(({ key }: { key: string }) => key) ?? body.code
  }
  expect(
    await Promise.all(['state:open', 'state:closed: late', 'paid:true', 'total:12.5', 'state:', "state:' or 1=1", 'gone:x'].map(found)),
  ).toEqual([['a'], ['b'], ['b'], ['a'], [], [], []])
  expect(await Promise.all(['open', ':open'].map(found))).toEqual(['request_invalid', 'request_invalid'])
})

test('rows are found by a range of numbers or of texts, and no value of another kind is', async () => {
  await create('ranged')
  await put('ranged/rows', {
    rows: [
      { key: 'a', columns: { total: 99.5, due: '2026-11-30' } },
      { key: 'b', columns: { total: 100, due: '2026-12-01' } },
      { key: 'c', columns: { total: '100', due: null } },
      { key: 'd', columns: { total: { net: 100 }, due: '2027-01-31' } },
      { key: 'e', columns: {} },
    ],
  })
  const found = async (range: string) => {
    const { body } = await account.send('GET', at(`ranged/rows?range=${encodeURIComponent(range)}`))
    return body.data?.map(({ key }: { key: string }) => key).join('') ?? body.errors[0].pointer
  }
  const asked = [
    'total:100..',
    'total:..100',
    'total:99.5..99.5',
    'total:"1".."2"',
    'due:2026-12-01..2026-12-31',
    "due:' or 1=1..",
    'none:..1',
  ]
  expect(await Promise.all(asked.map(found))).toEqual(['b', 'ab', 'a', 'c', 'b', 'abd', ''])
  expect(await Promise.all(['total', 'total:..', ':1..2', 'total:1..much'].map(found))).toEqual(Array.from({ length: 4 }, () => '/range'))
})

test('a range combines with a search, with an order and with pages', async () => {
  await create('combined')
  const rows = Array.from({ length: 12 }, (_, n) => ({
    key: `k${String(n).padStart(2, '0')}`,
    columns: { total: n, state: n % 3 === 0 ? 'open' : 'closed', note: n % 2 === 0 ? 'Tea' : 'coffee' },
  }))
  await put('combined/rows', { rows })
  const pagesOf = async (query: string) => {
    const totals: number[] = []
    for (let cursor = ''; ; ) {
      const { status, body } = await account.send('GET', at(`combined/rows?limit=2&${query}${cursor}`))
      expect(status).toBe(200)
      totals.push(...body.data.map((row: { columns: { total: number } }) => row.columns.total))
      if (body.nextCursor === null) return totals
      cursor = `&cursor=${body.nextCursor}`
    }
  }
  expect(await pagesOf('range=total:2..9')).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  expect(await pagesOf('range=total:2..9&sort=total:desc')).toEqual([9, 8, 7, 6, 5, 4, 3, 2])
  expect(await pagesOf('range=total:2..9&column=state:open')).toEqual([3, 6, 9])
  expect(await pagesOf('range=total:2..9&text=tea')).toEqual([2, 4, 6, 8])
  expect(await pagesOf('range=total:2..9&prefix=k0&text=coffee&sort=note')).toEqual([3, 5, 7, 9])
})

test('a new row does not replace one, and imported columns keep the others if wanted', async () => {
  await create('kept')
  await put('kept/rows/k', { columns: { a: 1, b: 2 } })
  expect((await put('kept/rows/k', { columns: {}, isNew: true })).body.code).toBe('revision_mismatch')
  expect((await put('kept/rows/new', { columns: {}, isNew: true })).status).toBe(200)
  await put('kept/rows', { rows: [{ key: 'k', columns: { b: 3 } }], keepsOthers: true })
  expect((await account.send('GET', at('kept/rows/k'))).body.columns).toEqual({ a: 1, b: 3 })
})

test('an import that keeps the other columns keeps the end of a row, and one that replaces the row removes it', async () => {
  await create('ending')
  const { expiresAt } = (await put('ending/rows/k', { columns: { a: 1 }, expiresIn: 'P30D' })).body
  const rows = [{ key: 'k', columns: { b: 2 } }]
  const end = async () => (await account.send('GET', at('ending/rows/k'))).body.expiresAt
  await put('ending/rows', { rows, keepsOthers: true })
  expect(await end()).toBe(expiresAt)
  await put('ending/rows', { rows })
  expect(await end()).toBe(null)
})

test('a change with a revision that has passed is refused, and changes nothing', async () => {
  await create('guarded')
  const first = await put('guarded/rows/k', { columns: { n: 1 } })
  await put('guarded/rows/k', { columns: { n: 2 } }, { 'if-match': `"${first.body.revision}"` })
  for (const refused of [
    await put('guarded/rows/k', { columns: { n: 3 } }, { 'if-match': '"1"' }),
    await put('guarded/rows/new', { columns: {} }, { 'if-match': '"1"' }),
    await account.send('DELETE', at('guarded/rows/k'), undefined, { 'if-match': '"1"' }),
  ])
    expect(refused.body.code).toBe('revision_mismatch')
  expect((await account.send('GET', at('guarded/rows/k'))).body).toMatchObject({ columns: { n: 2 }, revision: 2 })
})

test('an account has a bounded number of tables and of rows', async () => {
  const full = await server.registerAccount()
  const db = server.database.system
  await sql`
    insert into data_tables (account_id, name, created_at, updated_at)
    select ${full.accountId}, 't' || n, now(), now() from generate_series(1, ${tablesMax}) n`.execute(db)
  const refused = await create('another', full)
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining(`${tablesMax} tables`)])
  await sql`update data_tables set row_count = ${rowsMax} where account_id = ${full.accountId} and name = 't1'`.execute(db)
  expect((await put('t2/rows/k', { columns: {} }, undefined, full)).body.detail).toContain(`${rowsMax} rows`)
  expect((await full.send('GET', at('t2/rows'))).body.data).toEqual([])
})

test('deleting a table waits for those who write to it, and they find none after it', async () => {
  await create('busy')
  const [deleted, ...written] = await Promise.all([
    account.send('DELETE', at('busy')),
    ...Array.from({ length: 10 }, (_, n) => put(`busy/rows/k${n}`, { columns: { n } })),
  ])
  expect(deleted?.body.rows).toBe(written.filter(({ status }) => status === 200).length)
  expect((await account.send('GET', at('busy/rows'))).status).toBe(404)
  await create('busy')
  expect((await account.send('GET', at('busy/rows'))).body.data).toEqual([])
})

test('a table is created once, and a row has a valid key', async () => {
  await create('once')
  expect((await create('once')).status).toBe(409)
  expect((await put(`once/rows/${'k'.repeat(257)}`, { columns: {} })).body.errors).toMatchObject([{ pointer: '/key' }])
  expect((await put('once/rows/a%2Fb%20%F0%9F%98%80', { columns: {} })).body.key).toBe('a/b \u{1F600}')
})

test.each(['__proto__', 'constructor', 'prototype'])('a column may be named %s, however it is written', async (name) => {
  const table = `names_${name.replaceAll('_', '')}`
  const columns = { [name]: 'kept', other: 1 }
  await create(table)
  expect((await put(`${table}/rows/put`, { columns })).body.columns).toEqual(columns)
  await put(`${table}/rows`, { rows: [{ key: 'imported', columns }] })
  await put(`${table}/rows`, { rows: [{ key: 'imported', columns: { other: 1 } }], keepsOthers: true })
  const row = `table: ${table}, key: called, columns: '\${ .columns }'`
  const definition = documentOf(`do:\n  - write: { call: tables.put, with: { ${row} } }\n`)
  const { id } = await account.client.workflows.create({ body: { definition, publish: true } })
  expect((await account.send('POST', `/api/v1/execute/${id}/run`, { input: { columns } })).status).toBe(200)
  const { data } = (await account.send('GET', at(`${table}/rows?column=${name}:kept`))).body
  expect(data.map(({ key }: { key: string }) => key)).toEqual(['called', 'imported', 'put'])
  for (const found of data) expect(JSON.stringify(found.columns)).toContain(`"${name}":"kept"`)
})
