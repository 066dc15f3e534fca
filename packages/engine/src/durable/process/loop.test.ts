import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLoop, type Loop } from './loop.ts'

const idleMs = 1_000
let loop: Loop

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  await loop.stop()
  vi.useRealTimers()
})

/** Starts a loop with these turns; later turns do nothing. @returns for each turn whether the loop was woken for it. */
function turning(...turns: readonly (() => boolean)[]): readonly boolean[] {
  const calls: boolean[] = []
  loop = createLoop(idleMs, async (called) => {
    calls.push(called)
    return turns[calls.length - 1]?.() ?? false
  })
  loop.start()
  return calls
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('a loop repeats its turn at once while there is more to do, and idles otherwise', async () => {
  const calls = turning(
    () => true,
    () => true,
  )
  await pass(idleMs - 1)
  expect(calls).toEqual([false, false, false])
  await pass(1)
  expect(calls).toHaveLength(4)
})

test('a wake during the idle time starts a turn at once', async () => {
  const calls = turning()
  await pass(1)
  loop.wake()
  await pass(1)
  expect(calls).toEqual([false, true])
})

test('a wake during a turn causes another turn', async () => {
  const calls = turning(() => {
    loop.wake()
    return false
  })
  await pass(1)
  expect(calls).toEqual([false, true])
})

test('the idle time begins again after a wake', async () => {
  const calls = turning()
  await pass(idleMs / 2)
  loop.wake()
  await pass(idleMs - 1)
  expect(calls).toHaveLength(2)
})

test('a stop waits for the current turn, and no other turn begins', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let turns = 0
  loop = createLoop(idleMs, () => {
    turns += 1
    return promise
  })
  loop.start()
  let over = false
  const stopping = loop.stop().then(() => (over = true))
  await pass(idleMs * 2)
  expect([loop.isStopped(), over]).toEqual([true, false])
  resolve(true)
  await stopping
  await pass(idleMs * 2)
  expect(turns).toBe(1)
})
