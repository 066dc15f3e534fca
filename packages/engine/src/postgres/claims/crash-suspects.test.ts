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

/** A process that stays, and executions that wait for one. */
async function setUp(count = 1) {
  const db = await testDatabase()
  const keeper = await openParts(db, { trialMs, now: () => 0 })
  const heads = Array.from({ length: count }, () => headOf())
  for (const head of heads) await keeper.journal.write(acceptOf(head, false))
  return { db, keeper, heads, head: heads[0] ?? headOf() }
}

/** Lets time pass, as far as deaths and jobs are concerned. */
async function pass(db: EngineDatabase, seconds: number): Promise<void> {
  await db.pool.query(`update process_crashes set crashed_at = crashed_at - make_interval(secs => $1)`, [seconds])
  await db.pool.query(`update executions set crashed_at = crashed_at - make_interval(secs => $1)`, [seconds])
  await db.pool.query(`update pgboss.job set start_after = now() where name = 'run' and state < 'active'`)
}

/** A process that takes what it can, as the worker does. */
async function live(db: EngineDatabase, suspectsMax = 1) {
  const parts = await openParts(db, { trialMs, host: 'there' })
  const taken = await parts.store.claim(10, { suspectsMax })
  return { ...parts, ids: taken.map(({ execution }) => execution.head.id) }
}

async function die(db: EngineDatabase, keeper: PostgresParts, { identity }: PostgresParts) {
  await db.pool.query(`update processes set heartbeat_at = now() - interval '1 minute' where id = $1`, [identity.id()])
  return keeper.store.recover()
}

/** A process dies that has nothing to do with any of it. */
const another = (db: EngineDatabase) =>
  db.pool.query(`insert into process_crashes (id, host, crashed_at) values ($1, 'there', now())`, [newUuid()])

const letters = async (db: EngineDatabase) => (await db.pool.query(`select execution_id, attempts, payload from dead_letters`)).rows

test('an execution whose process dies whenever it runs, and never else, is given up with its fifth, and kept whole', async () => {
  const { db, keeper, head } = await setUp()
  for (const expected of [0, 0, 0, 0, 1]) {
    await pass(db, 3_600)
    const process = await live(db)
    expect(process.ids).toEqual([head.id])
    expect((await die(db, keeper, process)).deadLettered).toBe(expected)
  }
  const row = await executionIn(db, head.id)
  expect(row).toMatchObject({ state: 'faulted', claimed_by: null, crash_count: 5, failed_trials: 3 })
  expect(row?.['ended_at']).not.toBeNull()
  expect(JSON.parse(String(row?.['error']))).toMatchObject({
    title: 'Given up',
    status: 500,
    detail: 'its process died 5 times without progress in between',
  })
  const [letter] = await letters(db)
  expect(letter).toMatchObject({ execution_id: head.id, attempts: 5 })
  expect(JSON.parse(letter.payload)).toEqual({ workflowId: head.workflowId, versionId: head.versionId, input: {} })
})

test('one whose processes are killed every five seconds, whatever they run, is not accused, and has its turns all the same', async () => {
  const { db, keeper, head } = await setUp()
  let turns = 0
  for (let atSeconds = 0; atSeconds < 300; atSeconds += 5) {
    await pass(db, 5)
    const process = await live(db)
    turns += process.ids.length
    expect((await die(db, keeper, process)).deadLettered).toBe(0)
  }
  expect(turns).toBeGreaterThanOrEqual(6)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', failed_trials: 0, crash_count: turns })
})

test('one that nothing speaks for is given up after a dozen deaths in any case, hours later', async () => {
  const { db, keeper, head } = await setUp()
  for (let death = 1; death <= 12; death++) {
    await pass(db, 3_600)
    await another(db)
    const process = await live(db)
    expect(process.ids, `before death ${death}`).toEqual([head.id])
    expect((await die(db, keeper, process)).deadLettered).toBe(death === 12 ? 1 : 0)
  }
  expect(await letters(db)).toMatchObject([{ execution_id: head.id, attempts: 12 }])
})

test('a suspect waits for its trial until no process has died for a while, longer after each accusation', async () => {
  const { db, keeper, head } = await setUp()
  await db.pool.query(`update executions set crash_count = 3, failed_trials = 1, crashed_at = now() + interval '1 day'`)
  await another(db)
  await pass(db, 29)
  expect((await live(db)).ids).toEqual([])
  await pass(db, 2)
  const process = await live(db)
  expect(process.ids).toEqual([head.id])
  await die(db, keeper, process)
  expect(await executionIn(db, head.id)).toMatchObject({ failed_trials: 2 })
})

test('its job comes again when it may run, not before', async () => {
  const { db } = await setUp()
  await db.pool.query(`update executions set crash_count = 5, crashed_at = now()`)
  await another(db)
  expect((await live(db)).ids).toEqual([])
  const { rows } = await db.pool.query<{ seconds: number }>(
    `select extract(epoch from start_after - now())::float8 as seconds from pgboss.job where name = 'run' and state = 'created'`,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.seconds).toBeGreaterThan(10)
  expect(rows[0]?.seconds).toBeLessThanOrEqual(15)
})

test('a suspect that is to be cancelled need not wait', async () => {
  const { db, head } = await setUp()
  await db.pool.query(`update executions set crash_count = 9, crashed_at = now(), cancel_requested_at = now()`)
  await another(db)
  expect((await live(db)).ids).toEqual([head.id])
})

test('of two that ran on trial in one process neither is accused', async () => {
  const { db, keeper } = await setUp(2)
  await db.pool.query(`update executions set crash_count = 4, crashed_at = now() - interval '1 day'`)
  await die(db, keeper, await live(db, 2))
  const { rows } = await db.pool.query(`select crash_count, failed_trials from executions`)
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ crash_count: 5, failed_trials: 0 })))
})

test('one that gets on is cleared of all that was held against it', async () => {
  const { db, keeper, head } = await setUp()
  await db.pool.query(`update executions set crash_count = 11, failed_trials = 2, crashed_at = now() - interval '1 day'`)
  const process = await live(db)
  await process.journal.write(writeOf(head, { entries: [entryOf(0)] }))
  await die(db, keeper, process)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', crash_count: 1, failed_trials: 0 })
})

test('of many that were beside it each time, only the one that kills processes is given up', async () => {
  const { db, keeper, heads } = await setUp(6)
  const killer = heads[3]?.id
  let given = 0
  for (let life = 0; life < 100 && given === 0; life++) {
    await pass(db, 70)
    const process = await live(db)
    if (killer !== undefined && process.ids.includes(killer)) given = (await die(db, keeper, process)).deadLettered
    else await endAll(process, heads)
  }
  expect(await letters(db)).toMatchObject([{ execution_id: killer }])
  const { rows: faulted } = await db.pool.query(`select id from executions where state = 'faulted'`)
  expect(faulted).toEqual([{ id: killer }])
})

async function endAll({ journal, ids }: Awaited<ReturnType<typeof live>>, heads: readonly ExecutionHead[]): Promise<void> {
  for (const head of heads) if (ids.includes(head.id)) await journal.write(writeOf(head, { progress: completed(null) }))
}
