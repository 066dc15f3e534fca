import { describe, expect, test } from 'vitest'
import type { EngineDatabase } from '#testing/database.ts'
import { acceptOf, entryOf, executionIn, headOf, jobsIn, openParts, testAccount, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { FencedError } from '#postgres/sql/pg-errors.ts'
import { inTransaction } from '#postgres/sql/with-client.ts'

test('what is pending is taken with all that it has durably done', async () => {
  const db = await testDatabase()
  const { journal, store, identity } = await openParts(db)
  const head = headOf({ input: { n: 1 }, depth: 2, parentId: newUuid(), trigger: 'schedule', actor: 'system:s' })
  await journal.write(acceptOf(head, true))
  const entries = [
    entryOf(0),
    entryOf(1, { ok: false, value: { status: 500 }, decisions: 's0' }),
    entryOf(2, { phase: 'started', value: 'child' }),
  ]
  await journal.write(writeOf(head, { entries }))
  await store.release([head.id])
  const taken = await store.claim(10)
  expect(taken).toHaveLength(1)
  expect(taken[0]?.execution).toEqual({
    head,
    startedAtMs: head.createdAtMs + 1,
    cancelRequested: false,
    suspendRequested: false,
    entries,
    messages: [],
  })
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', claimed_by: identity.id() })
})

test('an execution that was never begun begins when it is taken', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  const before = Date.now()
  const [taken] = await store.claim(10)
  expect(taken?.execution.startedAtMs).toBeGreaterThanOrEqual(before - 1_000)
  expect((await executionIn(db, head.id))?.['started_at']).not.toBeNull()
})

test('no execution is taken twice, however many take at once', async () => {
  const db = await testDatabase()
  const parts = await Promise.all(Array.from({ length: 4 }, () => openParts(db)))
  const heads = Array.from({ length: 40 }, () => headOf())
  for (const head of heads) await parts[0]?.journal.write(acceptOf(head, false))
  const taken = (await Promise.all(parts.flatMap(({ store }) => [store.claim(7), store.claim(7)]))).flat()
  const ids = taken.map(({ execution }) => execution.head.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBe(40)
})

test('not more are taken than there is room for', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  for (let number = 0; number < 5; number++) await journal.write(acceptOf(headOf(), false))
  expect(await store.claim(2)).toHaveLength(2)
  expect(await jobsIn(db)).toHaveLength(3)
})

test.each<[string, string, boolean]>([
  ['waits and is due', `state = 'waiting', wake_at = now() - interval '1 second'`, true],
  ['waits and is not due', `state = 'waiting', wake_at = now() + interval '1 hour'`, false],
  ['waits for others', `state = 'waiting', wake_at = null`, false],
  ['waits and was told something', `state = 'waiting', wake_at = null, signalled_at = now()`, true],
  ['is held by hand', `state = 'suspended'`, false],
  ['is held by hand and to be cancelled', `state = 'suspended', cancel_requested_at = now()`, true],
  ['has ended', `state = 'completed'`, false],
  ['is run by another', `state = 'running', claimed_by = '01900000-0000-7000-8000-00000000dead'`, false],
])('an execution that %s', async (_what, standing, isTaken) => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query(`update executions set ${standing} where id = $1`, [head.id])
  expect((await store.claim(10)).map(({ execution }) => execution.head.id)).toEqual(isTaken ? [head.id] : [])
  // The job is used up either way: what is not to be taken has or gets another when there is a reason.
  expect(await jobsIn(db)).toEqual([])
})

test('an execution that is taken forgets what woke it', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query(`update executions set state = 'waiting', signalled_at = now(), wake_at = now() where id = $1`, [head.id])
  await store.claim(1)
  expect(await executionIn(db, head.id)).toMatchObject({ signalled_at: null, wake_at: null })
})

test('several jobs of one execution take it once and are used up', async () => {
  const db = await testDatabase()
  const { journal, store, jobs } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  const job = { executionId: head.id, accountId: testAccount, afterMs: undefined }
  await inTransaction(db.pool, (client) => jobs.send(client, [job, job, { ...job, executionId: newUuid() }]))
  expect(await store.claim(10)).toHaveLength(1)
  expect(await jobsIn(db)).toEqual([])
})

test('a job is not fetched before its time', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await journal.write(writeOf(head, { progress: { state: 'waiting', wakeAtMs: Date.now() + 700 } }))
  expect(await store.claim(10)).toEqual([])
  expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: true }])
  await expect.poll(() => store.claim(10), { timeout: 10_000, interval: 50 }).toHaveLength(1)
})

test('a process that was given up takes nothing, and leaves the jobs where they are', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query('delete from processes')
  await expect(store.claim(10)).rejects.toThrow(FencedError)
  expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null })
})

test('a process that dies while it takes leaves job and execution as they were', async () => {
  const db = await testDatabase()
  const { journal, jobs } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  const died = inTransaction(db.pool, async (client) => {
    expect(await jobs.fetch(client, 10, 1)).toHaveLength(1)
    throw new Error('killed')
  })
  await expect(died).rejects.toThrow('killed')
  expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
})

test('an account with much to do does not keep another from its turn', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db, { perAccountMax: 3 })
  const small = newUuid()
  for (let number = 0; number < 10; number++) await journal.write(acceptOf(headOf(), false))
  await journal.write(acceptOf(headOf({ accountId: small }), false))
  // What stands first in line takes all that its account may have; the next look passes over it.
  const taken = [...(await store.claim(10)), ...(await store.claim(10))]
  expect(taken.filter(({ execution }) => execution.head.accountId === testAccount)).toHaveLength(3)
  expect(taken.filter(({ execution }) => execution.head.accountId === small)).toHaveLength(1)
})

test('a job that is done makes room for the next of its account', async () => {
  const db = await testDatabase()
  const { journal, store, jobs } = await openParts(db, { perAccountMax: 1 })
  for (let number = 0; number < 2; number++) await journal.write(acceptOf(headOf(), false))
  const [first] = await store.claim(5)
  expect(await store.claim(5)).toEqual([])
  await jobs.done([first?.jobId ?? ''])
  const [second] = await store.claim(5)
  await journal.write(acceptOf(headOf(), false))
  expect(await store.claim(5)).toEqual([])
  expect(await store.claim(5, { done: [second?.jobId ?? ''] })).toHaveLength(1)
})

test('each process that runs executions adds to what an account may have; one that only accepts does not', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db, { perAccountMax: 2 })
  await openParts(db, { works: false })
  for (let number = 0; number < 10; number++) await journal.write(acceptOf(headOf(), false))
  expect([...(await store.claim(1)), ...(await store.claim(1)), ...(await store.claim(1))]).toHaveLength(2)
  const { store: other } = await openParts(db, { perAccountMax: 2 })
  expect([...(await other.claim(1)), ...(await other.claim(1)), ...(await other.claim(1))]).toHaveLength(2)
})

test('done jobs stay active when the claim fails', async () => {
  const db = await testDatabase()
  const { journal, store, identity } = await openParts(db)
  await journal.write(acceptOf(headOf(), false))
  const [taken] = await store.claim(5)
  await db.pool.query('delete from processes where id = $1', [identity.id()])
  await expect(store.claim(5, { done: [taken?.jobId ?? ''] })).rejects.toThrow('was fenced')
  const { rows } = await db.pool.query(`select state::text from pgboss.job where name = 'run'`)
  expect(rows).toEqual([{ state: 'active' }])
})

test('an execution that ended between its job and its turn is left alone', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query(`update executions set state = 'completed', output = '1' where id = $1`, [head.id])
  expect(await store.claim(5)).toEqual([])
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'completed', output: '1', claimed_by: null })
})

describe('of executions beside which two processes have died', () => {
  async function suspectsIn(db: EngineDatabase, count: number) {
    const parts = await openParts(db)
    const heads = Array.from({ length: count }, () => headOf())
    for (const head of heads) await parts.journal.write(acceptOf(head, false))
    await db.pool.query(`update executions set crash_count = 2`)
    return { ...parts, ids: heads.map(({ id }) => id) }
  }

  test('no more are taken than there is a place for, beside all others; the rest come again in a moment', async () => {
    const db = await testDatabase()
    const { store, journal, ids } = await suspectsIn(db, 3)
    const other = headOf()
    await journal.write(acceptOf(other, false))
    const taken = await store.claim(10, { suspectsMax: 1 })
    expect(taken.map(({ execution, suspect }) => [execution.head.id, suspect])).toEqual(
      expect.arrayContaining([
        [ids[0], true],
        [other.id, false],
      ]),
    )
    expect(taken).toHaveLength(2)
    expect(await jobsIn(db)).toEqual(expect.arrayContaining([1, 2].map((n) => ({ executionId: ids[n], deferred: true }))))
    expect(await executionIn(db, ids[1] ?? '')).toMatchObject({ state: 'pending', claimed_by: null })
    await expect.poll(() => store.claim(10, { suspectsMax: 1 }), { timeout: 10_000, interval: 50 }).toHaveLength(1)
  })

  test('none is taken while one runs', async () => {
    const db = await testDatabase()
    const { store } = await suspectsIn(db, 2)
    expect(await store.claim(10, { suspectsMax: 0 })).toEqual([])
    expect((await jobsIn(db)).map(({ deferred }) => deferred)).toEqual([true, true])
  })

  test('one that has got on since is like all others', async () => {
    const db = await testDatabase()
    const { store, journal, ids } = await suspectsIn(db, 2)
    const [first] = await store.claim(1)
    await journal.write({ ...writeOf(first?.execution.head ?? headOf(), { entries: [entryOf(0)] }) })
    await db.pool.query(`update executions set claimed_by = null, state = 'pending' where id = $1`, [first?.execution.head.id])
    await db.pool.query(`update pgboss.job set state = 'created', start_after = now() where name = 'run'`)
    const taken = await store.claim(10, { suspectsMax: 0 })
    expect(taken.map(({ execution, suspect }) => [execution.head.id, suspect])).toEqual([[ids[0], false]])
  })
})
