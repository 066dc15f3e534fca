import type { PoolClient } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AskedFilter, eventOf, openTestBus, type TestBus, type Waiting } from '#testing/bus.ts'
import type { EngineDatabase } from '#testing/database.ts'
import { testDatabase } from '#testing/postgres-parts.ts'

const paid: AskedFilter = { with: { type: 'paid' } }

/** A connection with an open transaction, like that of a process that stopped in the middle of it. */
async function transaction({ pool }: EngineDatabase): Promise<PoolClient> {
  const client = await pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('begin')
  return client
}

/** Resolves when `count` sessions wait for a lock. */
async function sessionWaits({ pool }: EngineDatabase, count = 1): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((rows[0]?.count ?? 0) >= count) return
  }
  throw new Error('no session waits for a lock')
}

const received = async (bus: TestBus, all: readonly Waiting[]) =>
  (await Promise.all(all.map((one) => bus.received(one)))).flat().map(([, id]) => id)

describe('two processes', () => {
  test('two processes that publish, listen and match at the same time lose no event and assign none twice', async () => {
    const database = await testDatabase()
    const account = '01900000-0000-7000-8000-0000000000aa'
    const buses = [await openTestBus(database, account), await openTestBus(database, account)]
    const events = Array.from({ length: 120 }, () => eventOf('paid'))
    const waits: Waiting[] = []
    await Promise.all(
      buses.flatMap((bus, process) => [
        (async () => {
          for (const event of events.filter((_, index) => index % 2 === process)) await bus.publish(event)
        })(),
        (async () => {
          for (let count = 0; count < 60; count++) waits.push(await bus.listen('one', [paid], { parked: count % 2 === 0 }))
        })(),
        (async () => {
          for (let count = 0; count < 60; count++) await bus.match()
        })(),
      ]),
    )
    for (const bus of buses) await bus.match()
    const [bus] = buses
    const got = bus === undefined ? [] : await received(bus, waits)
    // Two simultaneous waits both received an event, and the others received kept ones. No wait was left out, and no kept event has a waiting listener.
    expect(got).toHaveLength(waits.length)
    const { rows } = await database.pool.query<{ id: string; takers: number; taken: boolean; matched: boolean }>(
      `select event_id as id, takers, taken, matched_at is not null as matched from events`,
    )
    for (const row of rows) expect(row).toMatchObject({ matched: true, takers: got.filter((id) => id === row.id).length })
    const left = await database.pool.query(`select from listeners`)
    expect(left.rowCount).toBe(0)
  })

  test('two processes assign one of many concurrent events to a wait for one', async () => {
    const database = await testDatabase()
    const account = '01900000-0000-7000-8000-0000000000ab'
    const [one, other] = [await openTestBus(database, account), await openTestBus(database, account)]
    for (let round = 0; round < 15; round++) {
      const wait = await one.listen('one', [paid, { with: { type: 'shipped' } }])
      await Promise.all([one.publish(eventOf('paid')), other.publish(eventOf('shipped')), one.match(), other.match()])
      await Promise.all([one.match(), other.match()])
      expect(await one.received(wait)).toHaveLength(1)
    }
  })

  test('an event that its process published and did not match is matched by another process', async () => {
    const database = await testDatabase()
    const account = '01900000-0000-7000-8000-0000000000ac'
    const [dead, other] = [await openTestBus(database, account), await openTestBus(database, account)]
    const wait = await dead.listen('one', [paid])
    const event = eventOf('paid')
    await dead.publish(event)
    // The process that published it never matches.
    expect(await other.match()).toEqual([wait.head.id])
    expect(await other.received(wait)).toEqual([[0, event.id]])
  })

  test('a process that dies in the middle of a pass changes nothing, and the next pass matches', async () => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    const wait = await bus.listen('one', [paid])
    await bus.publish(eventOf('paid'))
    const blocker = await transaction(database)
    await blocker.query(`select from executions where id = $1 for update`, [wait.head.id])
    const dying = bus.match().catch((error: unknown) => String(error))
    await sessionWaits(database)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(await dying).toMatch(/terminating connection/)
    await blocker.query('rollback')
    expect(await bus.received(wait)).toEqual([])
    expect(await bus.match()).toEqual([wait.head.id])
    expect(await bus.received(wait)).toHaveLength(1)
  })
})

describe('a wait that ends while it is matched', () => {
  test('a wait that ends after its match releases the event', async () => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    const wait = await bus.listen('one', [paid])
    const event = eventOf('paid')
    await bus.publish(event)
    // The pass has written its message and stops before its commit.
    const blocker = await transaction(database)
    await blocker.query(`select from executions where id = $1 for update`, [wait.head.id])
    const matching = bus.match()
    await sessionWaits(database)
    const ending = bus.end(wait)
    await sessionWaits(database, 2)
    await blocker.query('rollback')
    await Promise.all([matching, ending])
    expect(await bus.received(wait)).toEqual([])
    const next = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(next)).toEqual([[0, event.id]])
  })

  test.each(['one', 'each', 'many'] as const)('a wait that ends before its match receives no event (%s)', async (takes) => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    const [wait, other] = [await bus.listen(takes, [paid]), await bus.listen('one', [paid])]
    const event = eventOf('paid')
    await bus.publish(event)
    const blocker = await transaction(database)
    await blocker.query(`delete from listeners where execution_id = $1`, [wait.head.id])
    const matching = bus.match()
    await sessionWaits(database)
    await blocker.query('commit')
    expect(await matching).toEqual([other.head.id])
    expect([await bus.received(wait), await bus.received(other)]).toEqual([[], [[0, event.id]]])
  })

  test('many waits can end while many events are matched without a visible deadlock', async () => {
    const database = await testDatabase()
    const account = '01900000-0000-7000-8000-0000000000ad'
    const buses = [await openTestBus(database, account), await openTestBus(database, account)]
    const [bus] = buses
    if (bus === undefined) return
    const waits: Waiting[] = []
    for (let count = 0; count < 60; count++) waits.push(await bus.listen('many', [paid]))
    await Promise.all([
      ...waits.map((wait, index) => (index % 2 === 0 ? bus.end(wait) : Promise.resolve())),
      ...buses.map(async (each) => {
        for (let count = 0; count < 8; count++) {
          await each.publish(eventOf('paid'), eventOf('paid'))
          await each.match()
        }
      }),
    ])
    await bus.match()
    const lasting = waits.filter((_, index) => index % 2 === 1)
    for (const wait of lasting) {
      const ids = (await bus.received(wait)).map(([, id]) => id)
      expect([ids.length, new Set(ids).size]).toEqual([32, 32])
    }
    const { rows } = await database.pool.query(`select count(*)::int as stale from messages m where not exists
      (select from listeners l where l.execution_id = m.execution_id)`)
    expect(rows).toEqual([{ stale: 0 }])
  })
})

test('a process that is idle while it has the matcher lock loses its session, and another process matches', async () => {
  const database = await testDatabase()
  const bus = await openTestBus(database)
  const wait = await bus.listen('one', [paid])
  await bus.publish(eventOf('paid'))
  const still = await database.pool.connect()
  onTestFinished(() => still.release(true))
  const cut = new Promise((resolve) => still.on('error', resolve))
  await still.query(`select set_config('idle_session_timeout', '300', false), pg_advisory_lock(hashtext('millrace.matcher'))`)
  expect(await bus.match()).toEqual([wait.head.id])
  expect(String(await cut)).toMatch(/idle-session timeout/)
})

test('the matcher lock leaves its connection unchanged and unlocked', async () => {
  const database = await testDatabase()
  const bus = await openTestBus(database)
  const lock = () =>
    database.pool.query(
      `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    )
  await bus.listen('one', [paid])
  await bus.publish(eventOf('paid'))
  await bus.match()
  expect((await lock()).rowCount).toBe(0)
  await database.pool.query(`alter table events rename to elsewhere`)
  await expect(bus.match()).rejects.toThrow('events')
  expect((await lock()).rowCount).toBe(0)
  const { rows } = await database.pool.query(`select current_setting('idle_session_timeout') as idle`)
  expect(rows).toEqual([{ idle: '0' }])
})
