import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '#core/json.ts'
import { eventOf } from '#testing/bus.ts'
import { accountId, createTestEngine } from '#testing/engines.ts'
import { testDatabase } from '#testing/postgres-parts.ts'
import { definitionOf } from '#testing/run-definition.ts'

const about = (type: string, expected = '') => `{ with: { type: ${type} }, correlate: { order: { from: .data.order ${expected} } } }`
const listens = (to: string) => definitionOf(`do: [{ hear: { listen: { to: ${to} } } }]`)
const workflows = {
  both: listens(`{ all: [${about('paid')}, ${about('packed')}] }`),
  until: listens(`{ any: [${about('paid')}], until: { one: ${about('packed')} } }`),
  expects: listens(`{ all: [${about('paid', ", expect: '${ .order }'")}, ${about('packed')}] }`),
}
const paid = (order: number) => eventOf('paid', { data: { order } })
const packed = (order: number) => eventOf('packed', { data: { order } })

/** An execution that was cancelled after it received an event, and its retry. */
async function retriedAfter(name: keyof typeof workflows, first: JsonObject, input?: JsonObject) {
  const database = await testDatabase()
  const { pool } = database
  const { engine, start, outcome } = await createTestEngine(database, { workflows })
  onTestFinished(() => engine.close(Date.now() + 1_000))
  const count = async (text: string) => (await pool.query(text)).rowCount
  const { id } = await start(name, { order: 1 })
  await engine.publish(accountId, [first])
  await expect.poll(() => count(`select from journal where kind = 'message'`)).toBe(1)
  await engine.cancel(accountId, id)
  await outcome(id)
  const result = await engine.retry(accountId, id, { actor: 'user:test', ...(input === undefined ? {} : { input }) })
  if (result.kind !== 'started') throw new Error(result.kind)
  await expect.poll(() => count(`select from listeners where execution_id = '${result.id}'`)).toBeGreaterThan(0)
  return {
    publish: (...events: readonly JsonObject[]) => engine.publish(accountId, events),
    outcome: () => outcome(result.id),
    async kept() {
      const { rows } = await pool.query<{ event_id: string }>(`select event_id from events where not taken order by id`)
      return rows.map(({ event_id: eventId }) => eventId)
    },
  }
}

test('a retry listens for the correlation that the first event bound, and for no other', async () => {
  const { publish, outcome, kept } = await retriedAfter('both', paid(1))
  const others = [paid(2), packed(2), paid(1)]
  for (const event of [...others, packed(1)]) await publish(event)
  expect(await outcome()).toMatchObject({ state: 'completed', output: [{ order: 1 }, { order: 1 }] })
  expect(await kept()).toEqual(others.map(({ id }) => id))
})

test('a retry that listens until another event keeps the correlation for that event as well', async () => {
  const { publish, outcome, kept } = await retriedAfter('until', paid(1))
  const others = [paid(2), packed(2)]
  for (const event of [...others, paid(1), packed(1)]) await publish(event)
  expect(await outcome()).toMatchObject({ state: 'completed', output: [{ order: 1 }, { order: 1 }] })
  expect(await kept()).toEqual(others.map(({ id }) => id))
})

test('events that were consumed stay consumed when a retry listens for others', async () => {
  const { publish, outcome, kept } = await retriedAfter('expects', paid(1), { order: 2 })
  const other = paid(2)
  for (const event of [other, packed(1), packed(2)]) await publish(event)
  expect(await outcome()).toMatchObject({ state: 'completed', output: [{ order: 1 }, { order: 1 }] })
  expect(await kept()).toContain(other.id)
})
