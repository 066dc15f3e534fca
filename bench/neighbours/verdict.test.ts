import { expect, test } from 'vitest'
import { attacks } from './catalogue.ts'
import { type AttackOutcome, promised, verdictOf, verdictOfTermination, worstSlowdown } from './verdict.ts'
import type { Measured } from './observer.ts'
import { type Series, summarize } from './series.ts'

const [attack = { name: '', family: 'volume', open: () => Promise.reject(new Error('unused')) }] = attacks

function series(ms: number, more: Partial<Series> = {}): Series {
  return { count: 100, p50: ms, p90: ms, p99: ms, max: ms, failed: 0, failures: [], ...more }
}

function measured(more: Partial<Measured> = {}): Measured {
  return { health: series(2), control: series(1), victim: { run: series(10), read: series(4) }, ...more }
}

function outcome(under: Partial<Measured> = {}, more: Partial<AttackOutcome> = {}): AttackOutcome {
  return {
    attack,
    unprepared: undefined,
    quiet: measured(),
    under: measured(under),
    assailed: { statuses: { 200: 9 }, sent: 9 },
    settled: { open: 3, left: 0, faulted: 9, faults: [] },
    deadLetters: 0,
    died: false,
    ...more,
  }
}

test('a server with unchanged latencies violates no bound', () => {
  expect(verdictOf(outcome(), promised)).toEqual([])
  expect(verdictOf(outcome({ health: series(49, { max: 250 }), victim: { run: series(50), read: series(25) } }), promised)).toEqual([])
})

test.each([
  ['a health that is late once', outcome({ health: series(2, { max: 300 }) }), '/health max 300 ms'],
  ['a health that is late often', outcome({ health: series(60) }), '/health p99 60 ms'],
  [
    'a health without an answer',
    outcome({ health: series(2, { failed: 1, failures: ['unanswered'] }) }),
    '1 of 100 requests for /health failed',
  ],
  ['a victim that waits', outcome({ victim: { run: series(51) } }), 'run p90 51 ms, 5.1 times the quiet median of 10 ms'],
  ['a victim that fails', outcome({ victim: { run: series(9, { failed: 1, failures: ['500 x'] }) } }), 'failed: run: 500 x'],
  ['a dead letter', outcome({}, { deadLetters: 1 }), '1 dead letters'],
  ['executions without an end', outcome({}, { settled: { open: 2, left: 2, faulted: 0, faults: [] } }), '2 executions did not end'],
  [
    'executions whose state is unknown',
    outcome({}, { settled: { open: 0, left: undefined, faulted: 0, faults: [] } }),
    'an unknown number',
  ],
  ['a server that is no more', outcome({}, { died: true }), 'the server died'],
  ['an attack without preparation', outcome({}, { unprepared: 'too late' }), 'not prepared: too late'],
])('the verdict names %s', (_, broken, reason) => {
  expect(verdictOf(broken, promised)).toEqual([expect.stringContaining(reason)])
})

test('what the control waited as well is not blamed on the server', () => {
  const standstill = { health: series(500), control: series(480), victim: { run: series(510) } }
  expect(verdictOf(outcome(standstill), promised)).toEqual([])
})

test('the verdict names the operation with the largest slowdown, and ignores a few milliseconds', () => {
  expect(worstSlowdown(outcome({ victim: { run: series(30), read: series(20) } }), promised)).toMatchObject({ act: 'read', times: 4 })
})

test('a server that had to be killed has broken its promise', () => {
  const ending = { ms: 15_000, killed: true }
  const afterwards = measured()
  expect(verdictOfTermination({ ending, restartMs: 900, quiet: measured(), afterwards }, promised)).toEqual(['did not end within 15000 ms'])
})

test('requests that could not be sent while an answer was late count as late', () => {
  const prompt = Array.from({ length: 60 }, () => ({ ms: 1 }))
  // Forty requests would have been sent within this second.
  expect(summarize([...prompt, { ms: 1_000 }], 25)).toMatchObject({ count: 61, p50: 1, p90: 775, max: 1_000, failed: 0 })
})
