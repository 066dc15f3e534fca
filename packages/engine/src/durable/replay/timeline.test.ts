import { describe, expect, test } from 'vitest'
import { uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { startMs } from '#testing/walk.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { timelineOf } from '#testing/walks.ts'

const ask = (name: string) => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }`

function entry(position: string, value: JournalEntry['value'] = 'answer', more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    seq: 0,
    position,
    phase: 'ended',
    kind: 'http',
    ok: true,
    value,
    decisions: '',
    startedAtMs: startMs,
    endedAtMs: startMs,
    ...more,
  }
}

function timeline(yaml: string, entries: readonly JournalEntry[] = [], ended = false) {
  return timelineOf(uncheckedDefinitionOf(yaml), { id: 'execution', input: { in: 1 }, startedAtMs: startMs, entries }, ended)
}

const brief = (yaml: string, entries?: readonly JournalEntry[], ended?: boolean) =>
  timeline(yaml, entries, ended).map(({ name, state }) => `${name} ${state}`)

const failure = { type: 'https://t.test/x', status: 500, title: 'No' }

describe('the timeline of an execution', () => {
  test('a timeline has the pure tasks, which have no journal entries', () => {
    expect(brief(`do: [{ a: { set: { x: 1 } } }, { b: { do: [{ c: { set: { x: 2 } } }] } }]`)).toEqual([
      'a completed',
      'b completed',
      'c completed',
    ])
  })

  test('a timeline has the kind, the times, the input and the output of each task', () => {
    const [a, b] = timeline(`do: [${ask('a')}, { b: { set: { x: 1 } } }]`, [entry('/do/0/a', 'answer', { endedAtMs: startMs + 70 })])
    expect(a).toEqual({
      position: '/do/0/a',
      reference: '/do/0/a',
      name: 'a',
      kind: 'call',
      iteration: [],
      attempt: 1,
      state: 'completed',
      startedAtMs: startMs,
      endedAtMs: startMs + 70,
      input: { in: 1 },
      output: 'answer',
      error: undefined,
    })
    expect(b).toMatchObject({ kind: 'set', startedAtMs: startMs + 70, endedAtMs: startMs + 70, input: 'answer', output: { x: 1 } })
  })

  test('a timeline shows a running task and its surrounding tasks', () => {
    expect(brief(`do: [{ list: { do: [{ a: { set: { x: 1 } } }, ${ask('b')}, ${ask('c')}] } }]`)).toEqual([
      'list running',
      'a completed',
      'b running',
    ])
  })

  test('a timeline shows the open tasks of an ended execution as cancelled', () => {
    expect(brief(`do: [{ list: { do: [${ask('b')}] } }]`, [], true)).toEqual(['list cancelled', 'b cancelled'])
  })

  test('a timeline shows skipped tasks', () => {
    expect(timeline(`do: [{ a: { if: 'false', set: { x: 1 } } }]`)).toMatchObject([
      { state: 'skipped', input: undefined, output: undefined, endedAtMs: startMs },
    ])
  })

  test('a timeline shows the fault of a task and of its surrounding tasks', () => {
    const entries = [entry('/do/0/list/do/0/a', failure, { ok: false })]
    expect(timeline(`do: [{ list: { do: [${ask('a')}] } }]`, entries)).toMatchObject([
      { name: 'list', state: 'faulted', error: { title: 'No', instance: '/do/0/list/do/0/a' } },
      { name: 'a', state: 'faulted', error: { title: 'No' } },
    ])
  })

  test('a timeline shows a fault from before the task began', () => {
    expect(timeline(`do: [{ a: { if: 'error("no")', set: { x: 1 } } }]`)).toMatchObject([
      { state: 'faulted', input: undefined, error: { title: 'Expression error' } },
    ])
  })

  test('a timeline numbers iterations, outermost first', () => {
    const inner = `{ inner: { for: { each: j, in: '[1, 2]' }, do: [{ b: { set: { x: 1 } } }] } }`
    const entries = timeline(`do: [{ outer: { for: { in: '[1, 2]' }, do: [${inner}] } }]`)
    expect(entries.filter(({ name }) => name === 'b').map(({ iteration }) => iteration)).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ])
    expect(entries.filter(({ name }) => name === 'inner').map(({ iteration }) => iteration)).toEqual([[0], [1]])
  })

  test('a timeline numbers attempts, and shows the handler of the last one', () => {
    const entries = timeline(
      `do: [{ t: { try: [${ask('a')}], catch: { retry: { limit: { attempt: { count: 1 } } }, do: [{ h: { set: { x: 1 } } }] } } }]`,
      [
        entry('/do/0/t/try/0/a', failure, { ok: false }),
        entry('/do/0/t/catch/retry', null, { kind: 'timer', decisions: 'c1c2' }),
        entry('/do/0/t!1/try/0/a', failure, { ok: false }),
      ],
    )
    expect(entries.map(({ name, attempt, state }) => `${name} ${attempt} ${state}`)).toEqual([
      't 1 completed',
      'a 1 faulted',
      'a 2 faulted',
      'h 2 completed',
    ])
  })

  test('a timeline has the attempt of the innermost try', () => {
    const entries = timeline(
      `do: [{ outer: { try: [{ inner: { try: [{ x: { set: { x: 1 } } }], catch: {} } }, ${ask('a')}], catch: { retry: { limit: { attempt: { count: 1 } } } } } }]`,
      [entry('/do/0/outer/try/1/a', failure, { ok: false }), entry('/do/0/outer/catch/retry', null, { kind: 'timer', decisions: 'c1c2' })],
    )
    expect(entries.map(({ name, attempt }) => `${name} ${attempt}`)).toEqual(['outer 1', 'inner 1', 'x 1', 'a 1', 'inner 2', 'x 1', 'a 2'])
  })

  test.each(['b[3]', 'b!2', 'b~1', 'try', 'catch', 'do', 'fork'])(
    'a timeline has the right iteration and attempt for a task named %s',
    (name) => {
      const entries = timeline(JSON.stringify({ do: [{ [name]: { do: [{ [name]: { set: { x: 1 } } }] } }] }))
      expect(entries.map(({ iteration, attempt }) => ({ iteration, attempt }))).toEqual([
        { iteration: [], attempt: 1 },
        { iteration: [], attempt: 1 },
      ])
    },
  )

  test('a timeline has an entry for each visit', () => {
    const entries = timeline(
      `do: [{ a: { set: '\${ { n: ((.n // 0) + 1) } }' } }, { again: { switch: [{ yes: { when: .n < 2, then: a } }] } }]`,
    )
    expect(entries.map(({ position }) => position)).toEqual(['/do/0/a', '/do/1/again', '/do/0/a~1', '/do/1/again~1'])
  })

  test('a timeline shows the losers of a race as cancelled, before the execution ends', () => {
    const entries = [entry('/do/0/f/fork/branches/0/a')]
    const slow = `{ slow: { do: [${ask('b')}] } }`
    expect(brief(`do: [{ f: { fork: { compete: true, branches: [${ask('a')}, ${slow}] } } }, ${ask('c')}]`, entries, false)).toEqual([
      'f completed',
      'a completed',
      'slow cancelled',
      'b cancelled',
      'c running',
    ])
  })

  test('a timeline shows what a fault cut off in the rounds of a loop as cancelled, before the execution ends', () => {
    const loop = `{ each: { for: { each: x, in: '\${ [1, 2] }' }, metadata: { concurrency: 2 }, do: [${ask('a')}] } }`
    const failed = { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 500, title: 'Broken' }
    const entries = [entry('/do/0/t/try/0/each[0]/do/0/a', failed, { ok: false })]
    expect(brief(`do: [{ t: { try: [${loop}], catch: {} } }, ${ask('c')}]`, entries, false)).toEqual([
      't completed',
      'each faulted',
      'a faulted',
      'a cancelled',
      'c running',
    ])
  })
})

describe('a timeline of an execution that cannot be replayed completely', () => {
  const two = `do: [${ask('a')}, ${ask('b')}, { c: { set: { x: 1 } } }]`

  test('the timeline of an execution that diverged ends at the divergence', () => {
    const entries = [entry('/do/0/a'), entry('/do/7/elsewhere', null, { seq: 1 })]
    expect(brief(two, entries, true)).toEqual(['a completed', 'b cancelled'])
  })

  test('the timeline of an execution whose decisions differ ends at the difference', () => {
    const entries = [entry('/do/0/a'), entry('/do/1/b', null, { seq: 1, decisions: 's4' })]
    expect(brief(two, entries, true)).toEqual(['a completed', 'b cancelled'])
  })

  test('a timeline evaluates a condition on a secret without the secret', () => {
    const yaml = `
      use: { secrets: [key] }
      do:
        - a: { if: '$secrets.key == "yes"', call: http, with: { method: get, endpoint: { uri: 'http://a' } } }
        - b: { set: { x: 1 } }`
    expect(() => timeline(yaml, [entry('/do/0/a', null, { decisions: 'i1' })], true)).not.toThrow()
  })

  test('a value that cannot be computed without a secret is not shown, and the timeline continues', () => {
    const yaml = `
      use: { secrets: [key] }
      do:
        - whole: { set: { header: '\${ "Bearer " + $secrets.key }' } }
        - part: { set: { host: '\${ $secrets.key | fromjson | .host }' } }
        - choose: { if: '\${ $secrets.key | fromjson }', set: { x: 1 } }
        - last: { set: { done: true } }`
    const entries = timeline(yaml, [], true)
    expect(entries.map(({ name, state, output }) => [name, state, output])).toEqual([
      ['whole', 'completed', { header: 'Bearer ***' }],
      ['part', 'completed', { host: '(uses a secret: not shown)' }],
      ['choose', 'skipped', undefined],
      ['last', 'completed', { done: true }],
    ])
    const source = { id: 'execution', input: null, startedAtMs: startMs, entries: [], error: { instance: '/do/1/part' } }
    expect(timelineOf(uncheckedDefinitionOf(yaml), source, true).map(({ name, state }) => [name, state])).toEqual([
      ['whole', 'completed'],
      ['part', 'faulted'],
    ])
  })

  test('a timeline describes a value that is too large to print', () => {
    const doublings = Array.from({ length: 40 }, (_, index) => `{ d${index}: { set: { a: '\${ . }', b: '\${ . }' } } }`).join(', ')
    const entries = timeline(`do: [${doublings}]`)
    expect(entries.at(-1)?.output).toBe('(larger than 16 MiB)')
    expect(entries.at(0)?.output).toEqual({ a: { in: 1 }, b: { in: 1 } })
  })
})
