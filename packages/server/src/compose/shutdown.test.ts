import { expect, test } from 'vitest'
import { shareConnections } from './connections.ts'
import { createShutdown } from './shutdown.ts'
import { thisSystem } from './system.ts'

test('the time of a shutdown counts from its beginning, and waiting requests end before it is over', async () => {
  let now = 1_000
  const shutdown = createShutdown(100, { now: () => now })
  expect(shutdown.deadlineMs()).toBe(1_100)
  now = 5_000
  shutdown.begin()
  expect([shutdown.deadlineMs(), shutdown.cutOffMs(), shutdown.closing.aborted]).toEqual([5_100, 60, false])
  await new Promise<void>((resolve) => shutdown.closing.addEventListener('abort', () => resolve(), { once: true }))
  now = 6_000
  expect([shutdown.deadlineMs(), shutdown.cutOffMs()]).toEqual([5_100, 0])
})

test('closing is waited for until well after the deadline, and no longer', async () => {
  let now = 0
  const shutdown = createShutdown(1_000, { now: () => now })
  shutdown.begin()
  await expect(shutdown.bound(Promise.resolve())).resolves.toBeUndefined()
  await expect(shutdown.bound(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  now = 60_000
  await expect(shutdown.bound(new Promise(() => undefined))).rejects.toThrow('the server has not stopped after 6 s')
})

test.each([4, 8, 16, 32, 100])('%d connections are shared out without one too many, and every part gets at least one', (connectionsMax) => {
  const { database, engine, queue } = shareConnections(connectionsMax)
  expect(database + engine + queue).toBeLessThanOrEqual(connectionsMax)
  // Both pools of the database need one at least.
  expect(database).toBeGreaterThanOrEqual(2)
  expect(Math.min(engine, queue)).toBeGreaterThanOrEqual(1)
})

test('the system knows itself to live, and a process that cannot be as dead', () => {
  const system = thisSystem()
  expect(system.lives(system.pid)).toBe(true)
  expect(system.lives(1)).toBe(true)
  expect(system.lives(2 ** 22 + 12_345)).toBe(false)
})
