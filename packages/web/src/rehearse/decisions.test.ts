import { describe, expect, test } from 'vitest'
import type { Json } from '@millrace/dsl'
import { decisionsOf } from '#src/rehearse/decisions.ts'
import type { RunRecord } from '#src/rehearse/run-record.ts'

const at = '2026-11-23T10:00:00.000Z'

const entry = (seq: number, position: string, more: Partial<RunRecord['journal'][number]> = {}) => ({
  seq,
  position,
  phase: 'ended' as const,
  kind: 'timer',
  ok: true,
  value: null,
  decisions: '',
  startedAt: at,
  endedAt: at,
  ...more,
})

function record(tasks: readonly Json[], input: Json, more: Partial<RunRecord> & { readonly use?: object } = {}): RunRecord {
  const { use, ...rest } = more
  return {
    executionId: 'exec_01h455vb4pex5vsknk084sn02q',
    state: 'completed',
    workflowVersion: 1,
    startedAt: at,
    input,
    decisions: '',
    definition: {
      document: { dsl: '1.0.3', namespace: 'test', name: 'routes', version: '1.0.0' },
      ...(use === undefined ? {} : { use: JSON.parse(JSON.stringify(use)) }),
      do: [...tasks],
    },
    functions: [],
    resources: {},
    journal: [],
    ...rest,
  }
}

const set = { set: '${ . }' }
const route = (...cases: readonly Json[]): Json => ({ route: { switch: [...cases] } })
const why = (run: RunRecord, ...positions: readonly string[]) => decisionsOf({ record: run, version: '', positions })
const byTotal = [
  route(
    { large: { when: '.order.total > 1000', then: 'review' } },
    { express: { when: '.order.express', then: 'end' } },
    { rest: { then: 'exit' } },
  ),
  { next: set },
  { review: set },
]

describe('a switch', () => {
  test('says what each of its conditions gave and read, which case was taken, and where it leads', () => {
    const { decisions, unsure } = why(record(byTotal, { order: { total: 1200 } }), '/do/0/route')
    expect(unsure).toBeUndefined()
    expect(decisions).toEqual([
      {
        of: 'switch',
        conditions: [
          {
            name: 'large',
            source: '.order.total > 1000',
            gave: 'true',
            reads: [{ path: '.order.total', value: { kind: 'value', text: '1200' } }],
            orders: true,
          },
          { name: 'express', source: '.order.express', gave: 'unexamined', reads: [], orders: false },
          { name: 'rest', source: undefined, gave: 'unexamined', reads: [], orders: false },
        ],
        taken: 'large',
        leads: { to: 'task', name: 'review' },
      },
    ])
  })

  test('takes the case without a condition when no other is true, and names what is missing as the reason', () => {
    const [decision] = why(record(byTotal, { order: { items: 3 } }), '/do/0/route').decisions
    expect(decision).toMatchObject({ taken: 'rest', leads: { to: 'exit' } })
    expect(decision?.conditions.map(({ gave, because }) => [gave, because])).toEqual([
      ['false', '.order.total'],
      ['null', '.order.express'],
      ['unexamined', undefined],
    ])
    expect(why(record(byTotal, {}), '/do/0/route').decisions[0]?.conditions[0]?.because).toBe('.order')
  })

  test('without a case that is true leads where the task does', () => {
    const cases = route({ large: { when: '.n > 9', then: 'end' } })
    expect(why(record([cases, { next: set }], { n: 1 }), '/do/0/route').decisions[0]).toMatchObject({
      taken: undefined,
      leads: { to: 'next', name: 'next' },
    })
  })

  test('shows the error of a condition, behind which no case is examined and none is taken', () => {
    const cases = [{ text: { when: '.n + "x" == 1', then: 'end' } }, { word: { when: '.word', then: 'end' } }]
    const faulted = { state: 'faulted' as const }
    const [decision] = why(record([route(...cases)], { n: 1 }, faulted), '/do/0/route').decisions
    expect(decision?.conditions.map(({ gave }) => gave)).toEqual(['error', 'unexamined'])
    expect(decision?.conditions[0]?.detail).toContain('cannot be added')
    expect(decision).not.toHaveProperty('leads')
    const [word] = why(record([route(...cases.slice(1))], { word: 'yes' }, faulted), '/do/0/route').decisions
    expect(word?.conditions).toMatchObject([{ gave: 'error', value: '"yes"' }])
  })

  test('is explained for the visit that is asked for, with the values of that visit', () => {
    const tasks = [{ add: { set: { n: '${ .n + 1 }' } } }, route({ again: { when: '.n < 3', then: 'add' } })]
    const reads = (position: string) => why(record(tasks, { n: 0 }), position).decisions[0]?.conditions[0]
    expect(reads('/do/1/route')).toMatchObject({ gave: 'true', reads: [{ path: '.n', value: { text: '1' } }] })
    expect(reads('/do/1/route~2')).toMatchObject({ gave: 'false', reads: [{ path: '.n', value: { text: '3' } }] })
  })
})

test('a step that its condition skips says so with the step behind it, and one that it lets run leads nowhere', () => {
  const tasks = [{ mail: { if: '${ $steps.begin.vip }', ...set } }, { last: { if: '.vip == true', ...set } }]
  const { decisions } = why(record([{ begin: { set: { vip: false } } }, ...tasks], 1), '/do/1/mail')
  expect(decisions).toMatchObject([{ of: 'if', conditions: [{ gave: 'false' }], leads: { to: 'next', name: 'last' } }])
  expect(why(record(tasks, { vip: true }), '/do/1/last').decisions[0]).not.toHaveProperty('leads')
})

test('the condition of a loop is that before the round that did not begin', () => {
  const loop = { each: { for: { each: 'item', in: '${ .items }' }, while: '${ $item < 3 }', do: [{ keep: set }] } }
  expect(why(record([loop], { items: [1, 2, 3, 1] }), '/do/0/each').decisions).toMatchObject([
    { of: 'while', rounds: 2, conditions: [{ gave: 'false', reads: [{ path: '$item', value: { text: '3' } }] }] },
  ])
})

describe('what a condition reads', () => {
  test.each<readonly [when: string, reads: readonly string[]]>([
    ['.order.total > $context.limit', ['.order.total = 850', '$context.limit missing at $context.limit']],
    ['any(.items[]; .price > 3)', ['.items[].price = 1, 2']],
    ['.items | length > 0', ['.items = [{"price":1},{"price":2}]']],
    ['.["a b"].c == 1', ['.["a b"].c = 1']],
    ['.none.deep == 1', ['.none.deep missing at .none']],
    ['.order.total == 850 or .order.total == 1', ['.order.total = 850']],
    ['length > 1', ['. = {"order":{"total":850},"items":[{"price":1},{"price":2}],"a b":{"c":1}}']],
    ['true', []],
  ])('%s', (when, reads) => {
    const input = { order: { total: 850 }, items: [{ price: 1 }, { price: 2 }], 'a b': { c: 1 } }
    const [decision] = why(record([{ only: { if: when, ...set } }], input), '/do/0/only').decisions
    const words = decision?.conditions[0]?.reads.map(({ path, value }) => {
      if (value.kind === 'value') return `${path} = ${value.text}`
      return value.kind === 'missing' ? `${path} missing at ${value.at}` : value.kind
    })
    expect(words).toEqual(reads)
  })
})

describe('of a definition with secrets', () => {
  const use = { secrets: ['mode'] }
  const tasks = [
    route({ live: { when: '$secrets.mode == "live"', then: 'pay' } }, { rest: { then: 'try' } }),
    { try: { ...set, then: 'rest' } },
    { pay: set },
    { rest: { wait: { seconds: 1 } } },
  ]

  test('a choice that the journal has is shown, and the value of the secret is not', () => {
    const run = record(tasks, {}, { use, journal: [entry(0, '/do/3/rest', { decisions: 's-1' })] })
    expect(why(run, '/do/0/route')).toMatchObject({
      decisions: [{ taken: 'rest', conditions: [{ gave: 'false', reads: [{ value: { kind: 'masked' } }] }, {}] }],
    })
    expect(why(run, '/do/0/route').unsure).toBeUndefined()
  })

  test('no result is claimed where the journal has another choice, or none yet', () => {
    const other = record(tasks, {}, { use, journal: [entry(0, '/do/3/rest', { decisions: 's0' })] })
    for (const run of [other, record(tasks, {}, { use, state: 'running' })]) {
      const { decisions, unsure } = why(run, '/do/0/route')
      expect(unsure).toBe('secret')
      expect(decisions[0]?.conditions.map(({ gave }) => gave)).toEqual(['unknown', 'unexamined'])
      expect(decisions[0]).not.toHaveProperty('leads')
    }
  })

  test('choices behind the last outcome are compared with those of the end', () => {
    const pure = [route({ live: { when: '($secrets.mode | tonumber) > 1', then: 'end' } }), { last: set }]
    const ends = (decisions: string) => why(record(pure, {}, { use, decisions }), '/do/0/route')
    expect(ends('s-1').decisions).toMatchObject([{ conditions: [{ gave: 'false' }], leads: { to: 'next', name: 'last' } }])
    expect(ends('s0').unsure).toBe('secret')
  })
})

test('a value that an erasure replaced is no value, and its choice counts only where the record has it', () => {
  const erased = { erasureId: 'era_01h455vb4pex5vsknk084sn02q', at }
  const input = { mail: '[erased:4f2a91c0-1]' }
  const tasks = [route({ own: { when: '.mail | endswith("@example.com")', then: 'end' } }), { last: set }]
  const of = (decisions: string) => why(record(tasks, input, { erased, decisions }), '/do/0/route')
  expect(of('s-1').decisions[0]?.conditions).toMatchObject([{ gave: 'false', reads: [{ path: '.mail', value: { kind: 'erased' } }] }])
  expect(of('s0')).toMatchObject({ unsure: 'erased', decisions: [{ conditions: [{ gave: 'unknown' }] }] })
})
