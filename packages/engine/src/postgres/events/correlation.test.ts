import { describe, expect, test } from 'vitest'
import { type AskedFilter, eventOf, openTestBus } from '#testing/bus.ts'
import { testDatabase } from '#testing/postgres-parts.ts'

const order = (expected: string): AskedFilter => ({ with: { type: 'paid' }, from: { order: '.data.order' }, expected: { order: expected } })
/** The first event decides which order it is. */
const anyOrder = (type: string): AskedFilter => ({ with: { type }, from: { order: '.data.order' } })
const paidFor = (name: string, more = {}) => eventOf('paid', { data: { order: name }, ...more })

async function open() {
  const database = await testDatabase()
  return { database, bus: await openTestBus(database) }
}

describe('correlation', () => {
  test('an event with a correlation value reaches the listeners that expect it, found by the index', async () => {
    const { bus } = await open()
    const [a, b] = [await bus.listen('one', [order('a')]), await bus.listen('one', [order('b')])]
    const event = paidFor('b')
    await bus.publish(event)
    expect(await bus.match()).toEqual([b.head.id])
    expect(await bus.received(a)).toEqual([])
    const kept = paidFor('c')
    await bus.publish(kept)
    await bus.match()
    const c = await bus.listen('one', [order('c')])
    await bus.match()
    expect([await bus.received(b), await bus.received(c)]).toEqual([[[0, event.id]], [[0, kept.id]]])
  })

  test('correlation values are compared as JSON values, whatever the order of their members', async () => {
    const { bus } = await open()
    const one = await bus.listen('one', [
      { with: { type: 'paid' }, from: { order: '.data' }, expected: { order: { a: 1, b: [true, null] } } },
    ])
    await bus.publish(eventOf('paid', { data: { b: [true, null], a: '1' } }))
    expect(await bus.match()).toEqual([])
    await bus.publish(eventOf('paid', { data: { b: [true, null], a: 1 } }))
    expect(await bus.match()).toEqual([one.head.id])
  })

  test('the first event binds an open correlation for all filters of the wait', async () => {
    const { bus } = await open()
    const one = await bus.listen('each', [anyOrder('paid'), anyOrder('shipped')])
    const first = paidFor('a')
    await bus.publish(first)
    await bus.match()
    await bus.publish(eventOf('shipped', { data: { order: 'b' } }))
    expect(await bus.match()).toEqual([])
    const last = eventOf('shipped', { data: { order: 'a' } })
    await bus.publish(last)
    expect(await bus.match()).toEqual([one.head.id])
    expect(await bus.received(one)).toEqual([
      [0, first.id],
      [1, last.id],
    ])
  })

  test('an open correlation is bound once when two events arrive at the same time', async () => {
    const { bus } = await open()
    const one = await bus.listen('each', [anyOrder('paid'), anyOrder('shipped')])
    const [first, other, last] = [paidFor('a'), eventOf('shipped', { data: { order: 'b' } }), eventOf('shipped', { data: { order: 'a' } })]
    await bus.publish(first)
    await bus.publish(other)
    await bus.publish(last)
    await bus.match()
    expect(await bus.received(one)).toEqual([
      [0, first.id],
      [1, last.id],
    ])
  })

  test('a kept event binds an open correlation as well', async () => {
    const { bus } = await open()
    const [first, other, last] = [paidFor('a'), eventOf('shipped', { data: { order: 'b' } }), eventOf('shipped', { data: { order: 'a' } })]
    for (const event of [first, other, last]) await bus.publish(event)
    await bus.match()
    const one = await bus.listen('each', [anyOrder('paid'), anyOrder('shipped')])
    await bus.match()
    expect(await bus.received(one)).toEqual([
      [0, first.id],
      [1, last.id],
    ])
  })

  test('a bound correlation of a wait for many events finds its events by the index', async () => {
    const { bus, database } = await open()
    const one = await bus.listen('many', [anyOrder('paid')])
    await bus.publish(paidFor('a'))
    await bus.match()
    const { rows } = await database.pool.query(`select expected, open_names, key is not null as keyed from listeners`)
    expect(rows).toEqual([{ expected: '{"order":"a"}', open_names: [], keyed: true }])
    await bus.publish(paidFor('b'), paidFor('a'))
    await bus.match()
    expect(await bus.received(one)).toHaveLength(2)
  })

  test('an event without the correlation value does not match', async () => {
    const { bus } = await open()
    await bus.listen('one', [anyOrder('paid')])
    await bus.publish(eventOf('paid'), paidFor('a', { data: { order: null } }))
    expect(await bus.match()).toEqual([])
  })
})

describe('filters that read their execution', () => {
  const mine = (name: string): AskedFilter => ({
    with: { type: 'paid', data: '${ .order == $context.order }' },
    scope: { context: { order: name } },
  })

  test('a filter that reads its execution is evaluated for each listener', async () => {
    const { bus } = await open()
    const [a, b] = [await bus.listen('one', [mine('a')]), await bus.listen('one', [mine('b')])]
    const event = paidFor('b')
    await bus.publish(event)
    expect(await bus.match()).toEqual([b.head.id])
    expect([await bus.received(a), await bus.received(b)]).toEqual([[], [[0, event.id]]])
  })

  test('a filter that reads its execution is evaluated on kept events', async () => {
    const { bus } = await open()
    const [first, second] = [paidFor('a'), paidFor('b')]
    await bus.publish(first, second)
    await bus.match()
    const b = await bus.listen('one', [mine('b')])
    await bus.match()
    expect(await bus.received(b)).toEqual([[0, second.id]])
  })
})
