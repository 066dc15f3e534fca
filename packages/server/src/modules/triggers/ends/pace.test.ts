import { expect, test } from 'vitest'
import { waitingMax } from '#modules/triggers/firing/skip-store.ts'
import { type Pace, startsMax, takeTurn } from './pace.ts'

/** The turns of firings that ask one after the other. */
function turnsOf(count: number, first: Pace, nowMs: number) {
  let pace = first
  const turns = Array.from({ length: count }, () => {
    const { turn, next } = takeTurn(pace, nowMs)
    pace = next
    return turn
  })
  return { turns, pace }
}

test('ends start up to sixty executions a minute, the next thousand wait in their order, and further ones start nothing', () => {
  const { turns } = turnsOf(startsMax + waitingMax + 2, { sinceMs: 0, started: 0, waiting: 0 }, 1_000_000)
  expect(turns.slice(0, startsMax).every((turn) => turn === 'now')).toBe(true)
  const times = turns.flatMap((turn) => (typeof turn === 'object' ? [turn.atMs] : []))
  expect(times).toHaveLength(waitingMax)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  const ofMinute = Map.groupBy(times, (atMs) => Math.floor((atMs - 1_000_000) / 60_000))
  expect([...ofMinute.values()].every(({ length }) => length <= startsMax)).toBe(true)
  expect(turns.slice(-2)).toEqual(['never', 'never'])
})

test('a minute after its begin a window is over, and the next firing begins another one', () => {
  const full = { sinceMs: 0, started: startsMax, waiting: waitingMax }
  expect(takeTurn(full, 59_999).turn).toBe('never')
  expect(takeTurn(full, 60_000)).toEqual({ turn: 'now', next: { sinceMs: 60_000, started: 1, waiting: waitingMax } })
})
