import { describe, expect, test } from 'vitest'
import type { EngineDatabase } from '#testing/database.ts'
import { acceptOf, entryOf, executionIn, headOf, jobsIn, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'

const silence = (db: EngineDatabase, host: string, seconds: number) =>
  db.pool.query('update processes set heartbeat_at = now() - make_interval(secs => $2) where host = $1', [host, seconds])

describe('a process', () => {
  test('that is silent for ten seconds loses what it ran', async () => {
    const db = await testDatabase()
    const silent = await openParts(db, { host: 'there' })
    const { store } = await openParts(db)
    const head = headOf()
    await silent.journal.write(acceptOf(head, true))
    await silence(db, 'there', 11)
    expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null, crash_count: 1 })
    expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
    expect(await silent.store.heartbeat()).toBe(false)
  })

  test('that was silent for less keeps it', async () => {
    const db = await testDatabase()
    const slow = await openParts(db, { host: 'there' })
    const { store } = await openParts(db)
    const head = headOf()
    await slow.journal.write(acceptOf(head, true))
    await silence(db, 'there', 8)
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', claimed_by: slow.identity.id() })
  })

  test('of this machine that is not there any more loses it at once', async () => {
    const db = await testDatabase()
    const dead = await openParts(db, { pid: 4_000_001 })
    const { store } = await openParts(db, { lives: (pid) => pid !== 4_000_001 })
    await dead.journal.write(acceptOf(headOf(), true))
    expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
  })

  test('of another machine is not judged by the processes of this one', async () => {
    const db = await testDatabase()
    const far = await openParts(db, { host: 'there', pid: 4_000_001 })
    const { store } = await openParts(db, { lives: () => false })
    await far.journal.write(acceptOf(headOf(), true))
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  })

  test('that had our pid before we had it is gone', async () => {
    const db = await testDatabase()
    const before = await openParts(db, { pid: 4_000_002 })
    const { store } = await openParts(db, { pid: 4_000_002, lives: () => true })
    await before.journal.write(acceptOf(headOf(), true))
    expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
    expect(await store.heartbeat()).toBe(true)
  })

  test('does not recover its own executions', async () => {
    const db = await testDatabase()
    const { journal, store, identity } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
    expect((await executionIn(db, head.id))?.['claimed_by']).toBe(identity.id())
  })
})

describe('an execution', () => {
  async function dies(db: EngineDatabase, id: string): Promise<void> {
    await db.pool.query(`update executions set state = 'running', claimed_by = $2 where id = $1`, [id, newUuid()])
  }

  test('that is lost, its process living on, is recovered as often as it is lost, and nothing is held against it', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    for (let loss = 0; loss < 15; loss++) {
      await store.abandonClaims([head.id])
      expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
      expect(await store.claim(5)).toMatchObject([{ suspect: false }])
    }
    expect(await executionIn(db, head.id)).toMatchObject({ crash_count: 0, failed_trials: 0, crashed_at: null })
  })

  test('that gets further between deaths goes on for ever', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    for (let death = 0; death < 6; death++) {
      await journal.write(writeOf(head, { entries: [entryOf(death)] }))
      await dies(db, head.id)
      expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
      expect((await executionIn(db, head.id))?.['crash_count']).toBe(1)
    }
  })

  test('that is to be cancelled is not given up: the cancel ends it', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, false))
    await db.pool.query('update executions set cancel_requested_at = now() where id = $1', [head.id])
    for (let death = 0; death < 4; death++) {
      await dies(db, head.id)
      expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
    }
  })

  test('that is given up wakes the parent that waits for it', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const parent = headOf()
    const child = headOf({ parentId: parent.id })
    await journal.write(acceptOf(parent, true))
    await journal.write(writeOf(parent, { progress: { state: 'waiting', wakeAtMs: undefined } }))
    await journal.write(acceptOf(child, true))
    await db.pool.query('update executions set crash_count = 11 where id = $1', [child.id])
    await dies(db, child.id)
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 1 })
    expect(await jobsIn(db)).toEqual([{ executionId: parent.id, deferred: false }])
    const [taken] = await store.claim(5)
    expect(taken?.execution.head.id).toBe(parent.id)
  })

  test('whose time came long ago and that has lost its job gets another', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const [late, soon] = [headOf(), headOf()]
    for (const head of [late, soon]) {
      await journal.write(acceptOf(head, true))
      await journal.write(writeOf(head, { progress: { state: 'waiting', wakeAtMs: Date.now() + 60_000 } }))
    }
    await db.pool.query('delete from pgboss.job')
    await db.pool.query(`update executions set wake_at = now() - interval '40 seconds' where id = $1`, [late.id])
    expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
    expect(await jobsIn(db)).toEqual([{ executionId: late.id, deferred: false }])
    // Told once, not with every pass.
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
    expect((await store.claim(5)).map(({ execution }) => execution.head.id)).toEqual([late.id])
  })
})

test('while one process recovers the others leave it to it', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await store.abandonClaims([head.id])
  const holder = await db.pool.connect()
  await holder.query('begin')
  await holder.query(`select pg_advisory_xact_lock(hashtext('millrace.recovery'))`)
  expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  await holder.query('commit')
  holder.release()
  expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
})

test('many at once recover each execution once', async () => {
  const db = await testDatabase()
  const parts = await Promise.all(Array.from({ length: 4 }, () => openParts(db)))
  const gone = await openParts(db, { host: 'there' })
  const heads = Array.from({ length: 30 }, () => headOf())
  for (const head of heads) await gone.journal.write(acceptOf(head, true))
  await silence(db, 'there', 60)
  const results = await Promise.all(parts.map(({ store }) => store.recover()))
  expect(results.reduce((sum, { requeued }) => sum + requeued, 0)).toBe(30)
  expect(await jobsIn(db)).toHaveLength(30)
})

test('a process from which the database was away does not hold the silence of others against them until they have had time to speak', async () => {
  const db = await testDatabase()
  let nowMs = 0
  const { store } = await openParts(db, { now: () => nowMs })
  const other = await openParts(db, { host: 'there' })
  await other.journal.write(acceptOf(headOf(), true))
  await silence(db, 'there', 60)
  nowMs = 30_000
  // Its heartbeat has not got through since.
  expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  await store.heartbeat()
  nowMs = 34_000
  expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  for (; nowMs < 42_000; nowMs += 2_000) await store.heartbeat()
  expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
})
