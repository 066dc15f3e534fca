import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepReserved } from './keep-reserved.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const leaseMs = 30_000
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

test('a reservation lasts as long as it can be renewed, and renewals that fail for a moment do no harm', async () => {
  let calls = 0
  using kept = keepReserved(() => (++calls % 2 === 0 ? Promise.reject(new Error('no connection')) : Promise.resolve(true)), leaseMs)
  await pass(600)
  expect([kept.lost.aborted, calls > 50]).toEqual([false, true])
})

test('a reservation that another one has taken, or that cannot be renewed for the time of the lease, is lost', async () => {
  using taken = keepReserved(() => Promise.resolve(false), leaseMs)
  using silent = keepReserved(() => Promise.reject(new Error('no connection')), leaseMs)
  using hanging = keepReserved(() => new Promise(() => undefined), leaseMs)
  await pass(11)
  expect([taken.lost.aborted, silent.lost.aborted, hanging.lost.aborted]).toEqual([true, false, false])
  await pass(20)
  expect([silent.lost.aborted, hanging.lost.aborted]).toEqual([true, true])
})

test('nothing is renewed after the end', async () => {
  let calls = 0
  keepReserved(() => Promise.resolve(++calls > 0), leaseMs)[Symbol.dispose]()
  await pass(120)
  expect(calls).toBe(0)
})
