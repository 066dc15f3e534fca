import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { isDeadlock } from './pg-errors.ts'

let database: EngineDatabase
beforeAll(async () => {
  database = await createEngineDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

test('PostgreSQL ends one of two deadlocked transactions, and its error is recognized as a deadlock', async () => {
  const { pool } = database
  await pool.query(`create table rows (id int primary key, n int not null default 0); insert into rows (id) values (1), (2)`)
  const [one, other] = [await pool.connect(), await pool.connect()]
  const add = `update rows set n = n + 1 where id = $1`
  try {
    for (const client of [one, other]) await client.query('begin')
    await one.query(add, [1])
    await other.query(add, [2])
    const outcomes = await Promise.allSettled([one.query(add, [2]), other.query(add, [1])])
    const failures = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(failures.map(isDeadlock)).toEqual([true])
    for (const client of [one, other]) await client.query('commit')
  } finally {
    one.release()
    other.release()
  }
  const { rows } = await pool.query<{ n: number }>(`select n from rows order by id`)
  // The other transaction was committed as a whole, and nothing of the one that ended.
  expect(rows.map(({ n }) => n)).toEqual([1, 1])
})

test.each([
  [
    'a duplicate key',
    `insert into processes select gen_random_uuid(), 'h', 1, now(), now() from generate_series(1, 2); insert into processes select * from processes`,
  ],
  ['a reference to an unknown table', `select from nowhere`],
  ['a statement timeout', `set local statement_timeout = 10; select pg_sleep(5)`],
  ['an unavailable lock', `do $$ begin raise exception 'busy' using errcode = '55P03'; end $$`],
  ['a serialization failure', `do $$ begin raise exception 'again' using errcode = '40001'; end $$`],
])('%s is not recognized as a deadlock', async (_what, statement) => {
  const { pool } = database
  const failure: unknown = await pool.query(statement).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(isDeadlock(failure)).toBe(false)
})

test('an error that is not from the database is not recognized as a deadlock', () => {
  expect([new Error('40P01'), { code: '40P01' }, '40P01', undefined].map(isDeadlock)).toEqual([false, false, false, false])
})
