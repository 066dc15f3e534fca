import { expect, test } from 'vitest'
import type { Foretelling } from './generate-workflows.ts'
import { invariants, promised } from './invariants.ts'
import type { BookedEffect } from './ledger-book.ts'
import { msWithout, type Observations, type ObservedExecution } from './observations.ts'

const foretelling: Foretelling = { end: { state: 'completed', n: 7 }, effects: new Map([['pay', 1]]), detached: 1, answer: 5 }
const childForetelling: Foretelling = { end: { state: 'completed', n: 1 }, effects: new Map(), detached: 0, answer: undefined }
const foretell = (versionId: string) => (versionId === 'child' ? childForetelling : foretelling)

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
const givenUp = { type: 'https://test/runtime', title: 'Given up' }

/** A run in which all went well. */
const well: Observations = {
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
  deaths: [],
}

function broken(seen: Observations): readonly string[] {
  return invariants.filter(({ broken: look }) => look(seen, foretell, promised).length > 0).map(({ name }) => name)
}

test('a run in which all went well breaks nothing', () => {
  expect(broken(well)).toEqual([])
})

const [ended, right, once, children, left, again, keys, recovered, timers, replay, deaths] = invariants.map(({ name }) => name)

test.for<readonly [string, Partial<Observations>, readonly (string | undefined)[]]>([
  ['a start that nobody acknowledged', { starts: [{ token: 0, versionId: 'main', n: 3, acknowledged: new Set() }] }, [ended]],
  ['an acknowledged execution that is gone', { executions: [child], effects: new Map() }, [ended]],
  ['an execution that still runs', { executions: [{ ...main, state: 'running' }, child] }, [ended, right]],
  ['a child that still waits', { executions: [main, { ...child, state: 'waiting' }] }, [ended, right]],
  ['another output than was foretold', { executions: [{ ...main, output: { n: 8 } }, child] }, [right]],
  [
    'a fault that was not foretold',
    { executions: [{ ...main, state: 'faulted', output: undefined, error: { type: 'x', title: 'X' } }, child] },
    [right],
  ],
  ['another answer than was foretold', { executions: [{ ...main, answer: { n: 6 } }, child] }, [right]],
  ['an effect that was left out', { effects: new Map(), outcomes: new Map() }, [right]],
  [
    'an effect that nobody foretold',
    {
      effects: new Map([
        ['key-1', effect],
        ['key-2', { ...effect, label: 'steal' }],
      ]),
    },
    [right],
  ],
  ['an execution that was cancelled by nobody', { executions: [{ ...main, state: 'cancelled', output: undefined }, child] }, [right]],
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
  ['a claim that is left', { left: { ...well.left, claimed: 1 } }, [left]],
  ['a listener that is left', { left: { ...well.left, listeners: 1 } }, [left]],
  ['a message that is left', { left: { ...well.left, messages: 1 } }, [left]],
  ['a wait that is left', { left: { ...well.left, waits: 1 } }, [left]],
  ['an effect asked for again after its outcome was written', { outcomes: new Map([['key-1', 999]]) }, [again]],
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
    'an effect for an execution that there is not',
    {
      effects: new Map([
        ['key-1', effect],
        ['key-2', { ...effect, executionId: 'nobody' }],
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
    'what never went on',
    { recoveries: [{ executionId: 'one', pid: 1, killedAtMs: 0, takenUpAtMs: 1, progressAtMs: undefined }] },
    [recovered],
  ],
  ['a timer that fired early', { timers: [{ executionId: 'one', position: '/', dueAtMs: 1_000, firedAtMs: 999 }] }, [timers]],
  ['a timer that fired late', { timers: [{ executionId: 'one', position: '/', dueAtMs: 1_000, firedAtMs: 3_001 }] }, [timers]],
  ['a journal that leads elsewhere', { differences: ['one'] }, [replay]],
  ['a process that ended by itself', { deaths: ['process 1'] }, [deaths]],
  ['what was given up without a dead letter', { executions: [{ ...main, state: 'faulted', error: givenUp }, child] }, [ended, right]],
  [
    'a dead letter that did not go on',
    { executions: [{ ...main, state: 'faulted', error: givenUp }, child], deadLettered: new Set(['one']) },
    [ended],
  ],
])('%s is seen', ([, change, wanted]) => {
  expect(broken({ ...well, ...change })).toEqual(wanted)
})

test('what was given up by design and went on in a new execution is well', () => {
  const letter = { ...main, state: 'faulted', output: undefined, answer: undefined, error: givenUp }
  const next = { ...main, id: 'next', retryOf: 'one', answer: undefined }
  const repeated = new Map([
    ['key-1', effect],
    ['key-2', { ...effect, executionId: 'next' }],
  ])
  expect(broken({ ...well, executions: [letter, child, next], deadLettered: new Set(['one']), effects: repeated })).toEqual([])
})

test('a timer whose process was killed may fire with the recovery, and no later', () => {
  const timer = { executionId: 'one', position: '/', dueAtMs: 1_000, firedAtMs: 9_000 }
  const recovery = { executionId: 'one', pid: 1, killedAtMs: 500, takenUpAtMs: 7_000, progressAtMs: 9_000 }
  expect(broken({ ...well, timers: [timer], recoveries: [recovery] })).toEqual([])
  expect(broken({ ...well, timers: [timer], recoveries: [{ ...recovery, takenUpAtMs: 6_999 }] })).toEqual([timers])
  expect(broken({ ...well, timers: [timer], recoveries: [{ ...recovery, executionId: 'another' }] })).toEqual([timers])
})

test('outages do not count, however they overlap', () => {
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
