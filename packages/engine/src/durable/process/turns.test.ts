import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTurns } from './turns.ts'

/** Turns by a clock that the test moves. */
function stage() {
  let now = 0
  const turns = createTurns({ elapsed: () => now, turnMs: 4, loopMs: 8, interruptMs: 4 })
  const spend = (ms: number) => (now += ms)
  return { ...turns, spend }
}

describe('a walk', () => {
  test('begins at once while walks have taken little of this turn of the event loop', () => {
    const { turn, spend } = stage()
    expect(turn.mayBegin()).toBe(true)
    spend(7)
    expect(turn.mayBegin()).toBe(true)
    spend(1)
    expect(turn.mayBegin()).toBe(false)
  })

  test('may begin again when the event loop has come round', async () => {
    const { turn, spend } = stage()
    turn.mayBegin()
    spend(100)
    expect(turn.mayBegin()).toBe(false)
    await setImmediate()
    expect(turn.mayBegin()).toBe(true)
  })

  test('has a turn, and then gives way', () => {
    const { turn, spend } = stage()
    turn.mayBegin()
    spend(3)
    expect(turn.isOver()).toBe(false)
    spend(1)
    expect(turn.isOver()).toBe(true)
  })
})

test('accounts take turns, and no turn of the event loop is longer than theirs together', async () => {
  const { schedule, spend } = stage()
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
