import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { addExecution, addWorkflow, day, idAt } from '#testing/executions.ts'
import { createRetention } from './retention.ts'
import { readPartitions } from './retention-partitions.ts'

type Executor = Kysely<Rows>

/** A database whose retention is 30 days, at a time that the test sets. */
async function scene(retentionMs: number | undefined = 30 * day) {
  const db = await createTestDatabase()
  const { system } = db.database
  const clock = { nowMs: Date.now() }
  const retention = createRetention({ db: system, now: () => clock.nowMs, retentionMs })
  await retention.prepare()
  return {
    system,
    database: db.database,
    retention,
    clock,
    /** Lets days go by as upkeep sees them. */
    async pass(days: number) {
      for (let count = 0; count < days; count++) {
        clock.nowMs += day
        await retention.pass()
      }
    },
    [Symbol.asyncDispose]: () => db.drop(),
  }
}

async function idsIn(db: Executor, table = 'executions'): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)} order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function names(db: Executor): Promise<readonly string[]> {
  return (await readPartitions(db)).dated.map(({ name }) => name)
}

describe('partitions', () => {
  test('are there for the days to come, and nothing lies where it has none', async () => {
    await using at = await scene()
    const { dated } = await readPartitions(at.system)
    expect(dated.length).toBeGreaterThanOrEqual(2)
    expect((dated.at(-1)?.to ?? '') > idAt(at.clock.nowMs + 7 * day)).toBe(true)
    for (let days = 0; days <= 7; days++) await addExecution(at.system, { atMs: at.clock.nowMs + days * day })
    expect(await idsIn(at.system, 'executions_default')).toEqual([])
  })

  test('that are there are not made again, by whichever process', async () => {
    await using at = await scene()
    const before = await names(at.system)
    const other = createRetention({ db: at.system, now: () => at.clock.nowMs, retentionMs: 30 * day })
    await Promise.all([at.retention.prepare(), other.prepare(), other.prepare()])
    expect(await names(at.system)).toEqual(before)
    at.clock.nowMs += 8 * day
    await Promise.all([at.retention.prepare(), other.prepare()])
    expect(await names(at.system)).toHaveLength(before.length + 1)
  })

  test('that come late take what has come meanwhile', async () => {
    await using at = await scene()
    at.clock.nowMs += 100 * day
    const ids = [
      await addExecution(at.system, { atMs: at.clock.nowMs - day, entries: 2 }),
      await addExecution(at.system, { atMs: at.clock.nowMs }),
    ]
    expect(await idsIn(at.system, 'executions_default')).toEqual(ids)
    await at.retention.prepare()
    expect(await idsIn(at.system, 'executions_default')).toEqual([])
    expect(await idsIn(at.system)).toEqual(ids)
    const { rows } = await sql`select from journal where execution_id = ${ids[0]}`.execute(at.system)
    expect(rows).toHaveLength(2)
  })

  test('are few however long is kept', async () => {
    for (const days of [1, 7, 30, 365]) {
      await using at = await scene(days * day)
      await at.pass(0)
      for (let step = 0; step < 20; step++) {
        at.clock.nowMs += (days * day) / 10
        await at.retention.pass()
      }
      expect((await names(at.system)).length, `${days} days`).toBeLessThanOrEqual(9)
    }
  })
})

describe('what is past', () => {
  test('goes with its partition, journals and keys included, and what is younger stays', async () => {
    await using at = await scene()
    const [first = ''] = await names(at.system)
    const old = await addExecution(at.system, { atMs: at.clock.nowMs, entries: 3, key: 'k', retryOf: idAt(0) })
    await at.pass(20)
    const young = await addExecution(at.system, { atMs: at.clock.nowMs, entries: 1 })
    expect(await idsIn(at.system)).toEqual([old, young])
    await at.pass(18)
    expect(await idsIn(at.system)).toEqual([young])
    expect(await names(at.system)).not.toContain(first)
    const { rows } =
      await sql`select (select count(*)::int from journal) as entries, (select count(*)::int from execution_keys) as keys`.execute(
        at.system,
      )
    expect(rows).toEqual([{ entries: 1, keys: 0 }])
  })

  test('gives its disk back', async () => {
    await using at = await scene()
    const value = 'x'.repeat(1000)
    for (let count = 0; count < 400; count++) await addExecution(at.system, { atMs: at.clock.nowMs, entries: 5, value })
    const size = async () => {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
        where inhparent in ('executions'::regclass, 'journal'::regclass)`.execute(at.system)
      return rows[0]?.bytes ?? 0
    }
    const before = await size()
    await at.pass(38)
    expect(await size()).toBeLessThan(before - 1_000_000)
  })

  test.each(['pending', 'running', 'waiting', 'suspended'])('outlives its partition while it is %s, and can go on', async (state) => {
    await using at = await scene()
    const id = await addExecution(at.system, { atMs: at.clock.nowMs, state, entries: 2 })
    await addExecution(at.system, { atMs: at.clock.nowMs })
    await at.pass(60)
    expect(await idsIn(at.system, 'executions_kept')).toEqual([id])
    expect(await idsIn(at.system)).toEqual([id])
    const { rows } = await sql`select seq from journal where execution_id = ${id} order by seq`.execute(at.system)
    expect(rows).toHaveLength(2)
    // As the engine ends it.
    await sql`update executions set state = 'completed', ended_at = ${new Date(at.clock.nowMs)} where id = ${id}`.execute(at.system)
    await at.pass(29)
    expect(await idsIn(at.system)).toEqual([id])
    await at.pass(2)
    expect(await idsIn(at.system)).toEqual([])
    expect((await sql`select from journal`.execute(at.system)).rows).toEqual([])
  })

  test('stays as long as its parent has not ended, or a dead letter goes back to it', async () => {
    await using at = await scene()
    const parent = await addExecution(at.system, { atMs: at.clock.nowMs, state: 'suspended' })
    const child = await addExecution(at.system, { atMs: at.clock.nowMs, parentId: parent })
    const givenUp = await addExecution(at.system, { atMs: at.clock.nowMs, state: 'faulted' })
    await sql`insert into dead_letters (id, account_id, execution_id, reason, attempts, payload, created_at)
      values (gen_random_uuid(), gen_random_uuid(), ${givenUp}, 'x', 3, '{}', now())`.execute(at.system)
    await at.pass(45)
    expect(await idsIn(at.system)).toEqual([parent, child, givenUp].toSorted())
    await sql`update dead_letters set replayed_at = now()`.execute(at.system)
    await sql`update executions set state = 'cancelled', ended_at = ${new Date(at.clock.nowMs - 40 * day)} where id = ${parent}`.execute(
      at.system,
    )
    await at.pass(1)
    expect(await idsIn(at.system)).toEqual([])
  })

  test('stays where nothing is ever to go', async () => {
    await using at = await scene()
    const forever = createRetention({ db: at.system, now: () => at.clock.nowMs, retentionMs: undefined })
    const id = await addExecution(at.system, { atMs: at.clock.nowMs })
    at.clock.nowMs += 5000 * day
    await forever.pass()
    expect(await idsIn(at.system)).toEqual([id])
  })
})

describe('a workflow or an account that keeps for another time', () => {
  test('keeps for less: its executions go one by one, and nobody else does', async () => {
    await using at = await scene()
    const [short, plain] = [await addWorkflow(at.system, { retention: 'P2D' }), await addWorkflow(at.system, {})]
    const gone = await addExecution(at.system, { atMs: at.clock.nowMs, workflow: short, entries: 2, key: 'k' })
    const other = await addExecution(at.system, { atMs: at.clock.nowMs, workflow: plain, entries: 1 })
    const runs = await addExecution(at.system, { atMs: at.clock.nowMs, workflow: short, state: 'running' })
    await at.pass(1)
    expect(await idsIn(at.system)).toContain(gone)
    await at.pass(2)
    expect(await idsIn(at.system)).toEqual([other, runs].toSorted())
    expect((await sql`select from journal`.execute(at.system)).rows).toHaveLength(1)
  })

  test('keeps for longer: what it has survives the partition of the others', async () => {
    await using at = await scene()
    const long = await addWorkflow(at.system, { retention: 'P90D' })
    const id = await addExecution(at.system, { atMs: at.clock.nowMs, workflow: long, entries: 2 })
    await addExecution(at.system, { atMs: at.clock.nowMs })
    await at.pass(80)
    expect(await idsIn(at.system)).toEqual([id])
    expect((await sql`select from journal`.execute(at.system)).rows).toHaveLength(2)
    await at.pass(11)
    expect(await idsIn(at.system)).toEqual([])
  })

  test('the workflow has the last word before its account, and that before the installation', async () => {
    await using at = await scene()
    const account = await addAccount(at.system, 5 * day)
    const [own, of] = [await addWorkflow(at.system, { account, retention: 'P50D' }), await addWorkflow(at.system, { account })]
    const kept = await addExecution(at.system, { atMs: at.clock.nowMs, workflow: own })
    await addExecution(at.system, { atMs: at.clock.nowMs, workflow: of })
    const installation = await addExecution(at.system, { atMs: at.clock.nowMs })
    await at.pass(6)
    expect(await idsIn(at.system)).toEqual([kept, installation].toSorted())
    await at.pass(40)
    expect(await idsIn(at.system)).toEqual([kept])
  })

  test('an account may keep for ever', async () => {
    await using at = await scene()
    const workflow = await addWorkflow(at.system, { account: await addAccount(at.system, undefined) })
    const id = await addExecution(at.system, { atMs: at.clock.nowMs, workflow })
    await at.pass(100)
    expect(await idsIn(at.system)).toEqual([id])
  })
})

async function addAccount(db: Executor, ms: number | undefined): Promise<string> {
  const id = idAt(Date.now())
  await sql`insert into accounts (id, name) values (${id}, 'A')`.execute(db)
  await sql`insert into account_retention (account_id, milliseconds) values (${id}, ${ms ?? null})`.execute(db)
  return id
}
