import { describe, expect, test } from 'vitest'
import { type AskedFilter, eventOf, openTestBus, type TestBus, type Waiting } from '#testing/bus.ts'
import { completed, testDatabase } from '#testing/postgres-parts.ts'

const paid: AskedFilter = { with: { type: 'paid' } }

async function open() {
  const database = await testDatabase()
  return { database, bus: await openTestBus(database) }
}

async function messageIds(bus: TestBus, { head }: Waiting): Promise<readonly string[]> {
  return (await bus.parts.store.messages(head.id)).map(({ id }) => id)
}

/** Two executions have one event. */
async function shared() {
  const { bus, database } = await open()
  const [one, other] = [await bus.listen('many', [paid]), await bus.listen('one', [paid])]
  const event = eventOf('paid')
  await bus.publish(event)
  await bus.match()
  return { bus, database, one, other, event }
}

describe('an event of a wait that ended before the event was consumed', () => {
  test('a released event reaches the next listener that opens', async () => {
    const { bus } = await open()
    const one = await bus.listen('one', [paid])
    const event = eventOf('paid')
    await bus.publish(event)
    await bus.match()
    await bus.end(one)
    expect(await bus.received(one)).toEqual([])
    await bus.match()
    const next = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(next)).toEqual([[0, event.id]])
  })

  test('a released event reaches listeners that are open already', async () => {
    const { bus } = await open()
    const one = await bus.listen('one', [paid])
    const event = eventOf('paid')
    await bus.publish(event)
    await bus.match()
    const waiting = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(waiting)).toEqual([])
    await bus.end(one)
    await bus.match()
    expect(await bus.received(waiting)).toEqual([[0, event.id]])
  })

  test('an event that its wait consumed is not released', async () => {
    const { bus } = await open()
    const one = await bus.listen('many', [paid])
    const [taken, untaken] = [eventOf('paid'), eventOf('paid')]
    await bus.publish(taken, untaken)
    await bus.match()
    const [id = ''] = await messageIds(bus, one)
    await bus.take(one, id)
    await bus.end(one)
    const next = await bus.listen('many', [paid])
    await bus.match()
    expect(await bus.received(next)).toEqual([[0, untaken.id]])
  })

  test('an event that is consumed by the write that ends its wait is not released', async () => {
    const { bus } = await open()
    const one = await bus.listen('one', [paid])
    await bus.publish(eventOf('paid'))
    await bus.match()
    await bus.write(one.head, { waits: { opened: [], closed: [one.position], consumed: [...(await messageIds(bus, one))] } })
    const next = await bus.listen('one', [paid])
    expect(await bus.match()).toEqual([])
    expect(await bus.received(next)).toEqual([])
  })

  test('an event that other executions received as well is not released, and reaches none of them twice', async () => {
    const { bus, one, other, event } = await shared()
    await bus.end(other)
    const next = await bus.listen('one', [paid])
    expect(await bus.match()).toEqual([])
    expect([await bus.received(one), await bus.received(next)]).toEqual([[[0, event.id]], []])
  })

  test('an event that another execution consumed is not released', async () => {
    const { bus, one, other } = await shared()
    await bus.take(one, ...(await messageIds(bus, one)))
    await bus.end(other)
    await bus.listen('one', [paid])
    expect(await bus.match()).toEqual([])
  })

  test('an event is released once all waits that received it have ended, in one write or in many', async () => {
    const { bus, one, other, event } = await shared()
    await bus.end(one, other)
    const next = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(next)).toEqual([[0, event.id]])
    await bus.end(next)
    await bus.match()
    const last = await bus.listen('one', [paid])
    await bus.match()
    expect(await bus.received(last)).toEqual([[0, event.id]])
  })

  test('an event that a wait received by two of its filters is released once', async () => {
    const { bus, database } = await open()
    const one = await bus.listen('each', [paid, { with: { source: '/test' } }, { with: { type: 'never' } }])
    const event = eventOf('paid')
    await bus.publish(event)
    await bus.match()
    expect(await bus.received(one)).toHaveLength(2)
    await bus.end(one)
    const { rows } = await database.pool.query(`select taken, takers, matched_at from events`)
    expect(rows).toEqual([{ taken: false, takers: 0, matched_at: null }])
  })
})

test('a dead letter releases the events that it had not consumed', async () => {
  const { bus, database } = await open()
  const one = await bus.listen('one', [paid])
  const event = eventOf('paid')
  await bus.publish(event)
  await bus.match()
  const silent = await openTestBus(database)
  await database.pool.query(`update executions set crash_count = 11, recovered_seq = 0, claimed_by = gen_random_uuid() where id = $1`, [
    one.head.id,
  ])
  expect(await silent.parts.store.recover()).toEqual({ requeued: 0, deadLettered: 1 })
  const next = await bus.listen('one', [paid])
  await bus.match()
  expect(await bus.received(next)).toEqual([[0, event.id]])
})

test('a wait that opens and ends in one write leaves no listener behind', async () => {
  const { bus, database } = await open()
  const one = await bus.listen('one', [paid])
  const filters = [{ role: 'event', index: 0, filter: { with: { type: 'paid' }, from: {}, variables: [] }, expected: {} }]
  const opened = ['events', 'approve'].map((topic) => ({ position: `/do/1/${topic}`, topic, arguments: { takes: 'one', filters } }))
  await bus.write(one.head, {
    waits: { opened, closed: [one.position, ...opened.map(({ position }) => position)], consumed: [] },
    progress: completed(null),
  })
  const { rows } = await database.pool.query(
    `select (select count(*)::int from listeners) as listeners, (select count(*)::int from waits) as waits`,
  )
  expect(rows).toEqual([{ listeners: 0, waits: 0 }])
})
