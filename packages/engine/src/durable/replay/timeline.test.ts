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
  test('has pure tasks, though nothing of them is stored', () => {
    expect(brief(`do: [{ a: { set: { x: 1 } } }, { b: { do: [{ c: { set: { x: 2 } } }] } }]`)).toEqual([
      'a completed',
      'b completed',
      'c completed',
    ])
  })

  test('tells of each task what it was, what it got and gave and when', () => {
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

  test('shows what is under way, and what is around it', () => {
    expect(brief(`do: [{ list: { do: [{ a: { set: { x: 1 } } }, ${ask('b')}, ${ask('c')}] } }]`)).toEqual([
      'list running',
      'a completed',
      'b running',
    ])
  })

  test('shows what was under way when the execution ended as cancelled', () => {
    expect(brief(`do: [{ list: { do: [${ask('b')}] } }]`, [], true)).toEqual(['list cancelled', 'b cancelled'])
  })

  test('shows what was skipped', () => {
    expect(timeline(`do: [{ a: { if: 'false', set: { x: 1 } } }]`)).toMatchObject([
      { state: 'skipped', input: undefined, output: undefined, endedAtMs: startMs },
    ])
  })

  test('shows faults, of the task and of all that is around it', () => {
    const entries = [entry('/do/0/list/do/0/a', failure, { ok: false })]
    expect(timeline(`do: [{ list: { do: [${ask('a')}] } }]`, entries)).toMatchObject([
      { name: 'list', state: 'faulted', error: { title: 'No', instance: '/do/0/list/do/0/a' } },
      { name: 'a', state: 'faulted', error: { title: 'No' } },
    ])
  })

  test('shows a fault that comes before the task could begin', () => {
    expect(timeline(`do: [{ a: { if: 'error("no")', set: { x: 1 } } }]`)).toMatchObject([
      { state: 'faulted', input: undefined, error: { title: 'Expression error' } },
    ])
  })

  test('tells iterations apart, outermost first', () => {
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

  test('tells attempts apart, and what handles the last', () => {
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

  test('gives the attempt of the innermost try, not of one further out', () => {
    const entries = timeline(
      `do: [{ outer: { try: [{ inner: { try: [{ x: { set: { x: 1 } } }], catch: {} } }, ${ask('a')}], catch: { retry: { limit: { attempt: { count: 1 } } } } } }]`,
      [entry('/do/0/outer/try/1/a', failure, { ok: false }), entry('/do/0/outer/catch/retry', null, { kind: 'timer', decisions: 'c1c2' })],
    )
    expect(entries.map(({ name, attempt }) => `${name} ${attempt}`)).toEqual(['outer 1', 'inner 1', 'x 1', 'a 1', 'inner 2', 'x 1', 'a 2'])
  })

  test.each(['b[3]', 'b!2', 'b~1', 'try', 'catch', 'do', 'fork'])('is not misled by a task called %s', (name) => {
    const entries = timeline(JSON.stringify({ do: [{ [name]: { do: [{ [name]: { set: { x: 1 } } }] } }] }))
    expect(entries.map(({ iteration, attempt }) => ({ iteration, attempt }))).toEqual([
      { iteration: [], attempt: 1 },
      { iteration: [], attempt: 1 },
    ])
  })

  test('shows visits as runs of their own', () => {
    const entries = timeline(
      `do: [{ a: { set: '\${ { n: ((.n // 0) + 1) } }' } }, { again: { switch: [{ yes: { when: .n < 2, then: a } }] } }]`,
    )
    expect(entries.map(({ position }) => position)).toEqual(['/do/0/a', '/do/1/again', '/do/0/a~1', '/do/1/again~1'])
  })

  test('shows the losers of a race as cancelled once the execution has ended', () => {
    const entries = [entry('/do/0/f/fork/branches/0/a')]
    expect(brief(`do: [{ f: { fork: { compete: true, branches: [${ask('a')}, ${ask('b')}] } } }]`, entries, true)).toEqual([
      'f completed',
      'a completed',
      'b cancelled',
    ])
  })
})

describe('a timeline that cannot be walked to its end', () => {
  const two = `do: [${ask('a')}, ${ask('b')}, { c: { set: { x: 1 } } }]`

  test('shows an execution that diverged as far as the walk comes', () => {
    const entries = [entry('/do/0/a'), entry('/do/7/elsewhere', null, { seq: 1 })]
    expect(brief(two, entries, true)).toEqual(['a completed', 'b cancelled'])
  })

  test('shows an execution whose decisions differ as far as the walk comes', () => {
    const entries = [entry('/do/0/a'), entry('/do/1/b', null, { seq: 1, decisions: 's4' })]
    expect(brief(two, entries, true)).toEqual(['a completed', 'b cancelled'])
  })

  test('shows what a condition on a secret, which is not read for showing, leads to without it', () => {
    const yaml = `
      use: { secrets: [key] }
      do:
        - a: { if: '$secrets.key == "yes"', call: http, with: { method: get, endpoint: { uri: 'http://a' } } }
        - b: { set: { x: 1 } }`
    expect(() => timeline(yaml, [entry('/do/0/a', null, { decisions: 'i1' })], true)).not.toThrow()
  })

  test('shows a value that would print larger than any memory as what it is', () => {
    const doublings = Array.from({ length: 40 }, (_, index) => `{ d${index}: { set: { a: '\${ . }', b: '\${ . }' } } }`).join(', ')
    const entries = timeline(`do: [${doublings}]`)
    expect(entries.at(-1)?.output).toBe('(larger than 16 MiB)')
    expect(entries.at(0)?.output).toEqual({ a: { in: 1 }, b: { in: 1 } })
  })
})
