import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLoop, type Loop } from './loop.ts'

const idleMs = 1_000
let loop: Loop

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  await loop.stop()
  vi.useRealTimers()
})

/** A loop whose turns do what is given, one after the other, and then nothing; and whether each was called for. */
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

test('turns follow one another at once while there is more, and rest when there is not', async () => {
  const calls = turning(
    () => true,
    () => true,
  )
  await pass(idleMs - 1)
  expect(calls).toEqual([false, false, false])
  await pass(1)
  expect(calls).toHaveLength(4)
})

test('whoever calls while it rests is served at once', async () => {
  const calls = turning()
  await pass(1)
  loop.wake()
  await pass(1)
  expect(calls).toEqual([false, true])
})

test('whoever calls during a turn gets another one', async () => {
  const calls = turning(() => {
    loop.wake()
    return false
  })
  await pass(1)
  expect(calls).toEqual([false, true])
})

test('a rest that was cut short is not made up for', async () => {
  const calls = turning()
  await pass(idleMs / 2)
  loop.wake()
  await pass(idleMs - 1)
  expect(calls).toHaveLength(2)
})

test('no turn begins after it was stopped, and the one under way is waited for', async () => {
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
  expect([loop.stopped, over]).toEqual([true, false])
  resolve(true)
  await stopping
  await pass(idleMs * 2)
  expect(turns).toBe(1)
})
