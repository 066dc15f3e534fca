import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type AskedFilter, eventOf, openTestBus } from '#testing/bus.ts'
import { testDatabase } from '#testing/postgres-parts.ts'

/** Runs something, and measures the processor time of this thread in microseconds: as a whole, without turns in which it only waits, and in one turn at most. */
async function stretchesOf(act: () => Promise<unknown>): Promise<{ readonly longest: number; readonly whole: number }> {
  let [isRunning, longest, whole] = [true, 0, 0]
  const done = act().finally(() => {
    isRunning = false
  })
  while (isRunning) {
    const before = process.threadCpuUsage()
    await setImmediate()
    const { user } = process.threadCpuUsage(before)
    longest = Math.max(longest, user)
    if (user > 1_000) whole += user
  }
  await done
  return { longest, whole }
}

const filtersFrom = (first: number, count: number): readonly AskedFilter[] =>
  Array.from({ length: count }, (_, index) => ({ with: { type: 'paid', data: `\${ .order == "order-${first + index}" }` } }))

test('thousands of filters of one account leave the event loop free while they are opened and matched', async () => {
  const database = await testDatabase()
  const bus = await openTestBus(database)
  const opening = await stretchesOf(() => bus.listen('one', filtersFrom(0, 3_000)))
  for (let first = 3_000; first < 4_000; first += 100) await bus.listen('one', filtersFrom(first, 100))
  const last = await bus.listen('one', filtersFrom(4_000, 1))
  await bus.match()
  await bus.publish(eventOf('paid', { id: 'last', data: { order: 'order-4000' } }), eventOf('paid', { data: { order: 'none' } }))
  const matching = await stretchesOf(() => bus.match())
  expect(await bus.received(last)).toEqual([[0, 'last']])
  // Without a pause, each would be one stretch. With pauses, a collection of garbage may still take a good part of it.
  for (const { longest, whole } of [opening, matching]) expect(longest).toBeLessThan(whole / 2)
})
