import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type EngineDatabase, enginePool } from '#testing/database.ts'
import { acceptOf, executionIn, headOf, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { signalExecutions } from './signal-executions.ts'

// A row that somebody else changes while a statement waits for it is looked at again (EvalPlanQual), and PostgreSQL 18 then loses it when the plan,
// made once for all values, leaves out partitions in two places.

/** Parts whose statements run by plans that are made once for all values, as those of a process that has run for a while. */
async function openLongRunning(db: EngineDatabase) {
  const url = new URL(db.url)
  url.searchParams.set('options', '-c plan_cache_mode=force_generic_plan')
  // As large as it takes for rows to be looked up one by one.
  await db.pool.query(
    `insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'completed', 'manual', 'user:test', '{}', now()
     from generate_series(1, 3000)`,
  )
  await db.pool.query('analyze executions')
  const pool = enginePool(url.toString())
  onTestFinished(() => pool.end())
  return { pool, ...(await openParts(db, { pool })) }
}

/** Runs `act` while another transaction has changed the execution; that one commits once `act` waits for it. */
async function whileChanged<T>(db: EngineDatabase, id: string, change: string, act: () => Promise<T>): Promise<T> {
  const client = await db.pool.connect()
  try {
    await client.query('begin')
    await client.query(`update executions set ${change} where id = $1`, [id])
    const acting = act()
    for (let waits = 0; waits === 0; await pause(5)) {
      const { rows } = await db.pool.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      waits = rows[0]?.count ?? 0
    }
    await client.query('commit')
    return await acting
  } finally {
    client.release()
  }
}

test('an execution that goes to sleep at the very moment that something comes to it is woken', async () => {
  const db = await testDatabase()
  const { pool, journal, identity } = await openLongRunning(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  const told = await whileChanged(db, head.id, `state = 'waiting', claimed_by = null`, () =>
    signalExecutions(pool, { wake: [head.id], cancel: [], signalledBy: identity.id() }),
  )
  expect(told).toEqual([{ executionId: head.id, accountId: head.accountId, afterMs: undefined }])
  expect((await executionIn(db, head.id))?.['signalled_at']).toBeInstanceOf(Date)
})

test('an execution that something comes to at the very moment that it is taken is taken', async () => {
  const db = await testDatabase()
  const { journal, store, identity } = await openLongRunning(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  const taken = await whileChanged(db, head.id, `signalled_at = now()`, () => store.claim(5))
  expect(taken).toHaveLength(1)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', claimed_by: identity.id() })
})

test('an execution that something comes to at the very moment that it goes to sleep stays awake', async () => {
  const db = await testDatabase()
  const { journal } = await openLongRunning(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await whileChanged(db, head.id, `signalled_at = now()`, () =>
    journal.write(writeOf(head, { progress: { state: 'waiting', wakeAtMs: undefined } })),
  )
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null })
})
