import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTurns } from './turns.ts'

/** Creates turns with a clock that the test moves. */
function createTestTurns() {
  let now = 0
  const turns = createTurns({ elapsed: () => now, turnMs: 4, loopMs: 8, interruptMs: 4 })
  const spend = (ms: number) => (now += ms)
  return { ...turns, spend }
}

describe('a walk', () => {
  test('a walk begins at once while walks have used little of this iteration of the event loop', () => {
    const { turn, spend } = createTestTurns()
    expect(turn.tryBegin()).toBe(true)
    spend(7)
    expect(turn.tryBegin()).toBe(true)
    spend(1)
    expect(turn.tryBegin()).toBe(false)
  })

  test('a walk may begin again in the next iteration of the event loop', async () => {
    const { turn, spend } = createTestTurns()
    turn.tryBegin()
    spend(100)
    expect(turn.tryBegin()).toBe(false)
    await setImmediate()
    expect(turn.tryBegin()).toBe(true)
  })

  test('a turn is over after its time', () => {
    const { turn, spend } = createTestTurns()
    turn.tryBegin()
    spend(3)
    expect(turn.isOver()).toBe(false)
    spend(1)
    expect(turn.isOver()).toBe(true)
  })
})

test('accounts take turns, and all walks of one iteration of the event loop keep its time limit', async () => {
  const { schedule, spend } = createTestTurns()
  const done: string[] = []
  const work = (name: string) => () => {
    done.push(name)
    spend(4)
  }
  for (const name of ['a1', 'a2', 'a3', 'a4']) schedule('a', work(name))
  schedule('b', work('b1'))
  await setImmediate()
  expect(done).toEqual(['a1', 'b1'])
  await setImmediate()
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3'])
  await setImmediate()
  expect(done).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
})
