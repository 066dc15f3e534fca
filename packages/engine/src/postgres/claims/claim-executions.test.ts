import { describe, expect, test } from 'vitest'
import type { EngineDatabase } from '#testing/database.ts'
import { acceptOf, entryOf, executionIn, headOf, jobsIn, openParts, testAccount, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { FencedError } from '#postgres/sql/pg-errors.ts'
import { inTransaction } from '#postgres/sql/with-client.ts'

test('a pending execution is claimed together with its whole journal', async () => {
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
  const claimed = await store.claim(10)
  expect(claimed).toHaveLength(1)
  expect(claimed[0]?.execution).toEqual({
    head,
    startedAtMs: head.createdAtMs + 1,
    cancelRequested: false,
    suspendRequested: false,
    entries,
    messages: [],
  })
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', claimed_by: identity.id() })
})

test('an execution that never ran gets its start time when it is claimed', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  const claimedAtMs = Date.now()
  const [claimed] = await store.claim(10)
  expect(claimed?.execution.startedAtMs).toBeGreaterThanOrEqual(claimedAtMs - 1_000)
  expect((await executionIn(db, head.id))?.['started_at']).not.toBeNull()
})

test('no execution is claimed twice by concurrent claims', async () => {
  const db = await testDatabase()
  const parts = await Promise.all(Array.from({ length: 4 }, () => openParts(db)))
  const heads = Array.from({ length: 40 }, () => headOf())
  for (const head of heads) await parts[0]?.journal.write(acceptOf(head, false))
  const claimed = (await Promise.all(parts.flatMap(({ store }) => [store.claim(7), store.claim(7)]))).flat()
  const ids = claimed.map(({ execution }) => execution.head.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBe(40)
})

test('a claim takes at most the requested number of executions', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  for (let number = 0; number < 5; number++) await journal.write(acceptOf(headOf(), false))
  expect(await store.claim(2)).toHaveLength(2)
  expect(await jobsIn(db)).toHaveLength(3)
})

test.each<[what: string, isClaimable: boolean, columns: string]>([
  ['is waiting and due', true, `state = 'waiting', wake_at = now() - interval '1 second'`],
  ['is waiting and not due', false, `state = 'waiting', wake_at = now() + interval '1 hour'`],
  ['is waiting without a time', false, `state = 'waiting', wake_at = null`],
  ['is waiting and signalled', true, `state = 'waiting', wake_at = null, signalled_at = now()`],
  ['is suspended', false, `state = 'suspended'`],
  ['is suspended and to be cancelled', true, `state = 'suspended', cancel_requested_at = now()`],
  ['has ended', false, `state = 'completed'`],
  ['runs in another process', false, `state = 'running', claimed_by = '01900000-0000-7000-8000-00000000dead'`],
])('an execution that %s is claimable: %s', async (_what, isClaimable, columns) => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query(`update executions set ${columns} where id = $1`, [head.id])
  expect((await store.claim(10)).map(({ execution }) => execution.head.id)).toEqual(isClaimable ? [head.id] : [])
  // The job ends either way: an execution that is not claimable gets another job as soon as it is.
  expect(await jobsIn(db)).toEqual([])
})

test('a claim clears the signal and the wake time of its execution', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query(`update executions set state = 'waiting', signalled_at = now(), wake_at = now() where id = $1`, [head.id])
  await store.claim(1)
  expect(await executionIn(db, head.id)).toMatchObject({ signalled_at: null, wake_at: null })
})

test('several jobs of one execution claim it once, and all of them end', async () => {
  const db = await testDatabase()
  const { journal, store, jobs } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  const job = { executionId: head.id, accountId: testAccount, notBeforeMs: undefined }
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
  await expect.poll(() => store.claim(10), { interval: 50 }).toHaveLength(1)
})

test('a fenced process claims nothing and leaves the jobs in the queue', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query('delete from processes')
  await expect(store.claim(10)).rejects.toThrow(FencedError)
  expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null })
})

test('a claim that is rolled back leaves its job in the queue', async () => {
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

test('an account with many executions does not delay the execution of another account', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db, { perAccountMax: 3 })
  const small = newUuid()
  for (let number = 0; number < 10; number++) await journal.write(acceptOf(headOf(), false))
  await journal.write(acceptOf(headOf({ accountId: small }), false))
  // The first claim exhausts the share of the large account; the second one skips its jobs.
  const claimed = [...(await store.claim(10)), ...(await store.claim(10))]
  expect(claimed.filter(({ execution }) => execution.head.accountId === testAccount)).toHaveLength(3)
  expect(claimed.filter(({ execution }) => execution.head.accountId === small)).toHaveLength(1)
})

test('the end of a job lets its account claim another one', async () => {
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

test('the share of an account grows with each process that runs executions, and not with those that only accept them', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db, { perAccountMax: 2 })
  await openParts(db, { works: false })
  for (let number = 0; number < 10; number++) await journal.write(acceptOf(headOf(), false))
  expect([...(await store.claim(1)), ...(await store.claim(1)), ...(await store.claim(1))]).toHaveLength(2)
  const { store: other } = await openParts(db, { perAccountMax: 2 })
  expect([...(await other.claim(1)), ...(await other.claim(1)), ...(await other.claim(1))]).toHaveLength(2)
})

test('completed jobs stay active when the claim that would end them fails', async () => {
  const db = await testDatabase()
  const { journal, store, identity } = await openParts(db)
  await journal.write(acceptOf(headOf(), false))
  const [claimed] = await store.claim(5)
  await db.pool.query('delete from processes where id = $1', [identity.id()])
  await expect(store.claim(5, { done: [claimed?.jobId ?? ''] })).rejects.toThrow('was fenced')
  const { rows } = await db.pool.query(`select state::text from pgboss.job where name = 'run'`)
  expect(rows).toEqual([{ state: 'active' }])
})

test('an execution that ends before its job is fetched is not claimed', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  await db.pool.query(`update executions set state = 'completed', output = '1' where id = $1`, [head.id])
  expect(await store.claim(5)).toEqual([])
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'completed', output: '1', claimed_by: null })
})

describe('crash suspects', () => {
  async function suspectsIn(db: EngineDatabase, count: number) {
    const parts = await openParts(db)
    const heads = Array.from({ length: count }, () => headOf())
    for (const head of heads) await parts.journal.write(acceptOf(head, false))
    await db.pool.query(`update executions set crash_count = 2`)
    return { ...parts, ids: heads.map(({ id }) => id) }
  }

  test('a claim takes at most the given number of crash suspects beside other executions, and postpones the rest', async () => {
    const db = await testDatabase()
    const { store, journal, ids } = await suspectsIn(db, 3)
    const other = headOf()
    await journal.write(acceptOf(other, false))
    const claimed = await store.claim(10, { suspectsMax: 1 })
    expect(claimed.map(({ execution, suspect }) => [execution.head.id, suspect])).toEqual(
      expect.arrayContaining([
        [ids[0], true],
        [other.id, false],
      ]),
    )
    expect(claimed).toHaveLength(2)
    expect(await jobsIn(db)).toEqual(expect.arrayContaining([1, 2].map((n) => ({ executionId: ids[n], deferred: true }))))
    expect(await executionIn(db, ids[1] ?? '')).toMatchObject({ state: 'pending', claimed_by: null })
    await expect.poll(() => store.claim(10, { suspectsMax: 1 }), { interval: 50 }).toHaveLength(1)
  })

  test('a crash suspect is not claimed while another one runs', async () => {
    const db = await testDatabase()
    const { store } = await suspectsIn(db, 2)
    expect(await store.claim(10, { suspectsMax: 0 })).toEqual([])
    expect((await jobsIn(db)).map(({ deferred }) => deferred)).toEqual([true, true])
  })

  test('an execution that has journalled since its crashes is no longer a crash suspect', async () => {
    const db = await testDatabase()
    const { store, journal, ids } = await suspectsIn(db, 2)
    const [first] = await store.claim(1)
    await journal.write({ ...writeOf(first?.execution.head ?? headOf(), { entries: [entryOf(0)] }) })
    await db.pool.query(`update executions set claimed_by = null, state = 'pending' where id = $1`, [first?.execution.head.id])
    await db.pool.query(`update pgboss.job set state = 'created', start_after = now() where name = 'run'`)
    const claimed = await store.claim(10, { suspectsMax: 0 })
    expect(claimed.map(({ execution, suspect }) => [execution.head.id, suspect])).toEqual([[ids[0], false]])
  })
})
