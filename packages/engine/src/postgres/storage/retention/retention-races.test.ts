import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { leastIdAt, timeOfId } from '#postgres/storage/time-of-id.ts'
import { sqlStateOf } from '#postgres/sql/pg-errors.ts'
import type { EngineDatabase } from '#testing/database.ts'
import { accountId, createTestEngine, type TestEngine } from '#testing/engines.ts'
import { set, wait, workflowOf } from '#testing/nodes.ts'
import { addExecution, day, idAt, type TestTables, testTables } from '#testing/stored-executions.ts'
import { dropPartition } from './drop-partition.ts'
import { makePartitions, readPartitions } from './partitions.ts'
import { createRetention } from './retention.ts'

const none = async () => new Map<string, number | undefined>()

async function engineOn(database: EngineDatabase): Promise<TestEngine> {
  const workflows = { short: workflowOf(set({ said: 'hello' })), long: workflowOf(wait(3_600_000)) }
  const running = await createTestEngine(database, { workflows })
  onTestFinished(() => running.engine.close(Date.now() + 3_000))
  return running
}

test('executions start, run and end while partitions are made and dropped, and none is lost', async () => {
  const { database, db } = await testTables()
  const { start, outcome } = await engineOn(database)
  await makePast(db, 4)
  let stopped = false
  let started = 0
  const load = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const { id } = await start('short')
      expect(await outcome(id)).toMatchObject({ state: 'completed' })
      started += 1
    }
  })
  for (const [index, partition] of (await readPartitions(db)).dated.entries()) {
    if (partition.to > idAt(Date.now())) break
    expect(await repeatWhileLocked(() => dropPartition(db, partition, []))).toBe(true)
    await repeatWhileLocked(() => makePartitions(db, Date.now() + index * 8 * day, 30 * day))
  }
  stopped = true
  await Promise.all(load)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from executions where state = 'completed'`.execute(db)
  expect(rows[0]?.count).toBe(started)
  expect(started).toBeGreaterThan(0)
})

/** Repeats a change that did not get its lock in time, as later passes do. */
async function repeatWhileLocked<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (attempt === 20 || sqlStateOf(error) !== '55P03') throw error
    }
  }
}

/** Partitions of past weeks, as an older installation has them. */
async function makePast(db: TestTables, weeks: number): Promise<void> {
  const { kept } = await readPartitions(db)
  const endMs = timeOfId(kept.to)
  const bound = (week: number) => sql.lit(leastIdAt(endMs - (weeks - week) * 7 * day))
  for (const parent of ['executions', 'journal'] as const) {
    const [table, keeps] = [sql.table(parent), sql.table(`${parent}_kept`)]
    await sql`alter table ${table} detach partition ${keeps}`.execute(db)
    await sql`alter table ${table} attach partition ${keeps} for values from (minvalue) to (${bound(0)})`.execute(db)
    for (let week = 0; week < weeks; week++)
      await sql`create table ${sql.table(`${parent}_week${week}`)} partition of ${table} for values from (${bound(week)}) to (${week === weeks - 1 ? sql.lit(kept.to) : bound(week + 1)})`.execute(
        db,
      )
  }
}

test('a waiting execution continues, with its journal, after its partition is dropped', async () => {
  const { database, db } = await testTables()
  let nowMs = Date.now()
  const retention = createRetention({ db, now: () => nowMs, retentionMs: 30 * day, readPeriods: none })
  await retention.prepare()
  const { engine, start, outcome } = await engineOn(database)
  const { id } = await start('long')
  const state = async () => (await outcome(id, 0))?.state
  await expect.poll(state).toBe('waiting')
  const entries = async () => (await sql`select from journal where execution_id = ${id}`.execute(db)).rows.length
  const before = await entries()
  nowMs += 60 * day
  await retention.pass()
  expect((await sql`select from executions_kept`.execute(db)).rows).toHaveLength(1)
  expect(await entries()).toBe(before)
  await engine.cancel(accountId, id)
  await expect.poll(state).toBe('cancelled')
})

test('a partition under a long read stays until a later pass, and does not block writes', async () => {
  const { db } = await testTables()
  let nowMs = Date.now()
  const retention = createRetention({ db, now: () => nowMs, retentionMs: 30 * day, readPeriods: none })
  await retention.prepare()
  const id = await addExecution(db, { atMs: nowMs })
  nowMs += 45 * day
  await retention.prepare()
  await db.transaction().execute(async (reader) => {
    await sql`select from executions`.execute(reader)
    await retention.pass()
    expect((await sql`select id from executions`.execute(db)).rows).toEqual([{ id }])
  })
  nowMs += 2 * 60 * 60 * 1000
  await retention.pass()
  expect((await sql`select id from executions`.execute(db)).rows).toEqual([])
})

test('the next pass completes one that was killed', async () => {
  const { database, db } = await testTables()
  const nowMs = Date.now()
  const short = idAt(0)
  const deps = { db, retentionMs: 30 * day, readPeriods: async () => new Map([[short, day]]) }
  await createRetention({ ...deps, now: () => nowMs }).prepare()
  const example = await addExecution(db, { atMs: nowMs - 60_000, workflow: short, entries: 1 })
  await sql`insert into executions select (substr(id::text, 1, 24) || lpad(n::text, 12, '0'))::uuid, account_id, workflow_id, version_id, state, trigger, actor,
      parent_id, depth, input, output, error, decisions, created_at, started_at, ended_at
    from executions, generate_series(1, 20000) n where id = ${example}`.execute(db)
  const runs = await addExecution(db, { atMs: nowMs, state: 'waiting', entries: 2 })
  const later = nowMs + 60 * day
  const script = fileURLToPath(new URL('../../../../test/testing/retention-pass.ts', import.meta.url))
  const child = fork(script, [database.url, String(later), short], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const left = async () => (await sql<{ count: number }>`select count(*)::int as count from executions`.execute(db)).rows[0]?.count ?? 0
  await expect.poll(left, { interval: 2 }).toBeLessThan(20_002)
  child.kill('SIGKILL')
  await exited
  await createRetention({ ...deps, now: () => later }).pass()
  expect(await left()).toBe(1)
  const { rows } = await sql`select execution_id from journal`.execute(db)
  expect(rows).toEqual([{ execution_id: runs }, { execution_id: runs }])
})
