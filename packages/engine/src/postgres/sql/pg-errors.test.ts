import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngineDatabase, type EngineDatabase } from '#testing/database.ts'
import { isDeadlock } from './pg-errors.ts'

let database: EngineDatabase
beforeAll(async () => {
  database = await createEngineDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

test('of two transactions that wait for one another one is ended by a deadlock, and can be said again', async () => {
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
  // All of the other came through, and nothing of the one that was ended.
  expect(rows.map(({ n }) => n)).toEqual([1, 1])
})

test.each([
  [
    'a row that is there already',
    `insert into processes select gen_random_uuid(), 'h', 1, now(), now() from generate_series(1, 2); insert into processes select * from processes`,
  ],
  ['a statement that makes no sense', `select from nowhere`],
  ['a statement that took too long', `set local statement_timeout = 10; select pg_sleep(5)`],
  ['a lock that was not to be had', `do $$ begin raise exception 'busy' using errcode = '55P03'; end $$`],
  ['a transaction that did not fit with others', `do $$ begin raise exception 'again' using errcode = '40001'; end $$`],
])('%s is none', async (_what, statement) => {
  const { pool } = database
  const failure: unknown = await pool.query(statement).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(isDeadlock(failure)).toBe(false)
})

test('nor is what no database has said', () => {
  expect([new Error('40P01'), { code: '40P01' }, '40P01', undefined].map(isDeadlock)).toEqual([false, false, false, false])
})
