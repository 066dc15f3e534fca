import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createStreamTurns } from './stream-turns.ts'

/** Streams whose every piece takes some milliseconds of a clock that nothing else moves. */
function createStage(pieceMs: number) {
  let nowMs = 0
  const turns = createStreamTurns(() => nowMs)
  const made: string[] = []
  return {
    made,
    async stream(accountId: string, pieces: number) {
      const turn = turns.of(accountId)
      for (let piece = 0; piece < pieces; piece += 1) {
        await turn.next()
        made.push(accountId)
        nowMs += pieceMs
      }
    },
  }
}

test('pieces that take almost no time are produced without a pause', async () => {
  const { made, stream } = createStage(0)
  let rounds = 0
  const done = stream('a', 1_000)
  void setImmediate().then(() => (rounds += 1))
  await done
  expect([made.length, rounds]).toEqual([1_000, 0])
})

test('streams yield the event loop after each turn, however many they are', async () => {
  const { made, stream } = createStage(5)
  const done = Promise.all(Array.from({ length: 50 }, () => stream('a', 2)))
  for (let round = 0; round < 10; round += 1) {
    const before = made.length
    await setImmediate()
    expect(made.length - before).toBeLessThanOrEqual(2)
  }
  await done
  expect(made).toHaveLength(100)
})

test('an account with many streams does not delay one with few', async () => {
  const { made, stream } = createStage(5)
  const many = Promise.all(Array.from({ length: 50 }, () => stream('many', 4)))
  await setImmediate()
  await stream('few', 5)
  expect(made.length).toBeLessThan(20)
  await many
  expect(made.filter((account) => account === 'many')).toHaveLength(200)
})
