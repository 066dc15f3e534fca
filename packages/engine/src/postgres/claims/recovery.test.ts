import { describe, expect, test } from 'vitest'
import type { EngineDatabase } from '#testing/database.ts'
import { acceptOf, entryOf, executionIn, headOf, jobsIn, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { inTransaction } from '#postgres/sql/with-client.ts'
import { recoverExecutions } from './recovery.ts'

const silence = (db: EngineDatabase, host: string, seconds: number) =>
  db.pool.query('update processes set heartbeat_at = now() - make_interval(secs => $2) where host = $1', [host, seconds])

describe('recovery of processes', () => {
  test('a process without a heartbeat for ten seconds loses its executions', async () => {
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

  test('a process without a heartbeat for eight seconds keeps its executions', async () => {
    const db = await testDatabase()
    const slow = await openParts(db, { host: 'there' })
    const { store } = await openParts(db)
    const head = headOf()
    await slow.journal.write(acceptOf(head, true))
    await silence(db, 'there', 8)
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
    expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', claimed_by: slow.identity.id() })
  })

  test('a process of this machine that no longer exists loses its executions at once', async () => {
    const db = await testDatabase()
    const dead = await openParts(db, { pid: 4_000_001 })
    const { store } = await openParts(db, { lives: (pid) => pid !== 4_000_001 })
    await dead.journal.write(acceptOf(headOf(), true))
    expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
  })

  test('a process of another machine is not looked up among the processes of this one', async () => {
    const db = await testDatabase()
    const far = await openParts(db, { host: 'there', pid: 4_000_001 })
    const { store } = await openParts(db, { lives: () => false })
    await far.journal.write(acceptOf(headOf(), true))
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  })

  test('an earlier process with our own pid counts as dead', async () => {
    const db = await testDatabase()
    const before = await openParts(db, { pid: 4_000_002 })
    const { store } = await openParts(db, { pid: 4_000_002, lives: () => true })
    await before.journal.write(acceptOf(headOf(), true))
    expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
    expect(await store.heartbeat()).toBe(true)
  })

  test('a process does not recover its own executions', async () => {
    const db = await testDatabase()
    const { journal, store, identity } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
    expect((await executionIn(db, head.id))?.['claimed_by']).toBe(identity.id())
  })
})

describe('recovery of executions', () => {
  async function crash(db: EngineDatabase, id: string): Promise<void> {
    await db.pool.query(`update executions set state = 'running', claimed_by = $2 where id = $1`, [id, newUuid()])
  }

  test('an abandoned claim of a live process is recovered every time without counting a crash', async () => {
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

  test('an execution that journals between crashes never becomes a dead letter', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, true))
    for (let crashes = 0; crashes < 6; crashes++) {
      await journal.write(writeOf(head, { entries: [entryOf(crashes)] }))
      await crash(db, head.id)
      expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
      expect((await executionIn(db, head.id))?.['crash_count']).toBe(1)
    }
  })

  test('an execution with a cancel request does not become a dead letter', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const head = headOf()
    await journal.write(acceptOf(head, false))
    await db.pool.query('update executions set cancel_requested_at = now() where id = $1', [head.id])
    for (let crashes = 0; crashes < 4; crashes++) {
      await crash(db, head.id)
      expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
    }
  })

  test('an execution whose input has the character NUL becomes a dead letter of its workflow', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const head = headOf({ input: { text: '\u0000' } })
    await journal.write(acceptOf(head, true))
    await db.pool.query('update executions set crash_count = 11 where id = $1', [head.id])
    await crash(db, head.id)
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 1 })
    const { rows } = await db.pool.query('select workflow_id, payload from dead_letters')
    expect(rows).toEqual([{ workflow_id: head.workflowId, payload: expect.stringContaining(String.raw`\u0000`) }])
  })

  test('an execution that becomes a dead letter wakes its waiting parent', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const parent = headOf()
    const child = headOf({ parentId: parent.id })
    await journal.write(acceptOf(parent, true))
    await journal.write(writeOf(parent, { progress: { state: 'waiting', wakeAtMs: undefined } }))
    await journal.write(acceptOf(child, true))
    await db.pool.query('update executions set crash_count = 11 where id = $1', [child.id])
    await crash(db, child.id)
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 1 })
    expect(await jobsIn(db)).toEqual([{ executionId: parent.id, deferred: false }])
    const [claimed] = await store.claim(5)
    expect(claimed?.execution.head.id).toBe(parent.id)
  })

  test('an execution that becomes a dead letter cancels the children whose end it waits for', async () => {
    const db = await testDatabase()
    const { journal, store } = await openParts(db)
    const parent = headOf()
    const [awaited, detached] = [headOf({ parentId: parent.id }), headOf()]
    await journal.write(acceptOf(parent, true))
    await journal.write(
      writeOf(parent, {
        entries: [awaited, detached].map(({ id }, seq) => ({ ...entryOf(seq), phase: 'started', kind: 'workflow', value: id })),
        children: [awaited, detached].map((head) => ({ head, startedAtMs: 1 })),
      }),
    )
    await db.pool.query('update executions set crash_count = 11, recovered_seq = 9 where id = $1', [parent.id])
    await crash(db, parent.id)
    expect(await store.recover()).toMatchObject({ deadLettered: 1 })
    const requested = await db.pool.query('select id from executions where cancel_requested_at is not null')
    expect(requested.rows).toEqual([{ id: awaited.id }])
  })

  test('an overdue execution that has lost its job gets another one', async () => {
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
    // It is signalled once, not with every pass.
    expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
    expect((await store.claim(5)).map(({ execution }) => execution.head.id)).toEqual([late.id])
  })
})

test('only one process recovers at a time', async () => {
  const db = await testDatabase()
  const { journal, store } = await openParts(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await store.abandonClaims([head.id])
  const locker = await db.pool.connect()
  await locker.query('begin')
  await locker.query(`select pg_advisory_xact_lock(hashtext('millrace.recovery'))`)
  expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  await locker.query('commit')
  locker.release()
  expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
})

test('concurrent recoveries requeue each execution once', async () => {
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

test('a process that was disconnected from the database does not fence others for missing heartbeats until they have had time to send some', async () => {
  const db = await testDatabase()
  let nowMs = 0
  const { store } = await openParts(db, { now: () => nowMs })
  const other = await openParts(db, { host: 'there' })
  await other.journal.write(acceptOf(headOf(), true))
  await silence(db, 'there', 60)
  nowMs = 30_000
  // This process has sent no heartbeat for thirty seconds.
  expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  await store.heartbeat()
  nowMs = 34_000
  expect(await store.recover()).toEqual({ requeued: 0, deadLettered: 0 })
  for (; nowMs < 42_000; nowMs += 2_000) await store.heartbeat()
  expect(await store.recover()).toEqual({ requeued: 1, deadLettered: 0 })
})

test('recovery reads no execution of a live process, however many it runs', async () => {
  const db = await testDatabase()
  const other = await openParts(db, { host: 'there' })
  const { jobs, identity, journal } = await openParts(db)
  const deps = { pool: db.pool, jobs, identity, newId: newUuid, retentionMs: 60_000, trialMs: 3_600_000, now: Date.now }
  await Promise.all(Array.from({ length: 100 }, () => [journal, other.journal].map((each) => each.write(acceptOf(headOf(), true)))).flat())
  const read = await inTransaction(db.pool, async (client) => {
    await recoverExecutions(client, deps, { fencesSilent: true, eventsOf: undefined })
    const { rows } = await client.query<{ readonly read: number }>(
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where relname like 'executions\\_%'`,
    )
    return rows[0]?.read
  })
  // A scan of all claims would read 200.
  expect(read).toBeLessThan(10)
})
