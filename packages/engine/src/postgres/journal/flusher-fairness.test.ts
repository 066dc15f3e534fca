import { expect, test } from 'vitest'
import { acceptOf, completed, headOf, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'

test('large writes leave one lane to small writes', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 2 })
  const big = 'x'.repeat(600_000)
  const heavy = Array.from({ length: 4 }, () => headOf())
  for (const head of heavy) await journal.write(acceptOf(head, true))
  const locker = await db.pool.connect()
  await locker.query('begin')
  await locker.query('select from executions where id = any($1::uuid[]) for update', [heavy.map(({ id }) => id)])
  let ended = 0
  const ends = heavy.map((head) => journal.write(writeOf(head, { progress: completed(big) })).then(() => (ended += 1)))
  await journal.write(acceptOf(headOf({ accountId: newUuid() }), true))
  expect(ended).toBe(0)
  await locker.query('commit')
  locker.release()
  await Promise.all(ends)
})

test('a steady stream of small writes does not delay a large one, even on one lane', async () => {
  const db = await testDatabase()
  const { journal } = await openParts(db, { lanes: 1, batchMax: 1 })
  const order: string[] = []
  const write = (what: string, input: string) => journal.write(acceptOf(headOf({ input }), true)).then(() => order.push(what))
  await Promise.all([...Array.from({ length: 6 }, () => write('small', '')), write('large', 'x'.repeat(600_000))])
  expect(order.indexOf('large')).toBeLessThan(3)
})
