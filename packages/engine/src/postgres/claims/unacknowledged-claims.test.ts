import { expect, test } from 'vitest'
import { acceptOf, executionIn, headOf, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'

test('a claim whose reply was lost is found by its process, and by no other process', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const other = await openParts(db)
  const [known, unacknowledged] = [headOf(), headOf()]
  for (const head of [known, unacknowledged]) await journal.write(acceptOf(head, false))
  await store.claim(2)
  expect(await store.findUnackedClaims([known.id])).toEqual([unacknowledged.id])
  expect(await store.findUnackedClaims([known.id, unacknowledged.id])).toEqual([])
  expect(await other.store.findUnackedClaims([])).toEqual([])
})

test('an execution that its process started or released is not an unacknowledged claim', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const [started, released] = [headOf(), headOf()]
  await journal.write(acceptOf(started, true))
  await journal.write(acceptOf(released, false))
  expect(await store.claim(1)).toHaveLength(1)
  await store.release([released.id])
  expect(await store.findUnackedClaims([])).toEqual([])
})

test('an unacknowledged claim that is abandoned is recovered by another process', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const other = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await store.claim(1)
  await store.abandonClaims(await store.findUnackedClaims([]))
  await other.store.recover()
  expect(await other.store.claim(1)).toHaveLength(1)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', claimed_by: other.identity.id() })
})

test('an execution that a process runs is not lost because of the job of a process that parked it before and died', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const other = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  expect(await store.claim(1)).toHaveLength(1)
  await journal.write(writeOf(head, { progress: { state: 'pending' } }))
  // The first process dies before it ends its job.
  const [claimed] = await other.store.claim(1)
  expect(claimed?.execution.head.id).toBe(head.id)
  expect(await other.store.findUnackedClaims([head.id])).toEqual([])
})
