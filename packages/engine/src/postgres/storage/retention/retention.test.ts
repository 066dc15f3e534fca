import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { unfinishedStates } from '#core/execution-state.ts'
import { addExecution, day, idAt, type TestTables, testTables } from '#testing/stored-executions.ts'
import { deleteExecutions } from './delete-executions.ts'
import { readPartitions } from './partitions.ts'
import { createRetention } from './retention.ts'

/** A database whose retention is 30 days, at a time that the test sets. */
async function scene(retentionMs: number | undefined = 30 * day) {
  const { db } = await testTables()
  const clock = { nowMs: Date.now() }
  /** Retention of single workflows. */
  const periods = new Map<string, number | undefined>()
  const deps = { db, now: () => clock.nowMs, retentionMs, readPeriods: async () => periods }
  const retention = createRetention(deps)
  await retention.prepare()
  return {
    db,
    deps,
    retention,
    clock,
    workflowThatKeeps(ms: number | undefined): string {
      const id = idAt(0)
      periods.set(id, ms)
      return id
    },
    /** Lets days pass, with a pass of retention on each. */
    async pass(days: number) {
      for (let count = 0; count < days; count++) {
        clock.nowMs += day
        await retention.pass()
      }
    },
  }
}

async function idsIn(db: TestTables, table = 'executions'): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function names(db: TestTables): Promise<readonly string[]> {
  return (await readPartitions(db)).dated.map(({ name }) => name)
}

describe('partitions of executions', () => {
  test('exist for the days to come, so that no execution lands in the default partition', async () => {
    const at = await scene()
    const { dated } = await readPartitions(at.db)
    expect(dated.length).toBeGreaterThanOrEqual(2)
    expect((dated.at(-1)?.to ?? '') > idAt(at.clock.nowMs + 7 * day)).toBe(true)
    for (let days = 0; days <= 7; days++) await addExecution(at.db, { atMs: at.clock.nowMs + days * day })
    expect(await idsIn(at.db, 'executions_default')).toEqual([])
  })

  test('that exist are not made again, whichever process tries', async () => {
    const at = await scene()
    const before = await names(at.db)
    const other = createRetention(at.deps)
    await Promise.all([at.retention.prepare(), other.prepare(), other.prepare()])
    expect(await names(at.db)).toEqual(before)
    at.clock.nowMs += 8 * day
    await Promise.all([at.retention.prepare(), other.prepare()])
    expect(await names(at.db)).toHaveLength(before.length + 1)
  })

  test('that are made late take over the executions of the default partition', async () => {
    const at = await scene()
    at.clock.nowMs += 100 * day
    const ids = [await addExecution(at.db, { atMs: at.clock.nowMs - day, entries: 2 }), await addExecution(at.db, { atMs: at.clock.nowMs })]
    expect(await idsIn(at.db, 'executions_default')).toEqual(ids)
    await at.retention.prepare()
    expect(await idsIn(at.db, 'executions_default')).toEqual([])
    expect(await idsIn(at.db)).toEqual(ids)
    const { rows } = await sql`select from journal where execution_id = ${ids[0]}`.execute(at.db)
    expect(rows).toHaveLength(2)
  })

  test('are at most nine, however long the retention is', async () => {
    for (const days of [1, 7, 30, 365]) {
      const at = await scene(days * day)
      await at.pass(0)
      for (let step = 0; step < 20; step++) {
        at.clock.nowMs += (days * day) / 10
        await at.retention.pass()
      }
      expect((await names(at.db)).length, `${days} days`).toBeLessThanOrEqual(9)
    }
  })
})

describe('an expired execution', () => {
  test('is dropped with its partition, its journal, its labels and its key, and younger executions stay', async () => {
    const at = await scene()
    const [first = ''] = await names(at.db)
    const old = await addExecution(at.db, { atMs: at.clock.nowMs, entries: 3, key: 'k', label: 'old', retryOf: idAt(0) })
    await at.pass(20)
    const young = await addExecution(at.db, { atMs: at.clock.nowMs, entries: 1, label: 'young' })
    expect(await idsIn(at.db)).toEqual([old, young])
    await at.pass(18)
    expect(await idsIn(at.db)).toEqual([young])
    expect(await names(at.db)).not.toContain(first)
    const { rows } = await sql`select (select count(*)::int from journal) as entries, (select count(*)::int from execution_keys) as keys,
        (select array_agg(value) from execution_labels) as labels, (select count(*)::int from execution_retries) as retries`.execute(at.db)
    expect(rows).toEqual([{ entries: 1, keys: 0, labels: ['young'], retries: 0 }])
  })

  test('is still known as the one that its retry continues, until that one is deleted too', async () => {
    const at = await scene()
    const add = (row: object = {}) => addExecution(at.db, { atMs: at.clock.nowMs, ...row })
    const [first, second] = [await add(), await add()]
    const retry = await add({ state: 'suspended', retryOf: first })
    const ended = await add({ retryOf: second })
    const known = async () =>
      (await sql<{ retry_of: string }>`select retry_of from execution_retries order by 1`.execute(at.db)).rows.map((row) => row.retry_of)
    await deleteExecutions(at.db, [first])
    await deleteExecutions(at.db, [ended])
    expect(await known()).toEqual([first, second])
    await deleteExecutions(at.db, [retry, second])
    expect(await known()).toEqual([])
    const third = await add()
    await deleteExecutions(at.db, [third, await add({ retryOf: third })])
    expect(await known()).toEqual([])
  })

  test('frees its disk space', async () => {
    const at = await scene()
    const value = 'x'.repeat(1000)
    for (let count = 0; count < 400; count++) await addExecution(at.db, { atMs: at.clock.nowMs, entries: 5, value })
    const size = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
        where inhparent in ('executions'::regclass, 'journal'::regclass)`.execute(at.db)
      return rows[0]?.bytes ?? 0
    }
    const before = await size()
    await at.pass(38)
    expect(await size()).toBeLessThan(before - 1_000_000)
  })

  test.each(unfinishedStates)('outlives its partition while it is %s, and can continue', async (state) => {
    const at = await scene()
    const id = await addExecution(at.db, { atMs: at.clock.nowMs, state, entries: 2 })
    await addExecution(at.db, { atMs: at.clock.nowMs })
    await at.pass(60)
    expect(await idsIn(at.db, 'executions_kept')).toEqual([id])
    expect(await idsIn(at.db)).toEqual([id])
    const { rows } = await sql`select seq from journal where execution_id = ${id} order by seq`.execute(at.db)
    expect(rows).toHaveLength(2)
    // As the engine ends it.
    await sql`update executions set state = 'completed', ended_at = ${new Date(at.clock.nowMs)} where id = ${id}`.execute(at.db)
    await at.pass(29)
    expect(await idsIn(at.db)).toEqual([id])
    await at.pass(2)
    expect(await idsIn(at.db)).toEqual([])
    expect((await sql`select from journal`.execute(at.db)).rows).toEqual([])
  })

  test('stays until its parent has ended and its dead letter is replayed', async () => {
    const at = await scene()
    const parent = await addExecution(at.db, { atMs: at.clock.nowMs, state: 'suspended' })
    const child = await addExecution(at.db, { atMs: at.clock.nowMs, parentId: parent })
    const deadLettered = await addExecution(at.db, { atMs: at.clock.nowMs, state: 'faulted' })
    await sql`insert into dead_letters (id, account_id, execution_id, reason, attempts, payload, created_at)
      values (gen_random_uuid(), gen_random_uuid(), ${deadLettered}, 'x', 3, '{}', now())`.execute(at.db)
    await at.pass(45)
    expect(await idsIn(at.db)).toEqual([parent, child, deadLettered].toSorted())
    await sql`update dead_letters set replayed_at = now()`.execute(at.db)
    await sql`update executions set state = 'cancelled', ended_at = ${new Date(at.clock.nowMs - 40 * day)} where id = ${parent}`.execute(
      at.db,
    )
    await at.pass(1)
    expect(await idsIn(at.db)).toEqual([])
  })

  test('never exists where the installation keeps everything', async () => {
    const at = await scene()
    const forever = createRetention({ ...at.deps, retentionMs: undefined })
    const id = await addExecution(at.db, { atMs: at.clock.nowMs })
    at.clock.nowMs += 5000 * day
    await forever.pass()
    expect(await idsIn(at.db)).toEqual([id])
  })
})

describe('a workflow with a retention of its own', () => {
  test('that is shorter has its executions deleted one by one, and no others', async () => {
    const at = await scene()
    const short = at.workflowThatKeeps(2 * day)
    const expired = await addExecution(at.db, { atMs: at.clock.nowMs, workflow: short, entries: 2, key: 'k' })
    const ofAnother = await addExecution(at.db, { atMs: at.clock.nowMs, workflow: idAt(0), entries: 1 })
    const running = await addExecution(at.db, { atMs: at.clock.nowMs, workflow: short, state: 'running' })
    await at.pass(1)
    expect(await idsIn(at.db)).toContain(expired)
    await at.pass(2)
    expect(await idsIn(at.db)).toEqual([ofAnother, running].toSorted())
    expect((await sql`select from journal`.execute(at.db)).rows).toHaveLength(1)
  })

  test('that is longer keeps its executions after the partition of the others is dropped', async () => {
    const at = await scene()
    const id = await addExecution(at.db, { atMs: at.clock.nowMs, workflow: at.workflowThatKeeps(90 * day), entries: 2 })
    await addExecution(at.db, { atMs: at.clock.nowMs })
    await at.pass(80)
    expect(await idsIn(at.db)).toEqual([id])
    expect((await sql`select from journal`.execute(at.db)).rows).toHaveLength(2)
    await at.pass(11)
    expect(await idsIn(at.db)).toEqual([])
  })

  test('that has no end keeps its executions for ever', async () => {
    const at = await scene()
    const id = await addExecution(at.db, { atMs: at.clock.nowMs, workflow: at.workflowThatKeeps(undefined) })
    await at.pass(100)
    expect(await idsIn(at.db)).toEqual([id])
  })
})

test('idempotency keys of more than a day ago are deleted in one pass, however many starts had one', async () => {
  const at = await scene()
  await sql`insert into execution_keys (account_id, key, execution_id, digest)
    select ${idAt(0)}, n::text, ${idAt(at.clock.nowMs - 2 * day)}, '' from generate_series(1, 25000) n`.execute(at.db)
  await at.retention.pass()
  expect((await sql`select from execution_keys`.execute(at.db)).rows).toEqual([])
})
