import { expect, test } from 'vitest'
import type { EngineDatabase } from '#testing/database.ts'
import { acceptOf, completed, headOf, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'

const DEAD = 4_100_001

const jobsByState = async ({ pool }: EngineDatabase) => {
  const { rows } = await pool.query<{ state: string; count: number }>(
    `select state::text, count(*)::int as count from pgboss.job where name = 'run' group by state order by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** A process that took executions and is gone, and one that is there. */
async function openTwo(perAccountMax: number) {
  const db = await testDatabase()
  const dead = await openParts(db, { pid: DEAD, perAccountMax })
  const { store, journal } = await openParts(db, { perAccountMax, lives: (pid) => pid !== DEAD })
  return { db, dead, store, journal }
}

test('jobs of a dead process do not count towards the share of their account', async () => {
  const { dead, store, journal } = await openTwo(2)
  for (let number = 0; number < 4; number++) await journal.write(acceptOf(headOf(), false))
  // Two processes: four of one account.
  expect([...(await dead.store.claim(2)), ...(await dead.store.claim(2))]).toHaveLength(4)
  expect(await store.recover()).toEqual({ requeued: 4, deadLettered: 0 })
  expect(await store.claim(2)).toHaveLength(2)
})

test('the job of an execution that ended before its process died is ended as well', async () => {
  const { db, dead, store, journal } = await openTwo(10)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  expect(await dead.store.claim(1)).toHaveLength(1)
  await dead.journal.write(writeOf(head, { progress: completed({}) }))
  expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  expect(await jobsByState(db)).toEqual({ completed: 1 })
})

test('jobs of live processes and jobs that are not claimed stay as they are', async () => {
  const { db, dead, store, journal } = await openTwo(10)
  for (let number = 0; number < 3; number++) await journal.write(acceptOf(headOf(), false))
  expect(await store.claim(1)).toHaveLength(1)
  expect(await dead.store.claim(1)).toHaveLength(1)
  expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
  // The claimed job, the unclaimed job, and the job of the dead process, which is ended and sent again.
  expect(await jobsByState(db)).toEqual({ active: 1, completed: 1, created: 2 })
})
