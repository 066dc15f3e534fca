import { expect, test } from 'vitest'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { EngineDatabase } from '#testing/database.ts'
import {
  acceptOf,
  completed,
  entryOf,
  executionIn,
  headOf,
  openParts,
  type PostgresParts,
  testDatabase,
  writeOf,
} from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'

const trialMs = 15_000

/** A process that survives and recovers, and pending executions. */
async function setUp(count = 1) {
  const db = await testDatabase()
  const survivor = await openParts(db, { trialMs, now: () => 0 })
  const heads = Array.from({ length: count }, () => headOf())
  for (const head of heads) await survivor.journal.write(acceptOf(head, false))
  return { db, survivor, heads, head: heads[0] ?? headOf() }
}

/** Moves recorded crashes into the past and makes all queued jobs due. */
async function pass(db: EngineDatabase, seconds: number): Promise<void> {
  await db.pool.query(`update process_crashes set crashed_at = crashed_at - make_interval(secs => $1)`, [seconds])
  await db.pool.query(`update executions set crashed_at = crashed_at - make_interval(secs => $1)`, [seconds])
  await db.pool.query(`update pgboss.job set start_after = now() where name = 'run' and state < 'active'`)
}

/** A new process that claims as the worker does. */
async function live(db: EngineDatabase, suspectsMax = 1) {
  const parts = await openParts(db, { trialMs, host: 'there' })
  const claimed = await parts.store.claim(10, { suspectsMax })
  return { ...parts, ids: claimed.map(({ execution }) => execution.head.id) }
}

async function die(db: EngineDatabase, survivor: PostgresParts, { identity }: PostgresParts) {
  await db.pool.query(`update processes set heartbeat_at = now() - interval '1 minute' where id = $1`, [identity.id()])
  return survivor.store.recover()
}

/** Records the crash of an unrelated process. */
const recordUnrelatedCrash = (db: EngineDatabase) =>
  db.pool.query(`insert into process_crashes (id, host, crashed_at) values ($1, 'there', now())`, [newUuid()])

const deadLetters = async (db: EngineDatabase) => (await db.pool.query(`select execution_id, attempts, payload from dead_letters`)).rows

test('an execution that crashes every process that runs it becomes a dead letter at the fifth crash, with its input', async () => {
  const { db, survivor, head } = await setUp()
  for (const expected of [0, 0, 0, 0, 1]) {
    await pass(db, 3_600)
    const process = await live(db)
    expect(process.ids).toEqual([head.id])
    expect((await die(db, survivor, process)).deadLettered).toBe(expected)
  }
  const row = await executionIn(db, head.id)
  expect(row).toMatchObject({ state: 'faulted', claimed_by: null, crash_count: 5, failed_trials: 3 })
  expect(row?.['ended_at']).not.toBeNull()
  expect(JSON.parse(String(row?.['error']))).toMatchObject({
    title: 'Dead letter',
    status: 500,
    detail: 'its process died 5 times without progress in between',
  })
  const [letter] = await deadLetters(db)
  expect(letter).toMatchObject({ execution_id: head.id, attempts: 5 })
  expect(JSON.parse(letter.payload)).toEqual({ workflowId: head.workflowId, versionId: head.versionId, input: {} })
})

test('an execution whose processes crash every five seconds whatever they run fails no trial, and still runs in turn', async () => {
  const { db, survivor, head } = await setUp()
  let turns = 0
  for (let atSeconds = 0; atSeconds < 300; atSeconds += 5) {
    await pass(db, 5)
    const process = await live(db)
    turns += process.ids.length
    expect((await die(db, survivor, process)).deadLettered).toBe(0)
  }
  expect(turns).toBeGreaterThanOrEqual(6)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', failed_trials: 0, crash_count: turns })
})

test('an execution becomes a dead letter after twelve crashes without progress, even without a failed trial', async () => {
  const { db, survivor, head } = await setUp()
  for (let crashes = 1; crashes <= 12; crashes++) {
    await pass(db, 3_600)
    await recordUnrelatedCrash(db)
    const process = await live(db)
    expect(process.ids, `before crash ${crashes}`).toEqual([head.id])
    expect((await die(db, survivor, process)).deadLettered).toBe(crashes === 12 ? 1 : 0)
  }
  expect(await deadLetters(db)).toMatchObject([{ execution_id: head.id, attempts: 12 }])
})

test('a crash suspect is tried only after a time without crashes, which doubles with each failed trial', async () => {
  const { db, survivor, head } = await setUp()
  await db.pool.query(`update executions set crash_count = 3, failed_trials = 1, crashed_at = now() + interval '1 day'`)
  await recordUnrelatedCrash(db)
  await pass(db, 29)
  expect((await live(db)).ids).toEqual([])
  await pass(db, 2)
  const process = await live(db)
  expect(process.ids).toEqual([head.id])
  await die(db, survivor, process)
  expect(await executionIn(db, head.id)).toMatchObject({ failed_trials: 2 })
})

test('the job of a crash suspect is postponed until the suspect may run', async () => {
  const { db } = await setUp()
  await db.pool.query(`update executions set crash_count = 5, crashed_at = now()`)
  await recordUnrelatedCrash(db)
  expect((await live(db)).ids).toEqual([])
  const { rows } = await db.pool.query<{ seconds: number }>(
    `select extract(epoch from start_after - now())::float8 as seconds from pgboss.job where name = 'run' and state = 'created'`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.seconds).toBeGreaterThan(10)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(15)
})

test('a crash suspect with a cancel request runs at once', async () => {
  const { db, head } = await setUp()
  await db.pool.query(`update executions set crash_count = 9, crashed_at = now(), cancel_requested_at = now()`)
  await recordUnrelatedCrash(db)
  expect((await live(db)).ids).toEqual([head.id])
})

test('two crash suspects that were tried in one process fail no trial when it crashes', async () => {
  const { db, survivor } = await setUp(2)
  await db.pool.query(`update executions set crash_count = 4, crashed_at = now() - interval '1 day'`)
  await die(db, survivor, await live(db, 2))
  const { rows } = await db.pool.query(`select crash_count, failed_trials from executions`)
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ crash_count: 5, failed_trials: 0 })))
})

test('a new journal entry resets the crash count and the failed trials of an execution', async () => {
  const { db, survivor, head } = await setUp()
  await db.pool.query(`update executions set crash_count = 11, failed_trials = 2, crashed_at = now() - interval '1 day'`)
  const process = await live(db)
  await process.journal.write(writeOf(head, { entries: [entryOf(0)] }))
  await die(db, survivor, process)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', crash_count: 1, failed_trials: 0 })
})

test('among six crash suspects only the one that crashes its processes becomes a dead letter', async () => {
  const { db, survivor, heads } = await setUp(6)
  const killer = heads[3]?.id
  let deadLettered = 0
  for (let life = 0; life < 100 && deadLettered === 0; life++) {
    await pass(db, 70)
    const process = await live(db)
    if (killer !== undefined && process.ids.includes(killer)) deadLettered = (await die(db, survivor, process)).deadLettered
    else await endAll(process, heads)
  }
  expect(await deadLetters(db)).toMatchObject([{ execution_id: killer }])
  const { rows: faulted } = await db.pool.query(`select id from executions where state = 'faulted'`)
  expect(faulted).toEqual([{ id: killer }])
})

async function endAll({ journal, ids }: Awaited<ReturnType<typeof live>>, heads: readonly ExecutionHead[]): Promise<void> {
  for (const head of heads) if (ids.includes(head.id)) await journal.write(writeOf(head, { progress: completed(null) }))
}
