import type { ExecutionSnapshot } from '@millrace/engine'
import { expect, test } from 'vitest'
import { planAfter } from './plan-after.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const afterMs = 600_000
const secondsAgo = (seconds: number) => now - seconds * 1000
const execution = (state: ExecutionSnapshot['state'], endedAtMs?: number): ExecutionSnapshot => ({
  id: 'e',
  state,
  startedAtMs: undefined,
  endedAtMs,
  output: undefined,
  error: undefined,
  reply: undefined,
})

const plan = (more: { lastFiredAt?: number; lastError?: string; previous?: ExecutionSnapshot; pendingAt?: number }) => {
  const { lastFiredAt, lastError, previous, pendingAt } = more
  const trigger = { id: 't', accountId: 'a', afterMs, nextAt: new Date(now - 5), lastError }
  const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms))
  const { dueAt, nextAt } = planAfter({ ...trigger, lastFiredAt: dateOf(lastFiredAt) }, previous, dateOf(pendingAt), now)
  return { dueAt, nextAt }
}

test.each([
  ['starts the first time when it is due', {}, { dueAt: [now - 5], nextAt: now + 1_000 }],
  ['waits while a start is pending', { pendingAt: secondsAgo(1) }, { dueAt: [], nextAt: now + 1_000 }],
  ['looks when a pending start is tried again', { pendingAt: now + 600_000 }, { dueAt: [], nextAt: now + 600_000 }],
  [
    'waits while the execution runs, and looks less often the longer it runs',
    { lastFiredAt: secondsAgo(100), previous: execution('running') },
    { dueAt: [], nextAt: now + 10_000 },
  ],
  [
    'looks at least every 30 seconds',
    { lastFiredAt: secondsAgo(100_000), previous: execution('waiting') },
    { dueAt: [], nextAt: now + 30_000 },
  ],
  [
    'waits for the rest of the time after the end',
    { lastFiredAt: secondsAgo(900), previous: execution('faulted', secondsAgo(200)) },
    { dueAt: [], nextAt: now + 400_000 },
  ],
  [
    'starts at the time after the end, even if it is noticed later',
    { lastFiredAt: secondsAgo(900), previous: execution('completed', secondsAgo(700)) },
    { dueAt: [secondsAgo(100)], nextAt: now + 1_000 },
  ],
  ['counts from the start when the execution is no longer kept', { lastFiredAt: secondsAgo(300) }, { dueAt: [], nextAt: now + 300_000 }],
  [
    'waits as long after a start that failed',
    { lastFiredAt: secondsAgo(10), lastError: 'no quota', previous: execution('completed', secondsAgo(5_000)) },
    { dueAt: [], nextAt: now + 590_000 },
  ],
])('a trigger that is due after the end %s', (_what, given, wanted) => {
  expect(plan(given)).toEqual(wanted)
})
