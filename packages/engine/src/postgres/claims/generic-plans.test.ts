import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type EngineDatabase, enginePool } from '#testing/database.ts'
import { acceptOf, executionIn, headOf, openParts, testDatabase, writeOf } from '#testing/postgres-parts.ts'
import { signalExecutions } from './signal-executions.ts'

// PostgreSQL rechecks a row that another transaction changed while a statement waited for it (EvalPlanQual). PostgreSQL 18 then loses the row if a
// generic plan prunes partitions in two places.

/** Parts whose statements run by generic plans, like those of a process that has run for a while. */
async function openLongRunning(db: EngineDatabase) {
  const url = new URL(db.url)
  url.searchParams.set('options', '-c plan_cache_mode=force_generic_plan')
  // Large enough for the planner to choose an index scan.
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

/** Runs `act` while another transaction, not yet committed, has changed the execution; it commits once `act` waits for its lock. */
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

test('an execution that is parked while a signal waits for its row is woken', async () => {
  const db = await testDatabase()
  const { pool, journal, identity } = await openLongRunning(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  const jobs = await whileChanged(db, head.id, `state = 'waiting', claimed_by = null`, () =>
    signalExecutions(pool, { wake: [head.id], cancel: [], signalledBy: identity.id() }),
  )
  expect(jobs).toEqual([{ executionId: head.id, accountId: head.accountId, notBeforeMs: undefined }])
  expect((await executionIn(db, head.id))?.['signalled_at']).toBeInstanceOf(Date)
})

test('an execution that is signalled while a claim waits for its row is claimed', async () => {
  const db = await testDatabase()
  const { journal, store, identity } = await openLongRunning(db)
  const head = headOf()
  await journal.write(acceptOf(head, false))
  const claimed = await whileChanged(db, head.id, `signalled_at = now()`, () => store.claim(5))
  expect(claimed).toHaveLength(1)
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'running', claimed_by: identity.id() })
})

test('an execution that is signalled while a flush that parks it waits for its row stays pending', async () => {
  const db = await testDatabase()
  const { journal } = await openLongRunning(db)
  const head = headOf()
  await journal.write(acceptOf(head, true))
  await whileChanged(db, head.id, `signalled_at = now()`, () =>
    journal.write(writeOf(head, { progress: { state: 'waiting', wakeAtMs: undefined } })),
  )
  expect(await executionIn(db, head.id)).toMatchObject({ state: 'pending', claimed_by: null })
})
