import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type AskedFilter, eventOf, openTestBus } from '#testing/bus.ts'
import { testDatabase } from '#testing/postgres-parts.ts'

const milliseconds = 1_000

/** Runs something, and measures the processor time of this thread between two turns of the event loop: it does not depend on the load of the machine. */
async function longestStretchMs(act: () => Promise<unknown>): Promise<number> {
  let [isRunning, longest] = [true, 0]
  const done = act().finally(() => {
    isRunning = false
  })
  while (isRunning) {
    const before = process.threadCpuUsage()
    await setImmediate()
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / milliseconds)
  }
  await done
  return longest
}

const filtersFrom = (first: number, count: number): readonly AskedFilter[] =>
  Array.from({ length: count }, (_, index) => ({ with: { type: 'paid', data: `\${ .order == "order-${first + index}" }` } }))

test('thousands of filters of one account leave the event loop free while they are opened and matched', { timeout: 120_000 }, async () => {
  const database = await testDatabase()
  const bus = await openTestBus(database)
  const opening = await longestStretchMs(() => bus.listen('one', filtersFrom(0, 8_000)))
  for (let first = 8_000; first < 9_000; first += 100) await bus.listen('one', filtersFrom(first, 100))
  const last = await bus.listen('one', filtersFrom(9_000, 1))
  await bus.match()
  await bus.publish(eventOf('paid', { id: 'last', data: { order: 'order-9000' } }), eventOf('paid', { data: { order: 'none' } }))
  const matching = await longestStretchMs(() => bus.match())
  expect(await bus.received(last)).toEqual([[0, 'last']])
  expect(Math.max(opening, matching)).toBeLessThan(120)
})
