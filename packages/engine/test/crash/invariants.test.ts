import { expect, test } from 'vitest'
import type { Prediction } from './generate-workflows.ts'
import { invariants, guaranteedLimits } from './invariants.ts'
import type { BookedEffect } from './ledger-book.ts'
import { msWithout, type Observations, type ObservedExecution } from './observations.ts'

const prediction: Prediction = { end: { state: 'completed', n: 7 }, effects: new Map([['pay', 1]]), detached: 1, answer: 5 }
const childPrediction: Prediction = { end: { state: 'completed', n: 1 }, effects: new Map(), detached: 0, answer: undefined }
const predict = (versionId: string) => (versionId === 'child' ? childPrediction : prediction)

const main: ObservedExecution = {
  id: 'one',
  versionId: 'main',
  n: 3,
  state: 'completed',
  output: { n: 7 },
  error: undefined,
  answer: { n: 5 },
  parentId: undefined,
  actor: 'system:crash',
  retryOf: undefined,
}
const child: ObservedExecution = { ...main, id: 'two', versionId: 'child', output: { n: 1 }, answer: undefined, actor: 'execution:one' }
const effect: BookedEffect = { executionId: 'one', label: 'pay', answer: { status: 200, body: { add: 1 } }, requests: 2, lastAtMs: 1_000 }
const deadLetterError = { type: 'https://test/runtime', title: 'Dead letter' }

/** A run without violations. */
const flawless: Observations = {
  starts: [{ token: 0, versionId: 'main', n: 3, acknowledged: new Set(['one']) }],
  executions: [main, child],
  keys: new Map([['start-0', ['one']]]),
  deadLettered: new Set(),
  left: { claimed: 0, waits: 0, listeners: 0, messages: 0 },
  effects: new Map([['key-1', effect]]),
  outcomes: new Map([['key-1', 1_005]]),
  recoveries: [{ executionId: 'one', pid: 1, killedAtMs: 0, takenUpAtMs: 100, progressAtMs: 30_000 }],
  timers: [{ executionId: 'one', position: '/do/0/wait', dueAtMs: 1_000, firedAtMs: 3_000 }],
  outages: [],
  differences: [],
  usage: [{ accountId: 'a', metered: { executions: 2, tasks: 1 }, counted: { executions: 2, tasks: 1 } }],
  deaths: [],
}

function broken(seen: Observations): readonly string[] {
  return invariants.filter(({ broken: look }) => look(seen, predict, guaranteedLimits).length > 0).map(({ name }) => name)
}

test('a flawless run violates no invariant', () => {
  expect(broken(flawless)).toEqual([])
})

const [ended, asExpected, once, children, left, repeated, keys, recovered, timers, replay, usage, deaths] = invariants.map(
  ({ name }) => name,
)

test.for<readonly [string, Partial<Observations>, readonly (string | undefined)[]]>([
  ['a start without acknowledgement', { starts: [{ token: 0, versionId: 'main', n: 3, acknowledged: new Set() }] }, [ended]],
  ['an acknowledged execution that is gone', { executions: [child], effects: new Map() }, [ended]],
  ['an execution that is still running', { executions: [{ ...main, state: 'running' }, child] }, [ended, asExpected]],
  ['a child that is still waiting', { executions: [main, { ...child, state: 'waiting' }] }, [ended, asExpected]],
  ['an unexpected output', { executions: [{ ...main, output: { n: 8 } }, child] }, [asExpected]],
  [
    'an unexpected fault',
    { executions: [{ ...main, state: 'faulted', output: undefined, error: { type: 'x', title: 'X' } }, child] },
    [asExpected],
  ],
  ['an unexpected reply', { executions: [{ ...main, answer: { n: 6 } }, child] }, [asExpected]],
  ['a missing effect', { effects: new Map(), outcomes: new Map() }, [asExpected]],
  [
    'an unexpected effect',
    {
      effects: new Map([
        ['key-1', effect],
        ['key-2', { ...effect, label: 'steal' }],
      ]),
    },
    [asExpected],
  ],
  ['an execution cancelled without a request', { executions: [{ ...main, state: 'cancelled', output: undefined }, child] }, [asExpected]],
  ['two executions for one start', { keys: new Map([['start-0', ['one', 'two']]]) }, [once]],
  ['a start without its execution', { keys: new Map() }, [once]],
  [
    'two ids acknowledged for one start',
    { starts: [{ token: 0, versionId: 'main', n: 3, acknowledged: new Set(['one', 'two']) }] },
    [once],
  ],
  [
    'an execution of no start',
    { executions: [main, child, { ...main, id: 'three', versionId: 'child', output: { n: 1 }, answer: undefined }] },
    [once],
  ],
  ['a child that was started twice', { executions: [main, child, { ...child, id: 'three' }] }, [children]],
  ['a child that was never started', { executions: [main] }, [children]],
  ['a remaining claim', { left: { ...flawless.left, claimed: 1 } }, [left]],
  ['a remaining listener', { left: { ...flawless.left, listeners: 1 } }, [left]],
  ['a remaining message', { left: { ...flawless.left, messages: 1 } }, [left]],
  ['a remaining wait', { left: { ...flawless.left, waits: 1 } }, [left]],
  ['an effect repeated after its outcome was journalled', { outcomes: new Map([['key-1', 999]]) }, [repeated]],
  [
    'an effect under two keys',
    {
      effects: new Map([
        ['key-1', effect],
        ['key-2', effect],
      ]),
    },
    [keys],
  ],
  [
    'an effect of an unknown execution',
    {
      effects: new Map([
        ['key-1', effect],
        ['key-2', { ...effect, executionId: 'unknown' }],
      ]),
    },
    [keys],
  ],
  [
    'a recovery that took longer than 30 s',
    { recoveries: [{ executionId: 'one', pid: 1, killedAtMs: 0, takenUpAtMs: 1, progressAtMs: 30_001 }] },
    [recovered],
  ],
  [
    'an execution without progress after a kill',
    { recoveries: [{ executionId: 'one', pid: 1, killedAtMs: 0, takenUpAtMs: 1, progressAtMs: undefined }] },
    [recovered],
  ],
  ['a timer that fired early', { timers: [{ executionId: 'one', position: '/', dueAtMs: 1_000, firedAtMs: 999 }] }, [timers]],
  ['a timer that fired late', { timers: [{ executionId: 'one', position: '/', dueAtMs: 1_000, firedAtMs: 3_001 }] }, [timers]],
  ['a journal that leads elsewhere', { differences: ['one'] }, [replay]],
  [
    'a task that was metered twice',
    { usage: [{ accountId: 'a', metered: { executions: 2, tasks: 2 }, counted: { executions: 2, tasks: 1 } }] },
    [usage],
  ],
  ['a process that ended by itself', { deaths: ['process 1'] }, [deaths]],
  [
    'a dead letter that is not listed as one',
    { executions: [{ ...main, state: 'faulted', error: deadLetterError }, child] },
    [ended, asExpected],
  ],
  [
    'a dead letter without a retry',
    { executions: [{ ...main, state: 'faulted', error: deadLetterError }, child], deadLettered: new Set(['one']) },
    [ended],
  ],
])('a violation is detected: %s', ([, change, wanted]) => {
  expect(broken({ ...flawless, ...change })).toEqual(wanted)
})

test('a dead letter with a retry that reached the expected end violates no invariant', () => {
  const letter = { ...main, state: 'faulted', output: undefined, answer: undefined, error: deadLetterError }
  const next = { ...main, id: 'next', retryOf: 'one', answer: undefined }
  const effectsWithRetry = new Map([
    ['key-1', effect],
    ['key-2', { ...effect, executionId: 'next' }],
  ])
  expect(broken({ ...flawless, executions: [letter, child, next], deadLettered: new Set(['one']), effects: effectsWithRetry })).toEqual([])
})

test('a timer of a killed process may fire with the recovery, and no later', () => {
  const timer = { executionId: 'one', position: '/', dueAtMs: 1_000, firedAtMs: 9_000 }
  const recovery = { executionId: 'one', pid: 1, killedAtMs: 500, takenUpAtMs: 7_000, progressAtMs: 9_000 }
  expect(broken({ ...flawless, timers: [timer], recoveries: [recovery] })).toEqual([])
  expect(broken({ ...flawless, timers: [timer], recoveries: [{ ...recovery, takenUpAtMs: 6_999 }] })).toEqual([timers])
  expect(broken({ ...flawless, timers: [timer], recoveries: [{ ...recovery, executionId: 'another' }] })).toEqual([timers])
})

test('overlapping outages are subtracted once', () => {
  const outages = [
    { fromMs: 200, toMs: 400, what: 'later' },
    { fromMs: 100, toMs: 300, what: 'first' },
    { fromMs: 900, toMs: 2_000, what: 'over the end' },
    { fromMs: 0, toMs: 20, what: 'before' },
  ]
  expect(msWithout(outages, 50, 1_000)).toBe(50 + 500)
  expect(msWithout([], 50, 1_000)).toBe(950)
  expect(msWithout([{ fromMs: 0, toMs: 5_000, what: 'all' }], 50, 1_000)).toBe(0)
})
