import { describe, expect, test } from 'vitest'
import { errorFromMessage } from '#core/error-message.ts'
import type { EngineDatabase } from '#testing/database.ts'
import { type AskedFilter, eventOf, openTestBus, type TestBus, type Waiting } from '#testing/bus.ts'
import { jobsIn, testDatabase } from '#testing/postgres-parts.ts'

const paid: AskedFilter = { with: { type: 'paid' } }
/** A filter that is asked for every listener and takes nearly all that it may. */
const expensive = (want: string): AskedFilter => ({
  with: { type: 'paid', data: '${ .order as $order | reduce range(12000) as $i (0; . + 1) | $order == $want }' },
  scope: { want },
})
const endless: AskedFilter = { with: { type: 'paid', data: '${ last(repeat(1)) }' } }
const paidFor = (order: string) => eventOf('paid', { data: { order } })

/** An account that listens with many filters that take much, and has many events. */
async function attackerIn(database: EngineDatabase, { listeners, events }: { readonly listeners: number; readonly events: number }) {
  const bus = await openTestBus(database)
  const waits = await Promise.all(Array.from({ length: listeners }, (_, index) => bus.listen('one', [expensive(`none-${index}`)])))
  await bus.match()
  await bus.publish(...Array.from({ length: events }, (_, index) => paidFor(`${index}`)))
  return { bus, waits }
}

async function unmatchedOf(database: EngineDatabase, { head }: Waiting): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from events where account_id = $1 and matched_at is null`,
    [head.accountId],
  )
  return rows[0]?.count ?? 0
}

describe('expensive filters of one account', () => {
  test('expensive filters of one account delay the events of another account by at most one slice', async () => {
    const database = await testDatabase()
    const { bus: attacker, waits } = await attackerIn(database, { listeners: 100, events: 30 })
    const victim = await openTestBus(database)
    const waiting = await victim.listen('one', [paid])
    await victim.publish(eventOf('paid'))
    // One slice serves all other accounts, whatever remains of the first one.
    await attacker.matchOnce()
    expect(await victim.received(waiting)).toHaveLength(1)
    const [first] = waits
    expect(first && (await unmatchedOf(database, first))).toBeGreaterThan(20)
  })

  test('expensive filters are all evaluated in the end, slice by slice, even if each slice runs in another process', async () => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    const waits = await Promise.all(Array.from({ length: 12 }, (_, index) => bus.listen('one', [expensive(`order-${index % 2}`)])))
    await bus.match()
    await bus.publish(paidFor('order-0'), paidFor('order-1'))
    const { accountId } = waits[0]?.head ?? { accountId: '' }
    let looks = 0
    for (; looks < 200; looks++) if (!(await (await openTestBus(database, accountId, { accountSteps: 20_000 })).matchOnce())) break
    expect(looks).toBeGreaterThan(3)
    expect(looks).toBeLessThan(40)
    expect((await Promise.all(waits.map((one) => bus.received(one)))).flat()).toHaveLength(12)
  })

  test('expensive filters are evaluated on kept events slice by slice, even if each slice runs in another process', async () => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    await bus.publish(...Array.from({ length: 40 }, (_, index) => paidFor(`${index}`)))
    await bus.match()
    const waits = await Promise.all([bus.listen('one', [expensive('38')]), bus.listen('one', [expensive('39')])])
    const { accountId } = waits[0]?.head ?? { accountId: '' }
    let looks = 0
    for (; looks < 200; looks++) if (!(await (await openTestBus(database, accountId, { accountSteps: 20_000 })).matchOnce())) break
    expect(looks).toBeGreaterThan(5)
    expect(await Promise.all(waits.map((one) => bus.received(one)))).toEqual([[[0, expect.any(String)]], [[0, expect.any(String)]]])
  })
})

test('one event with thousands of listeners reaches each of them once, over several slices', async () => {
  const database = await testDatabase()
  const bus = await openTestBus(database)
  const listen = (count: number) =>
    Promise.all(Array.from({ length: count }, () => bus.listen('many', [paid, { with: { source: '/test' } }])))
  const waits = [...(await listen(600)), ...(await listen(600))]
  await bus.match()
  await bus.publish(eventOf('paid'), eventOf('paid'))
  await bus.matchOnce()
  expect((await bus.received(waits.at(-1) ?? raise())).length).toBe(0)
  await bus.match()
  const { rows } = await database.pool.query(
    `select count(*)::int as waits, min(count)::int as least, max(count)::int as most from (select count(*) from messages group by execution_id) m`,
  )
  expect(rows).toEqual([{ waits: 1_200, least: 2, most: 2 }])
})

function raise(): never {
  throw new Error('no session waits for a lock')
}

describe('a filter that exceeds its steps for one event', () => {
  test('a filter that exceeds its steps ends its wait with an error, and the event reaches other listeners', async () => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    const waits = [
      await bus.listen('one', [endless, paid], { parked: true }),
      await bus.listen('many', [{ with: { type: 'other' } }, endless]),
    ]
    const well = await bus.listen('one', [paid])
    await bus.match()
    const event = paidFor('a')
    await bus.publish(event)
    const reached = await bus.match()
    expect(new Set(reached)).toEqual(new Set([...waits, well].map(({ head }) => head.id)))
    for (const wait of waits) {
      expect(await bus.received(wait)).toEqual([])
      expect(await bus.errors(wait)).toMatchObject([
        {
          status: 400,
          type: expect.stringMatching(/\/expression$/),
          detail: expect.stringContaining(`failed on event ${JSON.stringify(event.id)} from "/test": it took more than 50000 steps`),
        },
      ])
    }
    expect(await bus.received(well)).toEqual([[0, event.id]])
    expect((await database.pool.query(`select from listeners`)).rowCount).toBe(0)
    expect(await jobsIn(database)).toMatchObject([{ executionId: waits[0]?.head.id }])
  })

  test.each<[what: string, filter: AskedFilter]>([
    ['that is constant', endless],
    ['that reads its execution', { ...endless, with: { type: 'paid', data: '${ $want | last(repeat(1)) }' }, scope: { want: 'a' } }],
    ['with an expected correlation value', { with: { type: 'paid' }, from: { n: 'last(repeat(1))' }, expected: { n: 1 } }],
    ['with an open correlation', { with: { type: 'paid' }, from: { n: 'last(repeat(1))' } }],
    ['that cannot be compiled', { with: { type: 'paid', data: '${ .a | }' } }],
  ])('a filter %s ends its wait when it fails on a kept event', async (_what, filter) => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    await bus.publish(paidFor('a'))
    await bus.match()
    const wait = await bus.listen('one', [filter])
    await bus.match()
    expect(await bus.errors(wait)).toHaveLength(1)
    const well = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(well)).toHaveLength(1)
  })

  test('a wait receives its earlier events before the failure of its filter', async () => {
    const database = await testDatabase()
    const bus = await openTestBus(database)
    const wait = await bus.listen('many', [{ with: { type: 'paid', data: '${ if .order == "bad" then last(repeat(1)) else true end }' } }])
    await bus.match()
    const [good, bad, late] = [paidFor('good'), paidFor('bad'), paidFor('late')]
    for (const event of [good, bad, late]) await bus.publish(event)
    await bus.match()
    expect(await bus.received(wait)).toEqual([[0, good.id]])
    const { rows } = await database.pool.query<{ value: string }>(`select value from messages where execution_id = $1 order by id`, [
      wait.head.id,
    ])
    expect(rows.map(({ value }) => errorFromMessage(JSON.parse(value)) === undefined)).toEqual([true, false])
  })
})

/** Runs one fixed scenario with a budget. @returns for every wait the numbers of the events that it received. */
async function receivedWithBudget(accountSteps: number | undefined) {
  const database = await testDatabase()
  const bus: TestBus = await openTestBus(database, undefined, accountSteps === undefined ? {} : { accountSteps })
  const events = Array.from({ length: 30 }, (_, index) =>
    eventOf(index % 5 === 0 ? 'shipped' : 'paid', { data: { order: `${index % 4}` } }),
  )
  const shipped: AskedFilter = { with: { type: 'shipped' } }
  const order = (n: string): AskedFilter => ({ ...paid, from: { order: '.data.order' }, expected: { order: n } })
  const asked: readonly (readonly ['one' | 'each' | 'many', readonly AskedFilter[]])[] = [
    ['many', [order('0'), shipped]],
    ['one', [order('1')]],
    ['one', [order('1')]],
    ['each', [order('2'), shipped]],
    ['many', [{ ...paid, from: { order: '.data.order' } }]],
    ['many', [{ with: { type: 'paid', data: '${ .order == $want }' }, scope: { want: '3' } }]],
    ['one', [shipped, { with: { type: 'paid', data: '${ .order == $want }' }, scope: { want: '2' } }]],
    ['many', [shipped, { with: { source: '/test' }, role: 'until' }]],
  ]
  const waits: Waiting[] = []
  for (const half of [0, 1]) {
    await bus.publish(...events.slice(half * 15, half * 15 + 15))
    await bus.match()
    for (const [takes, filters] of asked) waits.push(await bus.listen(takes, filters))
    await bus.match()
  }
  const numbers = new Map(events.map(({ id }, index) => [id, index]))
  const got = await Promise.all(waits.map((one) => bus.received(one)))
  return got.map((all) => all.map(([index, id]) => [index, numbers.get(id)]))
}

test('the assignment of events to waits does not depend on the budget', async () => {
  const [much, little] = [await receivedWithBudget(undefined), await receivedWithBudget(1)]
  expect(much.flat().length).toBeGreaterThan(20)
  expect(little).toEqual(much)
})
