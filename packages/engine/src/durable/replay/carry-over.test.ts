import { describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { carryOver, createReplay } from '#testing/walks.ts'

const ask = (name: string, more = '') => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } ${more} } }`
const executionOf = (yaml: string, input: Json = {}) => ({
  id: 'old',
  workflow: definitionOf(yaml),
  input,
  startedAtMs,
  secrets: {},
  runtime: {},
})

type OutcomeAt = readonly [position: string, value: Json, more?: Partial<JournalEntry>]
const down = standardError('communication', 'down').data
const failed = { ok: false } as const

/** A journal of these outcomes, with the decisions of the walk. */
function journalOf(old: ReturnType<typeof executionOf>, outcomes: readonly OutcomeAt[]): readonly JournalEntry[] {
  const walk = createReplay(old.workflow, old, {}, {})
  return outcomes.map(([position, value, more = {}], seq) => {
    const decisions = walk.machine.pending.get(position)?.decisions ?? ''
    const times = { startedAtMs, endedAtMs: startedAtMs + seq }
    const entry: JournalEntry = { seq, position, phase: 'ended', kind: 'http', ok: true, value, decisions, ...times, ...more }
    walk.deliver(entry)
    return entry
  })
}

function carried(yaml: string, outcomes: readonly OutcomeAt[], retryYaml = yaml, input: Json = {}): readonly (readonly [string, Json])[] {
  const old = executionOf(yaml)
  const next = retryYaml === yaml ? { ...old, id: 'retry', input } : { ...executionOf(retryYaml, input), id: 'retry' }
  const entries = carryOver({ ...old, entries: journalOf(old, outcomes) }, next)
  const walk = createReplay(next.workflow, next, {}, {})
  for (const entry of entries) walk.deliver(entry)
  return entries.map(({ position, value }) => [position, value])
}

describe('the journal that a retry takes over', () => {
  test('nine effects before a failed tenth are taken over', () => {
    const names = Array.from({ length: 10 }, (_, index) => `t${index}`)
    const outcomes = names.map((name, index): OutcomeAt => [`/do/${index}/${name}`, index])
    const yaml = `do: [${names.map((name) => ask(name)).join(', ')}]`
    const entries = carried(yaml, [...outcomes.slice(0, 9), ['/do/9/t9', { ...down }, failed]])
    expect(entries).toEqual(outcomes.slice(0, 9))
  })

  test('an error that a catch raised again begins its try again, and keeps what came before it', () => {
    const inner = `{ t: { try: [${ask('x')}, ${ask('a')}], catch: { retry: { delay: { seconds: 1 }, limit: { attempt: { count: 1 } } }, do: [${ask('b')}, { again: { raise: { error: '\${ $error }' } } }] } } }`
    const outcomes: OutcomeAt[] = [
      ['/do/0/first', 1],
      ['/do/1/t/try/0/x', 1],
      ['/do/1/t/try/1/a', { ...down }, failed],
      ['/do/1/t/catch/retry', null, { kind: 'timer' }],
      ['/do/1/t!1/try/0/x', 1],
      ['/do/1/t!1/try/1/a', { ...down }, failed],
      ['/do/1/t!1/catch/do/0/b', 2],
    ]
    expect(carried(`do: [${ask('first')}, ${inner}]`, outcomes)).toEqual([['/do/0/first', 1]])
    // The call is the last thing that was performed, and yet no failure of the catch.
    const bare = `do: [{ t: { try: [${ask('x')}, ${ask('a')}], catch: { do: [{ again: { raise: { error: '\${ $error }' } } }] } } }]`
    expect(
      carried(bare, [
        ['/do/0/t/try/0/x', 1],
        ['/do/0/t/try/1/a', { ...down }, failed],
      ]),
    ).toEqual([])
    // A task of a catch that performs something begins again itself.
    const reports = `do: [{ t: { try: [${ask('a')}], catch: { do: [${ask('b')}] } } }]`
    const unreported: OutcomeAt[] = [
      ['/do/0/t/try/0/a', { ...down }, failed],
      ['/do/0/t/catch/do/0/b', { ...down }, failed],
    ]
    expect(carried(reports, unreported).map(([position]) => position)).toEqual(['/do/0/t/try/0/a'])
  })

  test('failures that were caught are taken over, with the outcomes of their catch', () => {
    const yaml = `do: [{ t: { try: [${ask('a')}], catch: { do: [${ask('b')}] } } }, ${ask('c')}]`
    const outcomes: OutcomeAt[] = [
      ['/do/0/t/try/0/a', { ...down }, failed],
      ['/do/0/t/catch/do/0/b', 2],
      ['/do/1/c', { ...down }, failed],
    ]
    expect(carried(yaml, outcomes).map(([position]) => position)).toEqual(['/do/0/t/try/0/a', '/do/0/t/catch/do/0/b'])
  })

  test('a failed last attempt is repeated without the attempts before it', () => {
    const yaml = `do: [{ t: { try: [${ask('a')}], catch: { retry: { limit: { attempt: { count: 1 } } } } } }]`
    const outcomes: OutcomeAt[] = [
      ['/do/0/t/try/0/a', { ...down }, failed],
      ['/do/0/t/catch/retry', null, { kind: 'timer' }],
      ['/do/0/t!1/try/0/a', { ...down }, failed],
    ]
    expect(carried(yaml, outcomes).map(([position]) => position)).toEqual(['/do/0/t/try/0/a', '/do/0/t/catch/retry'])
  })

  test('after a timeout, the task has its whole time again', () => {
    const yaml = `do: [${ask('a')}, { slow: { do: [${ask('b')}, ${ask('c')}], timeout: { after: PT1S } } }]`
    const outcomes: OutcomeAt[] = [
      ['/do/0/a', 1],
      ['/do/1/slow/do/0/b', 2],
      ['/do/1/slow/timeout', null, { kind: 'timer' }],
    ]
    expect(carried(yaml, outcomes).map(([position]) => position)).toEqual(['/do/0/a', '/do/1/slow/do/0/b'])
  })

  test('a wait that ended before the failure is not repeated', () => {
    const yaml = `do: [{ w: { wait: PT1S } }, { bad: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }]`
    expect(carried(yaml, [['/do/0/w', null, { kind: 'timer' }]])).toEqual([['/do/0/w', null]])
  })

  test('an outcome whose processing faulted the definition is taken over, since another input or version may accept it', () => {
    const yaml = `do: [${ask('a', ', output: { as: .n.deep }')}]`
    expect(carried(yaml, [['/do/0/a', { n: 'text' }]])).toEqual([['/do/0/a', { n: 'text' }]])
  })

  test('all outcomes of a cancelled execution are taken over', () => {
    expect(carried(`do: [${ask('a')}, ${ask('b')}]`, [['/do/0/a', 1]])).toEqual([['/do/0/a', 1]])
  })

  test('outcomes of branches are taken over in their order', () => {
    const yaml = `do: [{ both: { fork: { compete: true, branches: [${ask('a')}, ${ask('b')}] } } }, ${ask('c')}]`
    const outcomes: OutcomeAt[] = [
      ['/do/0/both/fork/branches/1/b', 'won'],
      ['/do/1/c', { ...down }, failed],
    ]
    expect(carried(yaml, outcomes)).toEqual([['/do/0/both/fork/branches/1/b', 'won']])
  })

  test('waits that have not ended are opened again', () => {
    const yaml = `do: [{ both: { fork: { branches: [{ hear: { listen: { to: { one: { with: { type: a } } } } } }, ${ask('a')}] } } }]`
    const outcomes: OutcomeAt[] = [
      ['/do/0/both/fork/branches/0/hear', 'events', { phase: 'started', kind: 'wait' }],
      ['/do/0/both/fork/branches/1/a', { ...down }, failed],
    ]
    expect(carried(yaml, outcomes)).toEqual([])
  })

  test('the outcome of a task that another input skips is not taken over', () => {
    const yaml = `do: [{ a: { if: .go, call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }, ${ask('b')}, ${ask('c')}]`
    const old = executionOf(yaml, { go: true })
    const entries = journalOf(old, [
      ['/do/0/a', 1],
      ['/do/1/b', 2],
      ['/do/2/c', { ...down }, failed],
    ])
    const retry = { ...old, input: { go: false } }
    expect(carryOver({ ...old, entries }, retry).map(({ position, decisions, seq }) => ({ position, decisions, seq }))).toEqual([
      { position: '/do/1/b', decisions: 'i0', seq: 0 },
    ])
  })
})

describe('the journal that a retry with another version takes over', () => {
  const outcomes: readonly OutcomeAt[] = [
    ['/do/0/a', 1],
    ['/do/1/b', 2],
    ['/do/2/c', { ...down }, failed],
  ]
  const old = `do: [${ask('a')}, ${ask('b')}, ${ask('c')}]`

  test.each([
    ['another task in front', `do: [{ x: { set: { n: 1 } } }, ${ask('a')}, ${ask('b')}, ${ask('c')}]`, ['/do/1/a', '/do/2/b']],
    ['a task less', `do: [${ask('b')}, ${ask('c')}]`, ['/do/0/b']],
    ['another order', `do: [${ask('b')}, ${ask('a')}, ${ask('c')}]`, ['/do/0/b', '/do/1/a']],
    ['a new name for one task', `do: [${ask('a')}, ${ask('bee')}, ${ask('c')}]`, ['/do/0/a']],
    ['another effect in front that must be performed first', `do: [${ask('new')}, ${ask('a')}]`, []],
    ['another kind for the last task', `do: [${ask('a')}, ${ask('b')}, { c: { set: { mended: true } } }]`, ['/do/0/a', '/do/1/b']],
  ])('a version that has %s takes over the outcomes of tasks with the same name', (_what, retryYaml, positions) => {
    expect(carried(old, outcomes, retryYaml).map(([position]) => position)).toEqual(positions)
  })

  test('an outcome is not taken over for a request of another kind', () => {
    const waits = `do: [{ a: { wait: PT1S } }, ${ask('b')}, ${ask('c')}]`
    const before: OutcomeAt[] = [
      ['/do/0/a', null, { kind: 'timer' }],
      ['/do/1/b', 2],
      ['/do/2/c', { ...down }, failed],
    ]
    expect(carried(waits, before, old)).toEqual([])
    expect(carried(old, outcomes, waits)).toEqual([])
    expect(carried(old, outcomes, `do: [${ask('a')}, { b: { run: { workflow: { namespace: n, name: w, version: '1.0.0' } } } }]`)).toEqual([
      ['/do/0/a', 1],
    ])
  })

  const odd = ['do', '1', 'try', 'branches', 'function', 'before', 'a/b', 'a~b', 'catch', '0', 'do[0]', 'a!1', 'x~1']

  test.each(odd)('the position of a task with the name %s is unambiguous', (name) => {
    const yaml = (first: string) => `do: [${first} ${ask(`'${name}'`)}, { '${name}2': { do: [${ask(`'${name}'`)}] } }, ${ask('last')}]`
    const segment = name.replaceAll('~', '~0').replaceAll('/', '~1')
    const before: OutcomeAt[] = [
      [`/do/0/${segment}`, 'outer'],
      [`/do/1/${segment}2/do/0/${segment}`, 'inner'],
      ['/do/2/last', { ...down }, failed],
    ]
    expect(carried(yaml(''), before, yaml('{ x: { set: { n: 1 } } },'))).toEqual([
      [`/do/1/${segment}`, 'outer'],
      [`/do/2/${segment}2/do/0/${segment}`, 'inner'],
    ])
  })

  test('outcomes in loops, branches, attempts, functions and extensions are taken over', () => {
    const yaml = (first: string) => `
      use:
        functions: { f: { do: [${first} ${ask('inF')}] } }
        extensions: [{ e: { extend: wait, before: [${first} ${ask('inE')}] } }]
      do:
        - loop: { for: { in: '[1]' }, do: [${first} ${ask('inLoop')}] }
        - both: { fork: { branches: [${first} ${ask('inFork')}] } }
        - t: { try: [${first} ${ask('inTry')}], catch: {} }
        - f: { call: f }
        - e: { wait: PT0S }
        - last: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } }`
    const before: OutcomeAt[] = [
      ['/do/0/loop[0]/do/0/inLoop', 1],
      ['/do/1/both/fork/branches/0/inFork', 2],
      ['/do/2/t/try/0/inTry', 3],
      ['/do/3/f/function/functions/f/do/0/inF', 4],
      ['/do/4/e/extensions/0/before/0/inE', 5],
      ['/do/4/e', null, { kind: 'timer' }],
      ['/do/5/last', { ...down }, failed],
    ]
    expect(carried(yaml(''), before, yaml('{ x: { set: { n: 1 } } },')).map(([, value]) => value)).toEqual([1, 2, 3, 4, 5, null])
  })

  describe('a try that was put around a task since', () => {
    const loop = (body: string) => `do: [{ each: { for: { in: '[1, 2, 3]' }, do: [${body}] } }]`
    const wrapped = (name: string, ...inner: readonly string[]) =>
      `{ ${name}: { try: [${inner.join(', ')}], catch: { retry: { delay: { seconds: 1 }, limit: { attempt: { count: 3 } } } } } }`
    const before: OutcomeAt[] = [
      ['/do/0/each[0]/do/0/write', 1],
      ['/do/0/each[1]/do/0/write', 2],
      ['/do/0/each[2]/do/0/write', { ...down }, failed],
    ]
    const after = (retryYaml: string) => carried(loop(ask('write')), before, loop(retryYaml))

    test('leaves what it did taken over, in each round of a loop, and also with a second try around it', () => {
      expect(after(wrapped('again', ask('write')))).toEqual([
        ['/do/0/each[0]/do/0/again/try/0/write', 1],
        ['/do/0/each[1]/do/0/again/try/0/write', 2],
      ])
      const once = loop(wrapped('again', ask('write')))
      const tried = before.slice(0, 2).map(([position, value]): OutcomeAt => [position.replace('write', 'again/try/0/write'), value])
      expect(carried(once, tried, loop(wrapped('more', wrapped('again', ask('write'))))).map(([, value]) => value)).toEqual([1, 2])
    })

    test('of several tasks, or beside a task of the same name, is another place', () => {
      expect(after(wrapped('again', ask('write'), ask('log')))).toEqual([])
      expect(after(`${wrapped('one', ask('write'))}, ${wrapped('two', ask('write'))}`)).toEqual([])
      expect(after(`${wrapped('one', ask('write'))}, ${ask('write')}`)).toEqual([])
    })
  })

  test('an ambiguous outcome is not taken over', () => {
    const again = `{ again: { switch: [{ yes: { when: '. == 1', then: x } }] } }`
    const yaml = `do: [${ask('x')}, ${again}, ${ask("'x/'")}, ${ask('last')}]`
    const before: OutcomeAt[] = [
      ['/do/0/x', 1],
      ['/do/0/x~1', 2],
      ['/do/2/x~1', 'of x/'],
      ['/do/3/last', { ...down }, failed],
    ]
    const retryYaml = `do: [{ new: { set: { n: 1 } } }, ${ask('x')}, ${again}, ${ask("'x/'")}, ${ask('last')}]`
    expect(carried(yaml, before, retryYaml)).toEqual([['/do/1/x', 1]])
  })
})

describe('a decision on an approval', () => {
  const approve = {
    name: 'approve',
    version: '1.0.0',
    summary: 'Asks.',
    performs: 'waiting',
    input: {},
    output: {},
  } as const
  const asking = `do: [{ ask: { call: approve, with: { amount: '\${ $workflow.input.amount }' } } }, ${ask('pay')}]`
  const approvalOf = (input: Json) => ({
    ...executionOf('do: [{ a: { set: { x: 1 } } }]', input),
    workflow: definitionOf(asking, { functions: [approve] }),
  })
  const old = approvalOf({ amount: 10 })
  const outcomes: readonly OutcomeAt[] = [
    ['/do/0/ask/message', { approved: true }, { kind: 'message' }],
    ['/do/1/pay', { ...down }, failed],
  ]
  const entries = journalOf(old, outcomes)

  test('a decision is taken over for the same question', () => {
    expect(carryOver({ ...old, entries }, { ...old, id: 'retry' }).map(({ position }) => position)).toEqual(['/do/0/ask/message'])
  })

  test('a decision is not taken over for another question', () => {
    expect(carryOver({ ...old, entries }, { ...approvalOf({ amount: 1_000_000 }), id: 'retry' })).toEqual([])
  })
})
