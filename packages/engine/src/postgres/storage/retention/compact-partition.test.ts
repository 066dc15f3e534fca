import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { addExecution, day, idAt, type TestTables, testTables } from '#testing/stored-executions.ts'
import { compactPartition, holdCopies } from './compact-partition.ts'
import { deleteExecutions } from './delete-executions.ts'
import { makePartitions, readPartitions } from './partitions.ts'
import { rulesAt } from './retention-rules.ts'
import { createRetention } from './retention.ts'

const retentionMs = 30 * day

/** A past partition with more survivors than can be moved at once, and as many expired executions. */
async function scene(long: number, others: number) {
  const { db } = await testTables()
  const clock = { nowMs: Date.now() }
  const atMs = clock.nowMs
  const workflow = idAt(0)
  const periods = new Map([[workflow, 400 * day]])
  const retention = createRetention({ db, now: () => clock.nowMs, retentionMs, readPeriods: async () => periods })
  await retention.prepare()
  await copies(db, await addExecution(db, { atMs, workflow, entries: 1, label: 'long' }), long - 1)
  await copies(db, await addExecution(db, { atMs, entries: 1, value: 'x'.repeat(1_000), label: 'other' }), others - 1)
  clock.nowMs += 45 * day
  await makePartitions(db, clock.nowMs, retentionMs)
  return {
    db,
    rules: () => rulesAt(clock.nowMs, retentionMs, periods),
    clock,
    atMs,
    workflow,
    retention,
    async partition() {
      const [oldest] = (await readPartitions(db)).dated
      if (oldest === undefined) throw new Error('there is no partition')
      return oldest
    },
    async bytes() {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
        where inhparent in ('executions'::regclass, 'journal'::regclass)`.execute(db)
      return rows[0]?.bytes ?? 0
    },
    /** The number of labels by their value. */
    async labels() {
      const { rows } = await sql<{ value: string; count: number }>`
        select value, count(*)::int4 as count from execution_labels group by value order by value`.execute(db)
      return rows.map(({ value, count }) => [value, count])
    },
    async counts() {
      const { rows } = await sql<{ executions: number; entries: number }>`
        select (select count(*)::int4 from executions) as executions, (select count(*)::int4 from journal) as entries`.execute(db)
      return rows[0]
    },
  }
}

/** More of an execution, journal included, each with the next id. */
async function copies(db: TestTables, id: string, count: number): Promise<void> {
  const idOf = sql`(left(${id}, 24) || lpad(to_hex(n), 12, '0'))::uuid`
  await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at, ended_at)
    select ${idOf}, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at, ended_at
    from executions, generate_series(1, ${count}::int) n where id = ${id}`.execute(db)
  await sql`insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
    select ${idOf}, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at
    from journal, generate_series(1, ${count}::int) n where execution_id = ${id}`.execute(db)
  await sql`insert into execution_labels (execution_id, account_id, number, name, value)
    select ${idOf}, account_id, number, name, value
    from execution_labels, generate_series(1, ${count}::int) n where execution_id = ${id}`.execute(db)
}

test('a partition with a thousand survivors frees the disk space of its expired executions', async () => {
  const at = await scene(1_200, 3_000)
  const before = await at.bytes()
  await at.retention.pass()
  expect(await at.counts()).toEqual({ executions: 1_200, entries: 1_200 })
  expect(await at.labels()).toEqual([['long', 1_200]])
  expect(await at.bytes()).toBeLessThan(before - 3_000_000)
})

test('a compacted partition is complete, expires and is dropped, and no temporary table remains', async () => {
  const at = await scene(1_200, 1_500)
  await at.retention.pass()
  const tables = async () => (await sql`select from pg_class where relname like '%\\_next'`.execute(at.db)).rows.length
  expect(await tables()).toBe(0)
  const invalid = await sql`select from pg_index where not indisvalid`.execute(at.db)
  expect(invalid.rows).toEqual([])
  const { name } = await at.partition()
  at.clock.nowMs += 400 * day
  await at.retention.pass()
  expect([await at.counts(), await at.labels()]).toEqual([{ executions: 0, entries: 0 }, []])
  expect((await readPartitions(at.db)).dated.map((partition) => partition.name)).not.toContain(name)
})

test('an execution that has not ended is moved as it is when the copy replaces the partition', async () => {
  const at = await scene(1_200, 1_500)
  const waiting = await addExecution(at.db, { atMs: at.atMs, state: 'waiting', entries: 2 })
  await at.retention.pass()
  expect(await at.counts()).toEqual({ executions: 1_201, entries: 1_202 })
  await sql`update executions set state = 'completed', ended_at = now() where id = ${waiting}`.execute(at.db)
  const { rows } = await sql`select from executions where id = ${waiting} and state = 'completed'`.execute(at.db)
  expect(rows).toHaveLength(1)
})

test('an execution that is deleted while its partition is copied does not reappear', async () => {
  const at = await scene(1_500, 1_500)
  const rules = at.rules()
  const { rows } = await sql<{ id: string }>`select id from executions where workflow_id = ${at.workflow} order by id`.execute(at.db)
  const ids = rows.map(({ id }) => id)
  const compacted = compactPartition(at.db, await at.partition(), rules)
  // From both ends: of those that were copied first, and last.
  for (let count = 0; count < 700; count += 10) {
    await deleteExecutions(at.db, [...ids.slice(count, count + 10), ...ids.slice(-count - 10, ids.length - count)])
  }
  expect(await compacted).toBe(true)
  expect(await at.counts()).toEqual({ executions: 100, entries: 100 })
})

test('what changes of an ended execution while its partition is copied is kept', async () => {
  const at = await scene(1_200, 1_500)
  const [partition, rules] = [await at.partition(), at.rules()]
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const blocking = at.db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(`journal_${partition.name}`)} in access exclusive mode`.execute(tx)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const compacted = compactPartition(at.db, partition, rules)
  const count = async (which: RawBuilder<unknown>) => (await sql`select ${which} limit 1`.execute(at.db)).rows.length
  await expect.poll(() => count(sql`from ${sql.table(`executions_${partition.name}_next`)}`).catch(() => 0)).toBe(1)
  const changed = at.db.transaction().execute(async (tx) => {
    await holdCopies(tx)
    await sql`update executions set output = '"changed"' where workflow_id = ${at.workflow}`.execute(tx)
  })
  const own = sql`join pg_database d on d.oid = l.database and d.datname = current_database()`
  await expect.poll(() => count(sql`from pg_locks l ${own} where l.mode = 'ShareLock' and not l.granted`)).toBe(1)
  released.resolve()
  await Promise.all([blocking, changed])
  expect(await compacted).toBe(true)
  const { rows } = await sql`select from executions where output::text = '"changed"'`.execute(at.db)
  expect(rows).toHaveLength(1_200)
})

test('one process compacts at a time, and copies of a process that died do not hinder the next', async () => {
  const at = await scene(1_200, 1_500)
  const { name } = await at.partition()
  await sql`create table ${sql.table(`executions_${name}_next`)} (id int)`.execute(at.db)
  const rules = at.rules()
  const partition = await at.partition()
  await at.db.connection().execute(async (other) => {
    await sql`select pg_advisory_lock(hashtext('millrace.compact'))`.execute(other)
    expect(await compactPartition(at.db, partition, rules)).toBe(false)
    await sql`select pg_advisory_unlock(hashtext('millrace.compact'))`.execute(other)
  })
  expect(await compactPartition(at.db, partition, rules)).toBe(true)
  expect(await at.counts()).toEqual({ executions: 1_200, entries: 1_200 })
})

test('a partition with many unfinished executions is not replaced, and its expired ones are deleted', async () => {
  const at = await scene(1_200, 1_500)
  await sql`update executions set state = 'waiting', ended_at = null where workflow_id = ${at.workflow}`.execute(at.db)
  await at.retention.pass()
  expect(await at.counts()).toEqual({ executions: 1_200, entries: 1_200 })
})
