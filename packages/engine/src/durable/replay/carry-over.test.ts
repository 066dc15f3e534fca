import { describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { startedAtMs } from '#testing/simulate.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import { carryOver, createReplay } from '#testing/walks.ts'

const ask = (name: string, more = '') => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } ${more} } }`
const walkable = (yaml: string, input: Json = {}) => ({
  id: 'old',
  workflow: definitionOf(yaml),
  input,
  startedAtMs,
  secrets: {},
  runtime: {},
})

type Came = readonly [position: string, value: Json, more?: Partial<JournalEntry>]
const down = standardError('communication', 'down').data
const failed = { ok: false } as const

/** A journal with the decisions that the walk has in it. */
function journalOf(old: ReturnType<typeof walkable>, came: readonly Came[]): readonly JournalEntry[] {
  const walk = createReplay(old.workflow, old, {}, {})
  return came.map(([position, value, more = {}], seq) => {
    const decisions = walk.machine.pending.get(position)?.decisions ?? ''
    const times = { startedAtMs, endedAtMs: startedAtMs + seq }
    const entry: JournalEntry = { seq, position, phase: 'ended', kind: 'http', ok: true, value, decisions, ...times, ...more }
    walk.deliver(entry)
    return entry
  })
}

function carried(yaml: string, came: readonly Came[], fresh = yaml, input: Json = {}): readonly (readonly [string, Json])[] {
  const old = walkable(yaml)
  const next = fresh === yaml ? { ...old, id: 'fresh', input } : { ...walkable(fresh, input), id: 'fresh' }
  const entries = carryOver({ ...old, entries: journalOf(old, came) }, next)
  const walk = createReplay(next.workflow, next, {}, {})
  for (const entry of entries) walk.deliver(entry)
  return entries.map(({ position, value }) => [position, value])
}

describe('who goes on from a failure', () => {
  test('takes over the nine effects before the tenth', () => {
    const names = Array.from({ length: 10 }, (_, index) => `t${index}`)
    const came = names.map((name, index): Came => [`/do/${index}/${name}`, index])
    const yaml = `do: [${names.map((name) => ask(name)).join(', ')}]`
    const entries = carried(yaml, [...came.slice(0, 9), ['/do/9/t9', { ...down }, failed]])
    expect(entries).toEqual(came.slice(0, 9))
  })

  test('takes over failures that were caught, and what was done about them', () => {
    const yaml = `do: [{ t: { try: [${ask('a')}], catch: { do: [${ask('b')}] } } }, ${ask('c')}]`
    const came: Came[] = [
      ['/do/0/t/try/0/a', { ...down }, failed],
      ['/do/0/t/catch/do/0/b', 2],
      ['/do/1/c', { ...down }, failed],
    ]
    expect(carried(yaml, came).map(([position]) => position)).toEqual(['/do/0/t/try/0/a', '/do/0/t/catch/do/0/b'])
  })

  test('tries once more, not from the first attempt on', () => {
    const yaml = `do: [{ t: { try: [${ask('a')}], catch: { retry: { limit: { attempt: { count: 1 } } } } } }]`
    const came: Came[] = [
      ['/do/0/t/try/0/a', { ...down }, failed],
      ['/do/0/t/catch/retry', null, { kind: 'timer' }],
      ['/do/0/t!1/try/0/a', { ...down }, failed],
    ]
    expect(carried(yaml, came).map(([position]) => position)).toEqual(['/do/0/t/try/0/a', '/do/0/t/catch/retry'])
  })

  test('has its whole time again where the time was up', () => {
    const yaml = `do: [${ask('a')}, { slow: { do: [${ask('b')}, ${ask('c')}], timeout: { after: PT1S } } }]`
    const came: Came[] = [
      ['/do/0/a', 1],
      ['/do/1/slow/do/0/b', 2],
      ['/do/1/slow/timeout', null, { kind: 'timer' }],
    ]
    expect(carried(yaml, came).map(([position]) => position)).toEqual(['/do/0/a', '/do/1/slow/do/0/b'])
  })

  test('waits no second time where something else failed after a wait', () => {
    const yaml = `do: [{ w: { wait: PT1S } }, { bad: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }]`
    expect(carried(yaml, [['/do/0/w', null, { kind: 'timer' }]])).toEqual([['/do/0/w', null]])
  })

  test('takes over the outcome that the definition could not do with: another input or version may', () => {
    const yaml = `do: [${ask('a', ', output: { as: .n.deep }')}]`
    expect(carried(yaml, [['/do/0/a', { n: 'text' }]])).toEqual([['/do/0/a', { n: 'text' }]])
  })

  test('takes over all of what was cancelled', () => {
    expect(carried(`do: [${ask('a')}, ${ask('b')}]`, [['/do/0/a', 1]])).toEqual([['/do/0/a', 1]])
  })

  test('takes over what branches have done, in the order in which they did it', () => {
    const yaml = `do: [{ both: { fork: { compete: true, branches: [${ask('a')}, ${ask('b')}] } } }, ${ask('c')}]`
    const came: Came[] = [
      ['/do/0/both/fork/branches/1/b', 'won'],
      ['/do/1/c', { ...down }, failed],
    ]
    expect(carried(yaml, came)).toEqual([['/do/0/both/fork/branches/1/b', 'won']])
  })

  test('begins children and waits anew that had not come to their end', () => {
    const yaml = `do: [{ both: { fork: { branches: [{ hear: { listen: { to: { one: { with: { type: a } } } } } }, ${ask('a')}] } } }]`
    const came: Came[] = [
      ['/do/0/both/fork/branches/0/hear', 'events', { phase: 'started', kind: 'wait' }],
      ['/do/0/both/fork/branches/1/a', { ...down }, failed],
    ]
    expect(carried(yaml, came)).toEqual([])
  })

  test('takes nothing from where it does not come with another input', () => {
    const yaml = `do: [{ a: { if: .go, call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }, ${ask('b')}, ${ask('c')}]`
    const old = walkable(yaml, { go: true })
    const entries = journalOf(old, [
      ['/do/0/a', 1],
      ['/do/1/b', 2],
      ['/do/2/c', { ...down }, failed],
    ])
    const fresh = { ...old, input: { go: false } }
    expect(carryOver({ ...old, entries }, fresh).map(({ position, decisions, seq }) => ({ position, decisions, seq }))).toEqual([
      { position: '/do/1/b', decisions: 'i0', seq: 0 },
    ])
  })
})

describe('who goes on with another version', () => {
  const came: readonly Came[] = [
    ['/do/0/a', 1],
    ['/do/1/b', 2],
    ['/do/2/c', { ...down }, failed],
  ]
  const old = `do: [${ask('a')}, ${ask('b')}, ${ask('c')}]`

  test.each([
    ['a task more in front', `do: [{ x: { set: { n: 1 } } }, ${ask('a')}, ${ask('b')}, ${ask('c')}]`, ['/do/1/a', '/do/2/b']],
    ['a task less', `do: [${ask('b')}, ${ask('c')}]`, ['/do/0/b']],
    ['another order', `do: [${ask('b')}, ${ask('a')}, ${ask('c')}]`, ['/do/0/b', '/do/1/a']],
    ['a new name for one', `do: [${ask('a')}, ${ask('bee')}, ${ask('c')}]`, ['/do/0/a']],
    ['an effect more in front, which stands in the way', `do: [${ask('new')}, ${ask('a')}]`, []],
    ['another use for the last', `do: [${ask('a')}, ${ask('b')}, { c: { set: { mended: true } } }]`, ['/do/0/a', '/do/1/b']],
  ])('that has %s takes over what has the same name', (_what, fresh, positions) => {
    expect(carried(old, came, fresh).map(([position]) => position)).toEqual(positions)
  })

  test('does not take the outcome of one thing for that of another', () => {
    const waits = `do: [{ a: { wait: PT1S } }, ${ask('b')}, ${ask('c')}]`
    const before: Came[] = [
      ['/do/0/a', null, { kind: 'timer' }],
      ['/do/1/b', 2],
      ['/do/2/c', { ...down }, failed],
    ]
    expect(carried(waits, before, old)).toEqual([])
    expect(carried(old, came, waits)).toEqual([])
    expect(carried(old, came, `do: [${ask('a')}, { b: { run: { workflow: { namespace: n, name: w, version: '1.0.0' } } } }]`)).toEqual([
      ['/do/0/a', 1],
    ])
  })

  const odd = ['do', '1', 'try', 'branches', 'function', 'before', 'a/b', 'a~b', 'catch', '0', 'do[0]', 'a!1', 'x~1']

  test.each(odd)('tells a task apart that is called %s', (name) => {
    const yaml = (first: string) => `do: [${first} ${ask(`'${name}'`)}, { '${name}2': { do: [${ask(`'${name}'`)}] } }, ${ask('last')}]`
    const segment = name.replaceAll('~', '~0').replaceAll('/', '~1')
    const before: Came[] = [
      [`/do/0/${segment}`, 'outer'],
      [`/do/1/${segment}2/do/0/${segment}`, 'inner'],
      ['/do/2/last', { ...down }, failed],
    ]
    expect(carried(yaml(''), before, yaml('{ x: { set: { n: 1 } } },'))).toEqual([
      [`/do/1/${segment}`, 'outer'],
      [`/do/2/${segment}2/do/0/${segment}`, 'inner'],
    ])
  })

  test('takes over what is in loops, branches, attempts, functions and extensions', () => {
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
    const before: Came[] = [
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

  test('does again what could be mistaken for something else', () => {
    const again = `{ again: { switch: [{ yes: { when: '. == 1', then: x } }] } }`
    const yaml = `do: [${ask('x')}, ${again}, ${ask("'x/'")}, ${ask('last')}]`
    const before: Came[] = [
      ['/do/0/x', 1],
      ['/do/0/x~1', 2],
      ['/do/2/x~1', 'of x/'],
      ['/do/3/last', { ...down }, failed],
    ]
    const fresh = `do: [{ new: { set: { n: 1 } } }, ${ask('x')}, ${again}, ${ask("'x/'")}, ${ask('last')}]`
    expect(carried(yaml, before, fresh)).toEqual([['/do/1/x', 1]])
  })
})

describe('an answer that somebody gave', () => {
  const approve = {
    name: 'approve',
    version: '1.0.0',
    summary: 'Asks.',
    performs: 'waiting',
    input: {},
    output: {},
  } as const
  const asking = `do: [{ ask: { call: approve, with: { amount: '\${ $workflow.input.amount }' } } }, ${ask('pay')}]`
  const walkableOf = (input: Json) => ({
    ...walkable('do: [{ a: { set: { x: 1 } } }]', input),
    workflow: definitionOf(asking, { functions: [approve] }),
  })
  const old = walkableOf({ amount: 10 })
  const came: readonly Came[] = [
    ['/do/0/ask/message', { approved: true }, { kind: 'message' }],
    ['/do/1/pay', { ...down }, failed],
  ]
  const entries = journalOf(old, came)

  test('is taken over for the same question', () => {
    expect(carryOver({ ...old, entries }, { ...old, id: 'fresh' }).map(({ position }) => position)).toEqual(['/do/0/ask/message'])
  })

  test('is not taken for an answer to another question', () => {
    expect(carryOver({ ...old, entries }, { ...walkableOf({ amount: 1_000_000 }), id: 'fresh' })).toEqual([])
  })
})
