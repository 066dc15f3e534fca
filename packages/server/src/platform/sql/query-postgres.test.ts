import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { type DatabaseGateway, openDatabaseGateway } from '#testing/database-gateway.ts'
import { queryPostgres } from './query-postgres.ts'
import type { SqlQuery, SqlServer } from './sql-query.ts'

let database: TestDatabase
let gateway: DatabaseGateway
beforeAll(async () => {
  database = await createTestDatabase()
  gateway = await openDatabaseGateway(database.url)
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await database.drop()
})

function query(text: string, values: SqlQuery['values'] = [], more: Partial<SqlQuery> = {}, server: Partial<SqlServer> = {}) {
  const { settings, secrets } = gateway
  const at: SqlServer = {
    ...settings,
    address: settings.host,
    password: secrets.password,
    ...server,
  }
  const limits = { rowsMax: 10, bytesMax: 10_000, timeoutMs: 10_000, ...more }
  return queryPostgres(at, { text, values, ...limits }, new AbortController().signal)
}

describe('a statement', () => {
  test('gives its rows as JSON, with dates that no time zone moves', async () => {
    const columns = "1 as one, 2.50::numeric as money, '2026-03-29'::date as day, '2026-03-29T02:30'::timestamp as local, null as nothing"
    const { rows, rowCount } = await query(
      `select ${columns}, '{"a":[1]}'::jsonb as json, 9007199254740993 as large, '\\x6162'::bytea as bytes`,
    )
    expect(rowCount).toBe(1)
    expect(rows).toEqual([
      {
        one: 1,
        money: '2.50',
        day: '2026-03-29',
        local: '2026-03-29 02:30:00',
        nothing: null,
        json: { a: [1] },
        large: '9007199254740993',
        bytes: 'YWI=',
      },
    ])
  })

  test('takes values apart from its text', async () => {
    const evil = "'; drop table users; --"
    const { rows } = await query('select $1::text as text, $2::jsonb as list, $3::int as number', [evil, [1, { a: 2 }], 7])
    expect(rows).toEqual([{ text: evil, list: [1, { a: 2 }], number: 7 }])
  })

  test('that changes rows says how many', async () => {
    await query('create table orders (id int)')
    expect(await query('insert into orders select generate_series(1, 3)')).toEqual({ rows: [], rowCount: 3 })
    expect(await query('update orders set id = id + 1 where id > $1', [1])).toMatchObject({ rowCount: 2 })
  })
})

describe('refused is', () => {
  test.each<[string, string, string]>([
    ['a statement that is wrong', 'selec 1', 'refused'],
    ['a second statement', 'select 1; select 2', 'refused'],
    ['a result of too many rows', 'select generate_series(1, 100000)', 'too-large'],
    ['a result of too many bytes', "select repeat('x', 20000)", 'too-large'],
  ])('%s', async (_what, text, failure) => {
    await expect(query(text)).rejects.toMatchObject({ name: 'SqlError', failure })
  })

  test('a statement that takes too long', async () => {
    await expect(query('select pg_sleep(30)', [], { timeoutMs: 100 })).rejects.toMatchObject({ failure: 'timeout' })
  })

  test('a wrong password, and a server that does not exist', async () => {
    await expect(query('select 1', [], {}, { password: 'wrong' })).rejects.toMatchObject({ failure: 'denied' })
    await expect(query('select 1', [], {}, { port: 9 })).rejects.toMatchObject({ failure: 'unreachable' })
  })

  test('a server without TLS where TLS is wanted', async () => {
    await expect(query('select 1', [], {}, { tls: 'verify' })).rejects.toMatchObject({ failure: 'unreachable' })
  })
})
