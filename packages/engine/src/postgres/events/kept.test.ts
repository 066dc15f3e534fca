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

describe('the index of kept events', () => {
  test('kept events are indexed for a filter once it has a listener, earlier and later ones', async () => {
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

  test('an event that arrives together with the first listener of a filter is indexed', async () => {
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

  test('an event that arrives while a filter is partly indexed and without a listener is found later', async () => {
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

  test('a kept event is found by its correlation values, and leaves the index when a listener receives it', async () => {
    const { bus, indexed } = await open()
    await bus.listen('one', [order('none')])
    const [a, b] = [paidFor('a'), paidFor('b')]
    await publishAll(bus, a, b)
    const one = await bus.listen('one', [order('b')])
    await bus.match()
    expect(await bus.received(one)).toEqual([[0, b.id]])
    expect(await indexed()).toEqual([a.id])
  })

  test('a released event is indexed again', async () => {
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

  test('a kept event is found by the index, without a scan of its type', async () => {
    const { bus, database } = await open()
    await bus.listen('one', [order('none')])
    const event = paidFor('a')
    await publishAll(bus, event)
    // A scan by type skips events that are marked as taken, and so would find none.
    await database.pool.query(`update events set taken = true`)
    const one = await bus.listen('one', [order('a')])
    await bus.match()
    expect(await bus.received(one)).toEqual([[0, event.id]])
  })

  test('kept events reach several waits, and several filters of one wait, in the order of their arrival', async () => {
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
    // More listeners than one pass reads open before it.
    await Promise.all(Array.from({ length: 260 }, (_, index) => bus.listen('one', [order(`other-${index}`)])))
    const last = await bus.listen('one', [order('last')])
    await bus.publish(paidFor('last'))
    await bus.match()
    expect(await bus.received(last)).toEqual([[0, older.id]])
  })

  test('kept events of another account and expired ones are not found', async () => {
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
  ['has an open correlation', { with: { type: 'paid' }, from: { order: '.data.order' } }],
  ['reads its execution', { with: { type: 'paid', data: '${ .order == $want }' }, scope: { want: 'b' } }],
] satisfies (readonly [string, AskedFilter])[])('a filter that %s finds kept events without the index', async (_what, filter) => {
  const { bus, indexed } = await open()
  const [shipped, b] = [eventOf('shipped'), paidFor('b')]
  await publishAll(bus, shipped, b)
  const one = await bus.listen('many', [filter])
  await bus.match()
  expect(await bus.received(one)).toEqual([[0, b.id]])
  expect(await indexed()).toEqual([])
})
