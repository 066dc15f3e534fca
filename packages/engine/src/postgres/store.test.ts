import { describe, expect, test } from 'vitest'
import { acceptOf, completed, executionIn, headOf, jobsIn, openParts, testAccount, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'

describe('a process', () => {
  test('is known by host and pid once it is registered, and not before', async () => {
    const db = await testDatabase()
    const { store, identity } = await openParts(db, { registered: false, host: 'machine', pid: 77 })
    expect(await store.heartbeat()).toBe(false)
    await store.register()
    expect(await store.heartbeat()).toBe(true)
    const { rows } = await db.pool.query('select id, host, pid from processes')
    expect(rows).toEqual([{ id: identity.id(), host: 'machine', pid: 77 }])
  })

  test('gets another id each time that it is registered, so that what it ran before is not its own any more', async () => {
    const db = await testDatabase()
    const { store, identity } = await openParts(db)
    const before = identity.id()
    await db.pool.query('delete from processes')
    expect(await store.heartbeat()).toBe(false)
    await store.register()
    expect(identity.id()).not.toBe(before)
    expect(await store.heartbeat()).toBe(true)
  })

  test('moves its heartbeat on', async () => {
    const db = await testDatabase()
    const { store } = await openParts(db)
    await db.pool.query(`update processes set heartbeat_at = now() - interval '5 seconds'`)
    await store.heartbeat()
    const { rows } = await db.pool.query(`select heartbeat_at > now() - interval '2 seconds' as fresh from processes`)
    expect(rows).toEqual([{ fresh: true }])
  })

  test('takes its leave when it has handed everything over, and stays known while it has not', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    await store.unregister()
    expect((await db.pool.query('select from processes')).rowCount).toBe(1)
    await store.release([head.id])
    await store.unregister()
    expect((await db.pool.query('select from processes')).rowCount).toBe(0)
  })
})

describe('signals', () => {
  test('are there until they are heard, for the process that runs the execution', async () => {
    const db = await testDatabase()
    const mine = await openParts(db)
    const other = await openParts(db)
    const [told, cancelled, quiet] = [headOf(), headOf(), headOf()]
    for (const head of [told, cancelled, quiet]) await mine.journal.write(acceptOf(head, true))
    await db.pool.query('update executions set signalled_at = now() where id = $1', [told.id])
    await mine.store.cancel(testAccount, cancelled.id)
    expect(await other.store.signals()).toEqual([])
    const heard = await mine.store.signals()
    expect(heard.toSorted((one, two) => Number(one.cancel) - Number(two.cancel))).toEqual([
      { id: told.id, cancel: false, suspend: false, at: expect.any(String) },
      { id: cancelled.id, cancel: true, suspend: false, at: expect.any(String) },
    ])
    await other.store.acknowledge(heard)
    expect(await mine.store.signals()).toHaveLength(2)
    await mine.store.acknowledge(heard)
    expect(await mine.store.signals()).toEqual([])
  })

  test('that come after the one which is heard are there still', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    await db.pool.query('update executions set signalled_at = now() where id = $1', [head.id])
    const first = await store.signals()
    await db.pool.query('update executions set signalled_at = clock_timestamp() where id = $1', [head.id])
    await store.acknowledge(first)
    expect(await store.signals()).toHaveLength(1)
  })

  test('that nobody has acted on keep the execution from going to sleep', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    await db.pool.query('update executions set signalled_at = now() where id = $1', [head.id])
    expect(await store.signals()).toHaveLength(1)
    await journal.write(writeOf(head, { progress: { state: 'waiting', wakeAtMs: undefined } }))
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending' })
    expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
  })
})

describe('handing over', () => {
  test('release puts own executions back on the queue, and no one else’s', async () => {
    const db = await testDatabase()
    const mine = await openParts(db)
    const other = await openParts(db)
    const [own, foreign] = [headOf(), headOf()]
    await mine.journal.write(acceptOf(own, true))
    await other.journal.write(acceptOf(foreign, true))
    await mine.store.release([own.id, foreign.id, newUuid()])
    expect(await executionIn(db, own.id)).toMatchObject({ state: 'pending', claimed_by: null, crash_count: 0 })
    expect(await executionIn(db, foreign.id)).toMatchObject({ state: 'running', claimed_by: other.identity.id() })
    expect(await jobsIn(db)).toEqual([{ executionId: own.id, deferred: false }])
  })

  test('abandoned claims are recovered without counting a crash', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    await store.abandonClaims([head.id])
    expect(await jobsIn(db)).toEqual([])
    expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null, crash_count: 0 })
  })

  test('claims of other processes cannot be abandoned', async () => {
    const db = await testDatabase()
    const mine = await openParts(db)
    const other = await openParts(db)
    const head = headOf()
    await other.journal.write(acceptOf(head, true))
    await mine.store.abandonClaims([head.id])
    expect((await executionIn(db, head.id))?.['claimed_by']).toBe(other.identity.id())
  })
})

describe('cancel', () => {
  test('of an execution that runs is told to the one who runs it', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect(await store.cancel(testAccount, head.id)).toBe('requested')
    const row = await executionIn(db, head.id)
    expect([row?.['state'], row?.['cancel_requested_at'] === null, row?.['signalled_at'] === null]).toEqual(['running', false, false])
    expect(await jobsIn(db)).toEqual([])
  })

  test.each(['waiting', 'pending', 'suspended'])('of an execution that is %s sends somebody to do it', async (state) => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    await db.pool.query('update executions set state = $2, claimed_by = null where id = $1', [head.id, state])
    expect(await store.cancel(testAccount, head.id)).toBe('requested')
    expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
    const [taken] = await store.claim(10)
    expect(taken?.execution).toMatchObject({ head: { id: head.id }, cancelRequested: true })
  })

  test.each(['completed', 'faulted', 'cancelled'] as const)('of an execution that is %s does nothing and says so', async (state) => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true, { progress: { ...completed(null), state } }))
    expect(await store.cancel(testAccount, head.id)).toBe('ended')
    expect(await executionIn(db, head.id)).toMatchObject({ state, cancel_requested_at: null })
    expect(await jobsIn(db)).toEqual([])
  })

  test('of an execution of another account finds none', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect(await store.cancel(newUuid(), head.id)).toBe('unknown')
    expect(await store.cancel(testAccount, newUuid())).toBe('unknown')
    expect((await executionIn(db, head.id))?.['cancel_requested_at']).toBeNull()
  })
})

describe('suspend', () => {
  test('of an execution that nobody runs holds it, and says so once', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, false))
    expect(await store.suspend(testAccount, head.id)).toBe('suspended')
    expect(await store.suspend(testAccount, head.id)).toBe('already')
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'suspended', claimed_by: null })
    expect(await store.claim(10)).toEqual([])
  })

  test('of an execution that runs is told to the one who runs it, and can be taken back', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect(await store.suspend(testAccount, head.id)).toBe('requested')
    expect(await store.signals()).toMatchObject([{ id: head.id, cancel: false, suspend: true }])
    expect(await store.resume(testAccount, head.id)).toBe('resumed')
    expect(await store.resume(testAccount, head.id)).toBe('running')
    await journal.write(writeOf(head, { progress: { state: 'suspended' } }))
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null })
  })

  test.each(['completed', 'faulted', 'cancelled'] as const)(
    'or resume of an execution that is %s does nothing and says so',
    async (state) => {
      const db = await testDatabase()
      const { store, journal } = await openParts(db)
      const head = headOf()
      await journal.write(acceptOf(head, true, { progress: { ...completed(null), state } }))
      expect([await store.suspend(testAccount, head.id), await store.resume(testAccount, head.id)]).toEqual(['ended', 'ended'])
      expect(await executionIn(db, head.id)).toMatchObject({ state })
    },
  )

  test('or resume of an execution of another account finds none', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect([await store.suspend(newUuid(), head.id), await store.resume(newUuid(), head.id)]).toEqual(['unknown', 'unknown'])
  })
})

describe('looking up', () => {
  test('find knows the executions of the account alone', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true, { progress: completed([1, { a: null }]) }))
    expect(await store.find(testAccount, head.id)).toMatchObject({
      id: head.id,
      state: 'completed',
      output: [1, { a: null }],
      endedAtMs: 1_700_000_000_500,
    })
    expect(await store.find(newUuid(), head.id)).toBeUndefined()
    expect(await store.find(testAccount, newUuid())).toBeUndefined()
  })

  test('findByKey gives the execution of a key, of the account alone', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf({ idempotency: { key: 'order 7', digest: 'abc' } })
    await journal.write(acceptOf(head, true))
    expect(await store.findByKey(testAccount, 'order 7')).toEqual({ id: head.id, digest: 'abc' })
    expect(await store.findByKey(newUuid(), 'order 7')).toBeUndefined()
    expect(await store.findByKey(testAccount, 'order 8')).toBeUndefined()
  })

  test('findSnapshots reads the executions that exist, whatever their state', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const [running, done] = [headOf(), headOf()]
    await journal.write(acceptOf(running, true))
    await journal.write(acceptOf(done, true))
    await journal.write(writeOf(done, { progress: completed('x') }))
    const outcomes = await store.findSnapshots([running.id, done.id, newUuid()])
    expect(outcomes.toSorted((one, two) => one.state.localeCompare(two.state))).toMatchObject([
      { id: done.id, state: 'completed', output: 'x', error: undefined },
      { id: running.id, state: 'running', output: undefined, error: undefined },
    ])
  })
})
