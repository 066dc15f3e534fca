import { parse } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import type { Definition } from '@millrace/dsl'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import { eventOf } from '#testing/bus.ts'
import type { EngineDatabase } from '#testing/database.ts'
import { accountId, createTestEngine, type EngineSettings, type TestEngine } from '#testing/engines.ts'
import { executionIn, testDatabase } from '#testing/postgres-parts.ts'

const ask = { name: 'ask', version: '1.0.0', summary: 'Asks.', performs: 'waiting', input: {}, output: {} } as const

function flow(tasks: string) {
  const yaml = `document: { dsl: '1.0.3', namespace: test, name: flow, version: '1.0.0' }\ndo: ${tasks}`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the test.
  return compileWorkflow(parse(yaml) as Definition, { functions: [ask] })
}

async function process(database: EngineDatabase, settings: EngineSettings): Promise<TestEngine> {
  const one = await createTestEngine(database, settings)
  onTestFinished(() => one.engine.close(Date.now() + 1_000))
  return one
}

async function until(database: EngineDatabase, id: string, state: string): Promise<void> {
  await expect.poll(async () => (await executionIn(database, id))?.['state'], { interval: 1 }).toBe(state)
}

/** Until it has opened its wait. */
async function waits({ pool }: EngineDatabase, id: string, table: 'waits' | 'listeners', count = 1): Promise<void> {
  const open = async () => (await pool.query(`select from ${table} where execution_id = $1`, [id])).rowCount ?? 0
  await expect.poll(open, { interval: 1 }).toBeGreaterThanOrEqual(count)
}

const listens = (type: string, more = '') => `{ l: { ${more}listen: { to: { one: { with: { type: ${type} } } } } } }`

test('an event that one workflow emits reaches another one in any process', async () => {
  const database = await testDatabase()
  const workflows = {
    says: flow(`[{ e: { emit: { event: { with: { source: /s, type: said, data: { n: '\${ .n }' } } } } } }]`),
    hears: flow(`[${listens('said')}]`),
  }
  const [one, other] = [await process(database, { workflows }), await process(database, { workflows })]
  const hearing = await one.start('hears')
  await waits(database, hearing.id, 'listeners')
  const saying = await other.start('says', { n: 7 })
  expect((await other.outcome(saying.id))?.state).toBe('completed')
  expect(await one.outcome(hearing.id)).toMatchObject({ state: 'completed', output: [{ n: 7 }] })
})

test('a parked execution continues in another process as soon as this process receives its event', async () => {
  const database = await testDatabase()
  const workflows = { hears: flow(`[${listens('said')}]`) }
  // A look at the queue that nothing causes would be later than the end of the test.
  const runs = await process(database, { workflows, idleMs: 3_600_000 })
  const accepts = await process(database, { workflows, liveMax: 0 })
  for (let round = 0; round < 3; round++) {
    const { id } = await runs.start('hears')
    await until(database, id, 'waiting')
    await accepts.engine.publish(accountId, [eventOf('said')])
    expect((await runs.outcome(id))?.state).toBe('completed')
  }
})

test('an event of a wait that a timeout ends is released to the next listener', async () => {
  const database = await testDatabase()
  const workflows = {
    short: flow(
      `[{ t: { try: [{ slow: { timeout: { after: PT3S }, do: [{ both: { listen: { to: { all: [{ with: { type: said } }, { with: { type: never } }] } } } }] } }], catch: { do: [{ gaveUp: { set: { gaveUp: true } } }] } } }, ${listens('said')}]`,
    ),
  }
  const { engine, start, outcome } = await process(database, { workflows })
  const { id } = await start('short')
  await waits(database, id, 'listeners', 2)
  await engine.publish(accountId, [eventOf('said', { data: 1 }), eventOf('said', { data: 2 })])
  // The wait that timed out consumed the first event; the second one was kept for the next wait.
  expect(await outcome(id)).toMatchObject({ state: 'completed', output: [2] })
})

test('a branch that loses a race releases the events that it did not consume', async () => {
  const database = await testDatabase()
  const workflows = {
    race: flow(`[{ f: { fork: { compete: true, branches: [${listens('first')}, ${listens('second')}] } } }]`),
    after: flow(`[${listens('second')}]`),
  }
  const { engine, start, outcome } = await process(database, { workflows })
  const race = await start('race')
  await waits(database, race.id, 'listeners', 2)
  const [first, second] = [eventOf('first', { data: 'first' }), eventOf('second', { data: 'second' })]
  await engine.publish(accountId, [first, second])
  const won = await outcome(race.id)
  expect(won?.state).toBe('completed')
  // Both arrived at the same time; the one that the race did not consume is left for the next listener.
  const { rows } = await database.pool.query<{ type: string }>(`select type from events where not taken`)
  expect(rows).toEqual([{ type: JSON.stringify(won?.output).includes('first') ? 'second' : 'first' }])
})

test('a cancelled execution releases the events that it received while it was suspended', async () => {
  const database = await testDatabase()
  const workflows = { hears: flow(`[${listens('said')}]`) }
  const { engine, start, outcome } = await process(database, { workflows })
  const { id } = await start('hears')
  await until(database, id, 'waiting')
  await engine.suspend(accountId, id)
  await engine.publish(accountId, [eventOf('said', { data: 5 })])
  await waitsForNothing(database)
  await engine.cancel(accountId, id)
  expect((await outcome(id))?.state).toBe('cancelled')
  const next = await start('hears')
  expect(await outcome(next.id)).toMatchObject({ output: [5] })
})

/** Resolves when all events have been matched. */
async function waitsForNothing({ pool }: EngineDatabase): Promise<void> {
  const left = async () => (await pool.query(`select from events where matched_at is null`)).rowCount
  await expect.poll(left, { interval: 1 }).toBe(0)
}

test.each(['running', 'waiting'])('exactly one of many concurrent messages to a wait of a %s execution is delivered', async (state) => {
  const database = await testDatabase()
  const workflows = { asks: flow(`[{ a: { call: ask, with: { question: 1 } } }, { b: { set: '\${ . }' } }]`) }
  const [one, other] = [await process(database, { workflows }), await process(database, { workflows })]
  const { id } = await one.start('asks')
  await waits(database, id, 'waits')
  await until(database, id, state)
  const delivery = { accountId, executionId: id, position: '/do/0/a', topic: 'ask' }
  expect(await one.engine.sendMessage({ ...delivery, topic: 'approve', value: null })).toBe(false)
  expect(await one.engine.sendMessage({ ...delivery, accountId: id, value: null })).toBe(false)
  const delivered = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      (index % 2 === 0 ? one : other).engine.sendMessage({ ...delivery, value: { from: index } }),
    ),
  )
  const counted = delivered.flatMap((did, index) => (did ? [index] : []))
  expect(counted).toHaveLength(1)
  expect(await one.outcome(id)).toMatchObject({ state: 'completed', output: { from: counted[0] } })
  const { rows } = await database.pool.query(
    `select (select count(*)::int from waits) as waits, (select count(*)::int from messages) as messages`,
  )
  expect(rows).toEqual([{ waits: 0, messages: 0 }])
})

test('an execution that cannot be replayed leaves no listener behind', async () => {
  const database = await testDatabase()
  const before = { flow: flow(`[{ s: { set: 1 } }, ${listens('said')}]`) }
  const one = await createTestEngine(database, { workflows: before })
  const { id } = await one.start('flow')
  await until(database, id, 'waiting')
  await one.engine.close(Date.now() + 1_000)
  await database.pool.query(
    `insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
     values ($1, 1, $2, '/nowhere', 'ended', 'http', true, '1', '', now(), now())`,
    [id, accountId],
  )
  const other = await process(database, { workflows: before })
  await other.engine.publish(accountId, [eventOf('said', { data: 3 })])
  expect(await other.outcome(id)).toMatchObject({ state: 'faulted', error: { title: 'Diverged' } })
  const next = await other.start('flow')
  expect(await other.outcome(next.id)).toMatchObject({ output: [3] })
})
