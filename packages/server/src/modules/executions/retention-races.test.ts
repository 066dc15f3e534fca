import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { leastId } from '#platform/ids.ts'
import { createTestDatabase } from '#testing/database.ts'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { addExecution, addWorkflow, day, idAt } from '#testing/executions.ts'
import { createTestServer } from '#testing/server.ts'
import { dropPartition } from './retention-drop.ts'
import { makePartitions, readPartitions, timeOf } from './retention-partitions.ts'
import { createRetention } from './retention.ts'

test('executions start, run and end while partitions are made and dropped, and none is lost', async () => {
  await using server = await createTestServer()
  const db = server.database.system
  const dropped = 4
  await makePast(db, dropped)
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  let going = true
  let started = 0
  const load = Array.from({ length: 4 }, async () => {
    while (going) {
      const { status, body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'A' } }, { prefer: 'wait=5' })
      expect([status, body.state]).toEqual([200, 'completed'])
      started += 1
    }
  })
  for (const [index, partition] of (await readPartitions(db)).dated.entries()) {
    if (partition.to > idAt(Date.now())) break
    expect(await dropPartition(db, partition, [])).toBe(true)
    await makePartitions(db, Date.now() + index * 8 * day, 30 * day)
  }
  going = false
  await Promise.all(load)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from executions where state = 'completed'`.execute(db)
  expect(rows[0]?.count).toBe(started)
  expect(started).toBeGreaterThan(0)
})

/** Partitions of weeks that are past, as an installation has them that is older than they. */
async function makePast(db: Kysely<Rows>, weeks: number): Promise<void> {
  const { kept } = await readPartitions(db)
  const endMs = timeOf(kept.to)
  const bound = (week: number) => sql.lit(leastId(endMs - (weeks - week) * 7 * day))
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

test('an execution that waits goes on, with its timeline, after its partition is gone', async () => {
  await using server = await createTestServer()
  const db = server.database.system
  const account = await server.registerAccount()
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(waits) } })
  const started = await account.client.workflows.execute({ params: { id }, body: {} })
  const state = async () => (await account.client.workflows.execution({ params: { executionId: started.id } })).state
  await expect.poll(state, { timeout: 10_000 }).toBe('waiting')
  const retention = createRetention({ db, now: () => Date.now() + 60 * day, retentionMs: 30 * day })
  await retention.pass()
  expect((await sql`select from executions_kept`.execute(db)).rows).toHaveLength(1)
  const { timeline } = await account.client.workflows.execution({ params: { executionId: started.id } })
  expect(timeline.length).toBeGreaterThan(0)
  await account.send('POST', `/api/v1/workflows/executions/${started.id}/cancel`)
  await expect.poll(state, { timeout: 10_000 }).toBe('cancelled')
})

test('a partition that somebody reads at length stays until a later pass, and writes are not stopped for long', async () => {
  await using db = await createTestDatabase()
  const { system } = db.database
  let nowMs = Date.now()
  const retention = createRetention({ db: system, now: () => nowMs, retentionMs: 30 * day })
  await retention.prepare()
  const id = await addExecution(system, { atMs: nowMs })
  nowMs += 45 * day
  await retention.prepare()
  await system.transaction().execute(async (reader) => {
    await sql`select from executions`.execute(reader)
    await retention.pass()
    expect((await sql`select id from executions`.execute(system)).rows).toEqual([{ id }])
  })
  nowMs += 2 * 60 * 60 * 1000
  await retention.pass()
  expect((await sql`select id from executions`.execute(system)).rows).toEqual([])
})

test('a pass that was killed in the middle is done by the next one', async () => {
  await using db = await createTestDatabase()
  const { system } = db.database
  const nowMs = Date.now()
  const retention = createRetention({ db: system, now: () => nowMs, retentionMs: 30 * day })
  await retention.prepare()
  const short = await addWorkflow(system, { retention: 'P1D' })
  const example = await addExecution(system, { atMs: nowMs - 60_000, workflow: short, entries: 1 })
  await sql`insert into executions select (substr(id::text, 1, 24) || lpad(n::text, 12, '0'))::uuid, account_id, workflow_id, version_id, state, trigger, actor,
      parent_id, depth, input, output, error, decisions, created_at, started_at, ended_at
    from executions, generate_series(1, 20000) n where id = ${example}`.execute(system)
  const runs = await addExecution(system, { atMs: nowMs, state: 'waiting', entries: 2 })
  const later = nowMs + 60 * day
  const script = fileURLToPath(new URL('../../testing/retention-pass.ts', import.meta.url))
  const child = fork(script, [db.url, String(later)], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const left = async () => (await sql<{ count: number }>`select count(*)::int as count from executions`.execute(system)).rows[0]?.count ?? 0
  await expect.poll(left, { interval: 2, timeout: 20_000 }).toBeLessThan(20_002)
  child.kill('SIGKILL')
  await exited
  await createRetention({ db: system, now: () => later, retentionMs: 30 * day }).pass()
  expect(await left()).toBe(1)
  const { rows } = await sql`select execution_id from journal`.execute(system)
  expect(rows).toEqual([{ execution_id: runs }, { execution_id: runs }])
})
