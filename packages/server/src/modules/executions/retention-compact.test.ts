import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { addExecution, addWorkflow, day } from '#testing/executions.ts'
import { compactPartition } from './retention-compact.ts'
import { deleteExecutions } from './retention-delete.ts'
import { makePartitions, readPartitions } from './retention-partitions.ts'
import { readRules } from './retention-rules.ts'
import { createRetention } from './retention.ts'

const retentionMs = 30 * day

/** A past partition of which more is kept for long than can be moved at once, and as much may go. */
async function scene(long: number, others: number) {
  const db = await createTestDatabase()
  const { system } = db.database
  const clock = { nowMs: Date.now() }
  const atMs = clock.nowMs
  const retention = createRetention({ db: system, now: () => clock.nowMs, retentionMs })
  await retention.prepare()
  const workflow = await addWorkflow(system, { retention: 'P400D' })
  await copies(system, await addExecution(system, { atMs, workflow, entries: 1 }), long - 1)
  await copies(system, await addExecution(system, { atMs, entries: 1, value: 'x'.repeat(1_000) }), others - 1)
  clock.nowMs += 45 * day
  await makePartitions(system, clock.nowMs, retentionMs)
  return {
    system,
    clock,
    atMs,
    workflow,
    retention,
    async partition() {
      const [oldest] = (await readPartitions(system)).dated
      if (oldest === undefined) throw new Error('there is no partition')
      return oldest
    },
    async bytes() {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
        where inhparent in ('executions'::regclass, 'journal'::regclass)`.execute(system)
      return rows[0]?.bytes ?? 0
    },
    async counts() {
      const { rows } = await sql<{ executions: number; entries: number }>`
        select (select count(*)::int4 from executions) as executions, (select count(*)::int4 from journal) as entries`.execute(system)
      return rows[0]
    },
    [Symbol.asyncDispose]: () => db.drop(),
  }
}

/** More of an execution, journal included, each with the next id. */
async function copies(db: Kysely<Rows>, id: string, count: number): Promise<void> {
  const idOf = sql`(left(${id}, 24) || lpad(to_hex(n), 12, '0'))::uuid`
  await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at, ended_at)
    select ${idOf}, account_id, workflow_id, version_id, state, trigger, actor, input, created_at, started_at, ended_at
    from executions, generate_series(1, ${count}::int) n where id = ${id}`.execute(db)
  await sql`insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
    select ${idOf}, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at
    from journal, generate_series(1, ${count}::int) n where execution_id = ${id}`.execute(db)
}

test('a partition of which thousands are kept for long gives the room of the others back to the disk', async () => {
  await using at = await scene(1_200, 3_000)
  const before = await at.bytes()
  await at.retention.pass()
  expect(await at.counts()).toEqual({ executions: 1_200, entries: 1_200 })
  expect(await at.bytes()).toBeLessThan(before - 3_000_000)
})

test('what is left goes on as before: it is found, deleted and dropped in its time, and nothing is left over', async () => {
  await using at = await scene(1_200, 1_500)
  await at.retention.pass()
  const tables = async () => (await sql`select from pg_class where relname like '%\\_next'`.execute(at.system)).rows.length
  expect(await tables()).toBe(0)
  const invalid = await sql`select from pg_index where not indisvalid`.execute(at.system)
  expect(invalid.rows).toEqual([])
  const { name } = await at.partition()
  at.clock.nowMs += 400 * day
  await at.retention.pass()
  expect(await at.counts()).toEqual({ executions: 0, entries: 0 })
  expect((await readPartitions(at.system)).dated.map((partition) => partition.name)).not.toContain(name)
})

test('an execution that has not ended is moved as it stands at the end', async () => {
  await using at = await scene(1_200, 1_500)
  const waiting = await addExecution(at.system, { atMs: at.atMs, state: 'waiting', entries: 2 })
  await at.retention.pass()
  expect(await at.counts()).toEqual({ executions: 1_201, entries: 1_202 })
  await sql`update executions set state = 'completed', ended_at = now() where id = ${waiting}`.execute(at.system)
  const { rows } = await sql`select from executions where id = ${waiting} and state = 'completed'`.execute(at.system)
  expect(rows).toHaveLength(1)
})

test('what is deleted while the partition is copied does not come back', async () => {
  await using at = await scene(1_500, 1_500)
  const rules = await readRules(at.system, at.clock.nowMs, retentionMs)
  const { rows } = await sql<{ id: string }>`select id from executions where workflow_id = ${at.workflow} order by id`.execute(at.system)
  const ids = rows.map(({ id }) => id)
  const compacted = compactPartition(at.system, await at.partition(), rules)
  // From both ends: of those that were copied first, and last.
  for (let count = 0; count < 700; count += 10) {
    await deleteExecutions(at.system, [...ids.slice(count, count + 10), ...ids.slice(-count - 10, ids.length - count)])
  }
  expect(await compacted).toBe(true)
  expect(await at.counts()).toEqual({ executions: 100, entries: 100 })
})

test('only one process does it at a time, and one that dies leaves nothing that keeps the next from it', async () => {
  await using at = await scene(1_200, 1_500)
  const { name } = await at.partition()
  await sql`create table ${sql.table(`executions_${name}_next`)} (id int)`.execute(at.system)
  const rules = await readRules(at.system, at.clock.nowMs, retentionMs)
  const partition = await at.partition()
  const both = await Promise.all([compactPartition(at.system, partition, rules), compactPartition(at.system, partition, rules)])
  expect(both.filter((done) => done)).toHaveLength(1)
  expect(await at.counts()).toEqual({ executions: 1_200, entries: 1_200 })
})

test('a partition with many that have not ended stays as it is, and what has had its time in it is deleted', async () => {
  await using at = await scene(1_200, 1_500)
  await sql`update executions set state = 'waiting', ended_at = null where workflow_id = ${at.workflow}`.execute(at.system)
  await at.retention.pass()
  expect(await at.counts()).toEqual({ executions: 1_200, entries: 1_200 })
})
