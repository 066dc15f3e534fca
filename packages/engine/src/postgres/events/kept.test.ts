import { describe, expect, test } from 'vitest'
import { type AskedFilter, eventOf, openTestBus, type TestBus } from '#testing/bus.ts'
import { testDatabase } from '#testing/postgres-parts.ts'

const order = (expected: string): AskedFilter => ({ with: { type: 'paid' }, from: { order: '.data.order' }, expected: { order: expected } })
const paidFor = (name: string) => eventOf('paid', { data: { order: name } })

async function open() {
  const database = await testDatabase()
  const bus = await openTestBus(database)
  return {
    database,
    bus,
    async indexed() {
      const { rows } = await database.pool.query<{ event_id: string }>(
        `select e.event_id from kept_events k left join events e on e.id = k.event_id order by e.id`,
      )
      return rows.map(({ event_id: id }) => id)
    },
  }
}

async function publishAll(bus: TestBus, ...events: readonly ReturnType<typeof paidFor>[]): Promise<void> {
  for (const event of events) await bus.publish(event)
  await bus.match()
}

describe('what is kept', () => {
  test('is written down for a filter from its first listener on, whether it came before or after', async () => {
    const { bus, indexed } = await open()
    const [before, other, after] = [paidFor('a'), eventOf('shipped'), paidFor('b')]
    await publishAll(bus, before, other)
    expect(await indexed()).toEqual([])
    await bus.listen('one', [order('none')])
    await bus.match()
    expect(await indexed()).toEqual([before.id])
    await publishAll(bus, after, eventOf('paid'))
    expect(await indexed()).toEqual([before.id, after.id])
  })

  test('and came while the first listener did is written down as well', async () => {
    const { bus, indexed } = await open()
    await bus.listen('one', [order('none')])
    const event = paidFor('a')
    await publishAll(bus, event)
    expect(await indexed()).toEqual([event.id])
  })

  test('a large number of kept events is indexed in portions, while other accounts are served', async () => {
    const database = await testDatabase()
    const [many, few] = [await openTestBus(database), await openTestBus(database)]
    await many.publish(...Array.from({ length: 4_500 }, (_, index) => paidFor(`${index}`)))
    await many.match()
    const [last, other] = [await many.listen('one', [order('4499')]), await few.listen('one', [order('a')])]
    await few.publish(paidFor('a'))
    await many.matchOnce()
    expect([(await many.received(last)).length, (await few.received(other)).length]).toEqual([0, 1])
    await many.match()
    expect(await many.received(last)).toHaveLength(1)
  })

  test('is found where it came while a filter was half written down, and its listener went away', async () => {
    const { bus, indexed } = await open()
    await bus.publish(...Array.from({ length: 2_500 }, (_, index) => paidFor(`${index}`)))
    await bus.match()
    const gone = await bus.listen('one', [order('7')])
    await bus.matchOnce()
    await bus.end(gone)
    const event = paidFor('late')
    await publishAll(bus, event)
    expect(await indexed()).toContain(event.id)
    const [old, late] = [await bus.listen('one', [order('2400')]), await bus.listen('one', [order('late')])]
    await bus.match()
    expect(await bus.received(old)).toHaveLength(1)
    expect(await bus.received(late)).toEqual([[0, event.id]])
    expect(await indexed()).toHaveLength(2_499)
  })

  test('is found by its values, and gone from the index when it is taken', async () => {
    const { bus, indexed } = await open()
    await bus.listen('one', [order('none')])
    const [a, b] = [paidFor('a'), paidFor('b')]
    await publishAll(bus, a, b)
    const one = await bus.listen('one', [order('b')])
    await bus.match()
    expect(await bus.received(one)).toEqual([[0, b.id]])
    expect(await indexed()).toEqual([a.id])
  })

  test('is there again when it is given back', async () => {
    const { bus, indexed } = await open()
    const event = paidFor('a')
    await publishAll(bus, event)
    const one = await bus.listen('one', [order('a')])
    await bus.match()
    expect(await indexed()).toEqual([])
    await bus.end(one)
    await bus.match()
    expect(await indexed()).toEqual([event.id])
    const next = await bus.listen('one', [order('a')])
    await bus.match()
    expect(await bus.received(next)).toEqual([[0, event.id]])
  })

  test('is found without going through everything of its type', async () => {
    const { bus, database } = await open()
    await bus.listen('one', [order('none')])
    const event = paidFor('a')
    await publishAll(bus, event)
    // A reader by type skips events that are taken, and so finds none.
    await database.pool.query(`update events set taken = true`)
    const one = await bus.listen('one', [order('a')])
    await bus.match()
    expect(await bus.received(one)).toEqual([[0, event.id]])
  })

  test('comes in the order in which it came, to several who share it and to several filters of one', async () => {
    const { bus } = await open()
    await bus.listen('one', [order('none')])
    const events = ['a', 'b', 'a', 'a', 'b'].map(paidFor)
    await publishAll(bus, ...events)
    const firstA = await bus.listen('one', [order('a')])
    const both = await bus.listen('many', [order('a'), order('b')])
    const lastA = await bus.listen('one', [order('a')])
    await bus.match()
    const ids = events.map(({ id }) => id)
    expect(await bus.received(firstA)).toEqual([[0, ids[0]]])
    expect((await bus.received(both)).map(([, id]) => id)).toEqual(ids.slice(1))
    expect(await bus.received(lastA)).toEqual([])
  })

  test('a kept event reaches a new listener before newer events', async () => {
    const { bus } = await open()
    const older = paidFor('last')
    await publishAll(bus, older)
    // More than are looked at in one pass come before it.
    await Promise.all(Array.from({ length: 260 }, (_, index) => bus.listen('one', [order(`other-${index}`)])))
    const last = await bus.listen('one', [order('last')])
    await bus.publish(paidFor('last'))
    await bus.match()
    expect(await bus.received(last)).toEqual([[0, older.id]])
  })

  test('of another account is not found, and not that whose time is over', async () => {
    const database = await testDatabase()
    const [mine, theirs] = [await openTestBus(database), await openTestBus(database)]
    await mine.listen('one', [order('none')])
    await theirs.listen('one', [order('none')])
    await publishAll(theirs, paidFor('a'))
    const here = await mine.listen('one', [order('a')])
    expect(await mine.match()).toEqual([])
    await database.pool.query(`update events set expires_at = now() - interval '1 second'`)
    const there = await theirs.listen('one', [order('a')])
    expect(await theirs.match()).toEqual([])
    expect([await mine.received(here), await theirs.received(there)]).toEqual([[], []])
  })
})

test.each([
  ['is not known before', { with: { type: 'paid' }, from: { order: '.data.order' } }],
  ['depends on the execution', { with: { type: 'paid', data: '${ .order == $want }' }, scope: { want: 'b' } }],
] satisfies (readonly [string, AskedFilter])[])('what passes a filter that %s is found all the same', async (_what, filter) => {
  const { bus, indexed } = await open()
  const [shipped, b] = [eventOf('shipped'), paidFor('b')]
  await publishAll(bus, shipped, b)
  const one = await bus.listen('many', [filter])
  await bus.match()
  expect(await bus.received(one)).toEqual([[0, b.id]])
  expect(await indexed()).toEqual([])
})
