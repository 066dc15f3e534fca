import { expect, test } from 'vitest'
import { acceptOf, executionIn, headOf, openParts, testDatabase } from '#testing/postgres-parts.ts'

test('what was taken and never heard of is found by its process, and by no other', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const other = await openParts(db)
  const [known, unheard] = [headOf(), headOf()]
  for (const head of [known, unheard]) await journal.write(acceptOf(head, false))
  const taken = await store.claim(2)
  const jobId = taken.find(({ execution }) => execution.head.id === known.id)?.jobId ?? ''
  expect(await store.findUnackedClaims([jobId])).toEqual([unheard.id])
  expect(await store.findUnackedClaims(taken.map((one) => one.jobId))).toEqual([])
  expect(await other.store.findUnackedClaims([])).toEqual([])
})

test('what a process began itself is no stray, nor is what it has given back', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const [begun, released] = [headOf(), headOf()]
  await journal.write(acceptOf(begun, true))
  await journal.write(acceptOf(released, false))
  expect(await store.claim(1)).toHaveLength(1)
  await store.release([released.id])
  expect(await store.findUnackedClaims([])).toEqual([])
})

test('a stray that is disowned goes on in another process', async () => {
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
