import { describe, expect, test } from 'vitest'
import { acceptOf, completed, executionIn, headOf, jobsIn, openParts, testAccount, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'

describe('a process', () => {
  test('a process has a row with its host and pid once it is registered', async () => {
    const db = await testDatabase()
    const { store, identity } = await openParts(db, { registered: false, host: 'machine', pid: 77 })
    expect(await store.heartbeat()).toBe(false)
    await store.register()
    expect(await store.heartbeat()).toBe(true)
    const { rows } = await db.pool.query('select id, host, pid from processes')
    expect(rows).toEqual([{ id: identity.id(), host: 'machine', pid: 77 }])
  })

  test('a process gets a new id with each registration, so that its earlier claims are no longer its own', async () => {
    const db = await testDatabase()
    const { store, identity } = await openParts(db)
    const firstId = identity.id()
    await db.pool.query('delete from processes')
    expect(await store.heartbeat()).toBe(false)
    await store.register()
    expect(identity.id()).not.toBe(firstId)
    expect(await store.heartbeat()).toBe(true)
  })

  test('a heartbeat updates the row of its process', async () => {
    const db = await testDatabase()
    const { store } = await openParts(db)
    await db.pool.query(`update processes set heartbeat_at = now() - interval '5 seconds'`)
    await store.heartbeat()
    const { rows } = await db.pool.query(`select heartbeat_at > now() - interval '2 seconds' as fresh from processes`)
    expect(rows).toEqual([{ fresh: true }])
  })

  test('a process is unregistered only after it has released all its claims', async () => {
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
  test('signals are read by the process that runs the execution until it acknowledges them', async () => {
    const db = await testDatabase()
    const mine = await openParts(db)
    const other = await openParts(db)
    const [signalled, cancelled, quiet] = [headOf(), headOf(), headOf()]
    for (const head of [signalled, cancelled, quiet]) await mine.journal.write(acceptOf(head, true))
    await db.pool.query('update executions set signalled_at = now() where id = $1', [signalled.id])
    await mine.store.cancel(testAccount, cancelled.id)
    expect(await other.store.signals()).toEqual([])
    const signals = await mine.store.signals()
    expect(signals.toSorted((one, two) => Number(one.cancel) - Number(two.cancel))).toEqual([
      { id: signalled.id, cancel: false, suspend: false, at: expect.any(String) },
      { id: cancelled.id, cancel: true, suspend: false, at: expect.any(String) },
    ])
    await other.store.acknowledge(signals)
    expect(await mine.store.signals()).toHaveLength(2)
    await mine.store.acknowledge(signals)
    expect(await mine.store.signals()).toEqual([])
  })

  test('a signal that follows the acknowledged one stays', async () => {
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

  test('an execution with an unacknowledged signal goes to the queue instead of being parked', async () => {
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

describe('handover', () => {
  test('a process can release its own executions to the queue, and not those of another process', async () => {
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
  test('a cancel of a running execution signals its process', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect(await store.cancel(testAccount, head.id)).toBe('requested')
    const row = await executionIn(db, head.id)
    expect([row?.['state'], row?.['cancel_requested_at'] === null, row?.['signalled_at'] === null]).toEqual(['running', false, false])
    expect(await jobsIn(db)).toEqual([])
  })

  test.each(['waiting', 'pending', 'suspended'])('a cancel of a %s execution sends a job for it', async (state) => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    await db.pool.query('update executions set state = $2, claimed_by = null where id = $1', [head.id, state])
    expect(await store.cancel(testAccount, head.id)).toBe('requested')
    expect(await jobsIn(db)).toEqual([{ executionId: head.id, deferred: false }])
    const [claimed] = await store.claim(10)
    expect(claimed?.execution).toMatchObject({ head: { id: head.id }, cancelRequested: true })
  })

  test.each(['completed', 'faulted', 'cancelled'] as const)(
    'a cancel of a %s execution changes nothing and reports that it has ended',
    async (state) => {
      const db = await testDatabase()
      const { store, journal } = await openParts(db)
      const head = headOf()
      await journal.write(acceptOf(head, true, { progress: { ...completed(null), state } }))
      expect(await store.cancel(testAccount, head.id)).toBe('ended')
      expect(await executionIn(db, head.id)).toMatchObject({ state, cancel_requested_at: null })
      expect(await jobsIn(db)).toEqual([])
    },
  )

  test('a cancel does not find an execution of another account', async () => {
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
  test('a suspend of an unclaimed execution suspends it, and a second one reports that', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, false))
    expect(await store.suspend(testAccount, head.id)).toBe('suspended')
    expect(await store.suspend(testAccount, head.id)).toBe('already')
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'suspended', claimed_by: null })
    expect(await store.claim(10)).toEqual([])
  })

  test('a suspend of a running execution signals its process, and can be withdrawn by a resume', async () => {
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
    'a suspend or resume of a %s execution changes nothing and reports that it has ended',
    async (state) => {
      const db = await testDatabase()
      const { store, journal } = await openParts(db)
      const head = headOf()
      await journal.write(acceptOf(head, true, { progress: { ...completed(null), state } }))
      expect([await store.suspend(testAccount, head.id), await store.resume(testAccount, head.id)]).toEqual(['ended', 'ended'])
      expect(await executionIn(db, head.id)).toMatchObject({ state })
    },
  )

  test('a suspend or resume does not find an execution of another account', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect([await store.suspend(newUuid(), head.id), await store.resume(newUuid(), head.id)]).toEqual(['unknown', 'unknown'])
  })
})

describe('lookups', () => {
  test('find returns an execution to its own account only', async () => {
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

  test('findByKey returns the execution of an idempotency key to its own account only', async () => {
    const db = await testDatabase()
    const { store, journal } = await openParts(db)
    const head = headOf({ idempotency: { key: 'order 7', digest: 'abc' } })
    await journal.write(acceptOf(head, true))
    expect(await store.findByKey(testAccount, 'order 7')).toEqual({ id: head.id, digest: 'abc' })
    expect(await store.findByKey(newUuid(), 'order 7')).toBeUndefined()
    expect(await store.findByKey(testAccount, 'order 8')).toBeUndefined()
  })

  test('findSnapshots returns the executions that exist, in any state', async () => {
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
