import { describe, expect, test } from 'vitest'
import { type AskedFilter, eventOf, openTestBus } from '#testing/bus.ts'
import { executionIn, jobsIn, testDatabase } from '#testing/postgres-parts.ts'

const paid: AskedFilter = { with: { type: 'paid' } }
const shipped: AskedFilter = { with: { type: 'shipped' } }
const paidFor = (name: string) => eventOf('paid', { data: { order: name } })

async function open() {
  const database = await testDatabase()
  return { database, bus: await openTestBus(database) }
}

async function stateOf(database: Awaited<ReturnType<typeof testDatabase>>, id: unknown) {
  const { rows } = await database.pool.query<{ taken: boolean; takers: number; matched: boolean }>(
    `select taken, takers, matched_at is not null as matched from events where event_id = $1`,
    [id],
  )
  return rows[0]
}

describe('an event', () => {
  test('an event reaches a listener that opened before', async () => {
    const { bus, database } = await open()
    const one = await bus.listen('one', [paid])
    await bus.match()
    const event = eventOf('paid')
    await bus.publish(event)
    expect(await bus.match()).toEqual([one.head.id])
    expect(await bus.received(one)).toEqual([[0, event.id]])
    expect(await stateOf(database, event.id)).toEqual({ taken: true, takers: 1, matched: true })
  })

  test('an event is kept for a listener that opens later', async () => {
    const { bus, database } = await open()
    const event = eventOf('paid')
    await bus.publish(event)
    expect(await bus.match()).toEqual([])
    expect(await stateOf(database, event.id)).toEqual({ taken: false, takers: 0, matched: true })
    const one = await bus.listen('one', [paid])
    expect(await bus.match()).toEqual([one.head.id])
    expect(await bus.received(one)).toEqual([[0, event.id]])
  })

  test('an event that arrives together with its listener reaches it once', async () => {
    const { bus } = await open()
    const event = eventOf('paid')
    await bus.publish(event)
    const one = await bus.listen('many', [paid])
    await bus.match()
    await bus.match()
    expect(await bus.received(one)).toEqual([[0, event.id]])
  })

  test('an event reaches all its listeners', async () => {
    const { bus, database } = await open()
    const all = [await bus.listen('one', [paid]), await bus.listen('each', [paid, shipped]), await bus.listen('many', [paid])]
    const event = eventOf('paid')
    await bus.publish(event)
    expect((await bus.match()).toSorted()).toEqual(all.map(({ head }) => head.id).toSorted())
    for (const one of all) expect(await bus.received(one)).toEqual([[0, event.id]])
    expect(await stateOf(database, event.id)).toMatchObject({ takers: 3 })
  })

  test('a kept event is consumed by the first listener that opens, and by no other', async () => {
    const { bus } = await open()
    const event = eventOf('paid')
    await bus.publish(event)
    await bus.match()
    const first = await bus.listen('one', [paid])
    const second = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(first)).toEqual([[0, event.id]])
    expect(await bus.received(second)).toEqual([])
  })

  test('an event without a listener is kept for later ones', async () => {
    const { bus } = await open()
    const [one, other] = [eventOf('shipped'), eventOf('paid')]
    await bus.publish(one, other)
    const wants = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(wants)).toEqual([[0, other.id]])
    const later = await bus.listen('one', [shipped])
    await bus.match()
    expect(await bus.received(later)).toEqual([[0, one.id]])
  })

  test('an event with the source and id of an earlier one is not stored again', async () => {
    const { bus } = await open()
    const one = await bus.listen('many', [paid])
    const event = eventOf('paid')
    expect(await bus.publish(event, eventOf('paid', { id: event.id ?? null, source: '/elsewhere' }))).toBe(2)
    expect(await bus.publish(event, { ...event, data: 'another' })).toBe(0)
    await bus.match()
    expect(await bus.received(one)).toHaveLength(2)
  })

  test('an expired event reaches no listener, whether it was matched before or not', async () => {
    const database = await testDatabase()
    const bus = await openTestBus(database, undefined, { retentionMs: -1 })
    const before = await bus.listen('one', [paid])
    await bus.publish(eventOf('paid'))
    expect(await bus.match()).toEqual([])
    const after = await bus.listen('one', [paid])
    expect(await bus.match()).toEqual([])
    expect([await bus.received(before), await bus.received(after)]).toEqual([[], []])
  })

  test('an event of another account reaches no listener of this one', async () => {
    const database = await testDatabase()
    const [mine, theirs] = [await openTestBus(database), await openTestBus(database)]
    const [here, there] = [await mine.listen('one', [paid]), await theirs.listen('one', [paid])]
    const event = eventOf('paid')
    await theirs.publish(event)
    await mine.match()
    expect([await mine.received(here), await theirs.received(there)]).toEqual([[], [[0, event.id]]])
    await mine.publish(event)
    await theirs.match()
    expect(await mine.received(here)).toEqual([[0, event.id]])
  })

  test('a kept event of another account is not received', async () => {
    const database = await testDatabase()
    const [mine, theirs] = [await openTestBus(database), await openTestBus(database)]
    await theirs.publish(eventOf('paid'))
    await theirs.match()
    const here = await mine.listen('one', [paid])
    expect(await mine.match()).toEqual([])
    expect(await mine.received(here)).toEqual([])
  })
})

describe('order', () => {
  test('a wait receives events in the order of their publication', async () => {
    const { bus } = await open()
    const kept = Array.from({ length: 5 }, (_, index) => eventOf(index % 2 === 0 ? 'paid' : 'shipped'))
    for (const event of kept) await bus.publish(event)
    await bus.match()
    const one = await bus.listen('many', [paid, shipped])
    const fresh = Array.from({ length: 5 }, (_, index) => eventOf(index % 2 === 0 ? 'shipped' : 'paid'))
    for (const event of fresh) await bus.publish(event)
    await bus.match()
    expect((await bus.received(one)).map(([, id]) => id)).toEqual([...kept, ...fresh].map(({ id }) => id))
  })

  test('consecutive waits of one execution receive kept events in order', async () => {
    const { bus } = await open()
    const events = Array.from({ length: 4 }, () => eventOf('paid'))
    for (const event of events) await bus.publish(event)
    await bus.match()
    for (const event of events) {
      const one = await bus.listen('one', [paid])
      await bus.match()
      expect(await bus.received(one)).toEqual([[0, event.id]])
    }
  })

  test('more events than one pass reads all arrive, in order', async () => {
    const { bus } = await open()
    const one = await bus.listen('many', [paid])
    const events = Array.from({ length: 700 }, () => eventOf('paid'))
    await bus.publish(...events)
    await bus.match()
    expect((await bus.received(one)).length).toBe(700)
  })

  test('more kept events than fit on a page all arrive', async () => {
    const { bus } = await open()
    const events = Array.from({ length: 450 }, () => eventOf('paid'))
    await bus.publish(...events, ...Array.from({ length: 450 }, () => eventOf('shipped')))
    await bus.match()
    const one = await bus.listen('many', [paid, shipped])
    await bus.match()
    expect(await bus.received(one)).toHaveLength(900)
  })
})

describe('accounts', () => {
  /** Opens a bus for each of so many accounts in one database. */
  async function accounts(count: number) {
    const database = await testDatabase()
    return Promise.all(Array.from({ length: count }, () => openTestBus(database)))
  }

  test('accounts with few events do not wait for one with many', async () => {
    const [many, few] = await accounts(2)
    if (many === undefined || few === undefined) throw new Error('no accounts')
    const waiting = await few.listen('one', [paid])
    await many.publish(...Array.from({ length: 5_000 }, () => eventOf('paid')))
    const event = eventOf('paid')
    await few.publish(event)
    await few.matchOnce()
    expect(await few.received(waiting)).toEqual([[0, event.id]])
  })

  test('accounts that take turns receive all their events in order', async () => {
    const all = await accounts(3)
    const waiting = await Promise.all(all.map((bus) => bus.listen('many', [paid])))
    const events = all.map(() => Array.from({ length: 300 }, () => eventOf('paid')))
    for (let from = 0; from < 300; from += 50)
      for (const [index, bus] of all.entries()) await bus.publish(...(events[index] ?? []).slice(from, from + 50))
    await all[0]?.match()
    for (const [index, bus] of all.entries()) {
      const wait = waiting[index]
      expect(wait && (await bus.received(wait)).map(([, id]) => id)).toEqual(events[index]?.map(({ id }) => id))
    }
  })

  test('accounts with few listeners do not wait for one with many', async () => {
    const [many, few] = await accounts(2)
    if (many === undefined || few === undefined) throw new Error('no accounts')
    const event = eventOf('paid')
    await few.publish(event)
    await few.match()
    await Promise.all(Array.from({ length: 600 }, () => many.listen('one', [paid])))
    const waiting = await few.listen('one', [paid])
    // The first pass indexes the kept events for the new filter.
    await few.matchOnce()
    await few.matchOnce()
    expect(await few.received(waiting)).toEqual([[0, event.id]])
  })

  test('accounts beyond those of one pass are served by the next passes', async () => {
    const all = await accounts(300)
    const waiting = await Promise.all(all.map((bus) => bus.listen('one', [paid])))
    await all[0]?.match()
    for (const bus of all) await bus.publish(eventOf('paid'), eventOf('paid'))
    expect(new Set(await all[0]?.match())).toEqual(new Set(waiting.map(({ head }) => head.id)))
  })
})

describe('a wait', () => {
  test('a wait for one event ends with the first event that passes any of its filters', async () => {
    const { bus } = await open()
    const one = await bus.listen('one', [paid, shipped])
    const [first, second] = [eventOf('shipped'), eventOf('paid')]
    await bus.publish(first)
    await bus.publish(second)
    await bus.match()
    expect(await bus.received(one)).toEqual([[1, first.id]])
    const next = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(next)).toEqual([[0, second.id]])
  })

  test('a wait for one event receives an event that passes two of its filters once', async () => {
    const { bus } = await open()
    const one = await bus.listen('one', [paid, { with: { source: '/test' } }])
    const event = eventOf('paid')
    await bus.publish(event)
    await bus.match()
    expect(await bus.received(one)).toEqual([[0, event.id]])
  })

  test('a wait for all receives one event for each of its filters', async () => {
    const { bus } = await open()
    const one = await bus.listen('each', [paid, shipped])
    const [first, again, last] = [eventOf('paid'), eventOf('paid'), eventOf('shipped')]
    await bus.publish(first, again, last)
    await bus.match()
    expect(await bus.received(one)).toEqual([
      [0, first.id],
      [1, last.id],
    ])
    const next = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(next)).toEqual([[0, again.id]])
  })

  test('a wait for many events receives an event that passes two of its filters once', async () => {
    const { bus } = await open()
    const one = await bus.listen('many', [paid, { with: { source: '/test' } }])
    const event = eventOf('paid')
    await bus.publish(event)
    await bus.match()
    expect(await bus.received(one)).toEqual([[0, event.id]])
  })

  test('a wait until another event receives an event that is both as both, the end last', async () => {
    const { bus } = await open()
    const one = await bus.listen('many', [paid, { with: { source: '/test' }, role: 'until' }])
    const event = eventOf('paid')
    await bus.publish(event)
    await bus.match()
    expect(await bus.received(one)).toEqual([
      [0, event.id],
      [1, event.id],
    ])
  })

  test('a match of a parked execution sends a job for it', async () => {
    const { bus, database } = await open()
    const one = await bus.listen('one', [paid], { parked: true })
    await bus.publish(eventOf('paid'))
    await bus.match()
    expect(await jobsIn(database)).toEqual([{ executionId: one.head.id, deferred: false }])
    const [taken] = await bus.parts.store.claim(10)
    expect(taken?.execution.messages).toEqual([
      { id: expect.any(String), position: one.position, value: expect.objectContaining({ index: 0 }) },
    ])
  })

  test('a match of a running execution wakes its process', async () => {
    const { bus, database } = await open()
    const one = await bus.listen('one', [paid])
    await bus.publish(eventOf('paid'))
    await bus.match()
    expect(await jobsIn(database)).toEqual([])
    expect(await bus.parts.store.signals()).toMatchObject([{ id: one.head.id, cancel: false, suspend: false }])
    expect(await bus.parts.store.messages(one.head.id)).toHaveLength(1)
  })

  test('a suspended execution stays suspended after a match, and has its message when it is resumed', async () => {
    const { bus, database } = await open()
    const one = await bus.listen('one', [paid], { parked: true })
    await bus.parts.store.suspend(one.head.accountId, one.head.id)
    await bus.publish(eventOf('paid'))
    await bus.match()
    expect(await jobsIn(database)).toEqual([])
    expect((await executionIn(database, one.head.id))?.state).toBe('suspended')
    await bus.parts.store.resume(one.head.accountId, one.head.id)
    const [taken] = await bus.parts.store.claim(10)
    expect(taken?.execution.messages).toHaveLength(1)
  })
})

test('a thousand listeners receive an event in one pass', async () => {
  const { bus, database } = await open()
  const all = await Promise.all(Array.from({ length: 1_000 }, () => bus.listen('one', [paid])))
  await bus.match()
  await bus.publish(eventOf('paid'))
  expect(new Set(await bus.match()).size).toBe(1_000)
  const { rows } = await database.pool.query(
    `select count(*)::int as messages, count(distinct execution_id)::int as executions, (select count(*)::int from listeners) as left from messages`,
  )
  expect(rows).toEqual([{ messages: 1_000, executions: all.length, left: 0 }])
})

describe('unusable events and filters', () => {
  test('an event on which an expression fails does not pass, and delays no others', async () => {
    const { bus } = await open()
    const fails = await bus.listen('one', [{ with: { type: 'paid', data: '${ error("no") }' } }])
    const well = await bus.listen('one', [paid])
    await bus.publish(paidFor('a'))
    expect(await bus.match()).toEqual([well.head.id])
    expect(await bus.errors(fails)).toEqual([])
  })

  test('an envelope that is not an object passes no filter and delays no others', async () => {
    const { bus, database } = await open()
    const well = await bus.listen('one', [paid])
    await database.pool.query(
      `insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at)
       values ('01900000-0000-7000-8000-000000000001', $1, '/odd', '1', 'paid', '[1]', now(), now() + interval '1 hour')`,
      [well.head.accountId],
    )
    await bus.publish(paidFor('a'))
    expect(await bus.match()).toEqual([well.head.id])
  })

  test('a listener whose filter is missing delays no others', async () => {
    const { bus, database } = await open()
    await bus.listen('one', [shipped])
    await database.pool.query(`delete from event_filters`)
    const well = await bus.listen('one', [paid])
    await bus.publish(eventOf('paid'), eventOf('shipped'))
    expect(await bus.match()).toEqual([well.head.id])
  })
})
