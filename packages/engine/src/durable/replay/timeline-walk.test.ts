import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryWorkflow } from '#testing/arbitrary-workflow.ts'
import { uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { simulate, startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { createTimelineWalk, timelineOf } from '#testing/walks.ts'

const source = { id: 'exec', input: {}, startedAtMs }
const choices = fc.array(fc.nat({ max: 10_000 }), { maxLength: 60 })

const ask = (name: string) => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }`

function entry(position: string, more: Partial<JournalEntry> = {}): JournalEntry {
  const times = { startedAtMs, endedAtMs: startedAtMs }
  return { seq: 0, position, phase: 'ended', kind: 'http', ok: true, value: 'answer', decisions: '', ...times, ...more }
}

function walkOf(yaml: string) {
  const walk = createTimelineWalk(uncheckedDefinitionOf(yaml), source)
  const statesOf = (indices: readonly number[]) => indices.map((index) => `${walk.entries[index]?.name} ${walk.entries[index]?.state}`)
  return {
    first: statesOf(walk.first),
    deliver: (position: string, more?: Partial<JournalEntry>) => statesOf(walk.deliver(entry(position, more))),
    end: () => statesOf(walk.end()),
  }
}

describe('laws of the walk', () => {
  test('the changes of a walk add up to the timeline, at every length of the journal', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, choices, (workflow, order) => {
        const { journal } = simulate(workflow, order)
        const walk = createTimelineWalk(workflow, source)
        const seen = walk.first.map((index) => walk.entries[index])
        for (const [index, next] of journal.entries()) {
          for (const changed of walk.deliver(next)) seen[changed] = walk.entries[changed]
          expect(seen).toEqual(timelineOf(workflow, { ...source, entries: journal.slice(0, index + 1) }, false))
        }
        for (const changed of walk.end()) seen[changed] = walk.entries[changed]
        expect(seen).toEqual(timelineOf(workflow, { ...source, entries: journal }, true))
      }),
      { numRuns: 300 },
    )
  })

  test('two walks over one journal return the same changes in the same order', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, choices, (workflow, order) => {
        const { journal } = simulate(workflow, order)
        const changesOf = () => {
          const walk = createTimelineWalk(workflow, source)
          return [walk.first, ...journal.map((next) => walk.deliver(next)), walk.end()]
        }
        expect(changesOf()).toEqual(changesOf())
      }),
      { numRuns: 300 },
    )
  })

  test('new entries are appended, and only changed entries are returned', () => {
    fc.assert(
      fc.property(arbitraryWorkflow, choices, (workflow, order) => {
        const { journal } = simulate(workflow, order)
        const walk = createTimelineWalk(workflow, source)
        const before: unknown[] = []
        let known = 0
        for (const indices of [walk.first, ...journal.map((next) => () => walk.deliver(next))]) {
          const changed = typeof indices === 'function' ? indices() : indices
          expect(changed).toEqual(changed.toSorted((left, right) => left - right))
          for (const index of changed) {
            expect(walk.entries[index]).not.toEqual(before[index])
            before[index] = walk.entries[index]
            // New entries have consecutive indices.
            if (index >= known) expect(index).toBe(known++)
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a task', () => {
  test('a task is returned when it begins and when it ends', () => {
    const walk = walkOf(`do: [{ list: { do: [${ask('a')}, ${ask('b')}] } }]`)
    expect(walk.first).toEqual(['list running', 'a running'])
    expect(walk.deliver('/do/0/list/do/0/a')).toEqual(['a completed', 'b running'])
    expect(walk.deliver('/do/0/list/do/1/b')).toEqual(['list completed', 'b completed'])
  })

  test.each([
    ['a time', '{ w: { wait: { hours: 1 } } }'],
    ['an event', '{ w: { listen: { to: { one: { with: { type: t } } } } } }'],
    ['another execution', "{ w: { run: { workflow: { namespace: n, name: m, version: '1.0.0' } } } }"],
  ])('a task that waits for %s is waiting, and its surrounding task is running', (_what, task) => {
    expect(walkOf(`do: [{ list: { do: [${task}] } }]`).first).toEqual(['list running', 'w waiting'])
  })

  test('a task with a timeout is running, not waiting', () => {
    const call = `{ a: { call: http, with: { method: get, endpoint: { uri: 'http://a' } }, timeout: { after: { hours: 1 } } } }`
    expect(walkOf(`do: [${call}]`).first).toEqual(['a running'])
  })

  test('a try task is running while it waits for its next attempt', () => {
    const walk = walkOf(`do: [{ t: { try: [${ask('a')}], catch: { retry: { delay: { hours: 1 }, limit: { attempt: { count: 1 } } } } } }]`)
    const error = { type: 'https://t.test/x', status: 500, title: 'No' }
    expect(walk.deliver('/do/0/t/try/0/a', { ok: false, value: error })).toEqual(['t running', 'a faulted'])
    expect(walk.deliver('/do/0/t/catch/retry', { kind: 'timer', value: null, decisions: 'c1c2' })).toEqual(['t running', 'a running'])
  })

  test.each([
    ['a time', '{ w: { wait: { hours: 1 } } }', { what: 'time', untilMs: startedAtMs + 3_600_000 }],
    [
      'a time, in a task with the name of a part of positions',
      '{ timeout: { wait: { hours: 1 } } }',
      { what: 'time', untilMs: startedAtMs + 3_600_000 },
    ],
    [
      'an event, with the values by which it is recognized and the timeout of the task',
      `{ w: { listen: { to: { one: { with: { type: t, source: 'http://s' }, correlate: { order: { from: .id, expect: '\${ 4711 }' } } } } }, timeout: { after: { hours: 2 } } } }`,
      {
        what: 'event',
        untilMs: startedAtMs + 7_200_000,
        events: [{ attributes: { type: 't', source: 'http://s' }, correlation: { order: 4711 } }],
      },
    ],
    [
      'another execution',
      "{ w: { run: { workflow: { namespace: n, name: m, version: '1.0.0' } } } }",
      { what: 'execution', untilMs: undefined, workflow: 'm' },
    ],
  ])('a task says that it waits for %s', (_what, task, waitsFor) => {
    const walk = createTimelineWalk(uncheckedDefinitionOf(`do: [${task}]`), source)
    expect(walk.entries.map((one) => one.waitsFor)).toEqual([waitsFor])
    walk.end()
    expect(walk.entries.map((one) => one.waitsFor)).toEqual([undefined])
  })

  test('a task that takes several events waits for those that did not come yet', () => {
    const walk = createTimelineWalk(
      uncheckedDefinitionOf('do: [{ w: { listen: { to: { all: [{ with: { type: a } }, { with: { type: b } }] } } } }]'),
      source,
    )
    const types = () => walk.entries[0]?.waitsFor?.events?.map(({ attributes }) => attributes.type)
    expect(types()).toEqual(['a', 'b'])
    walk.deliver(entry('/do/0/w/event/0', { kind: 'message', value: { role: 'event', index: 0, event: { data: null } } }))
    expect(types()).toEqual(['b'])
  })

  test('a try task says when it makes which attempt, of how many', () => {
    const retry = '{ delay: { hours: 1 }, limit: { attempt: { count: 2 } } }'
    const walk = createTimelineWalk(uncheckedDefinitionOf(`do: [{ t: { try: [${ask('a')}], catch: { retry: ${retry} } } }]`), source)
    const fails = (position: string, decisions = '') =>
      walk.deliver(entry(position, { ok: false, value: { type: 'https://t.test/x', status: 500, title: 'No' }, decisions }))
    fails('/do/0/t/try/0/a')
    const untilMs = startedAtMs + 3_600_000
    expect(walk.entries[0]).toMatchObject({ state: 'running', waitsFor: { what: 'retry', untilMs, attempt: 2, attemptsMax: 3 } })
    walk.deliver(entry('/do/0/t/catch/retry', { kind: 'timer', value: null, decisions: 'c1c2' }))
    expect(walk.entries[0]?.waitsFor).toBeUndefined()
    fails('/do/0/t!1/try/0/a')
    expect(walk.entries[0]?.waitsFor).toMatchObject({ what: 'retry', attempt: 3, attemptsMax: 3 })
  })

  test('a task that is open when the execution ends is returned as cancelled, once', () => {
    const walk = walkOf(`do: [${ask('a')}, { w: { wait: { hours: 1 } } }]`)
    expect(walk.deliver('/do/0/a')).toEqual(['a completed', 'w waiting'])
    expect(walk.end()).toEqual(['w cancelled'])
    expect(walk.end()).toEqual([])
  })
})

test('after an entry that diverges, only the end changes the timeline', () => {
  const walk = walkOf(`do: [${ask('a')}, ${ask('b')}]`)
  expect(walk.deliver('/do/7/elsewhere')).toEqual([])
  expect(walk.deliver('/do/0/a')).toEqual([])
  expect(walk.end()).toEqual(['a cancelled'])
})

test('the start of a wait changes nothing in its task', () => {
  const walk = walkOf(`do: [{ w: { listen: { to: { one: { with: { type: t } } } } } }]`)
  expect(walk.deliver('/do/0/w', { phase: 'started', kind: 'wait', value: 'events' })).toEqual([])
})
