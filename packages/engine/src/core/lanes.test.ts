import { describe, expect, test } from 'vitest'
import { fails, faultOf, gives, memberOf, walk, type WalkOptions } from '#testing/walk.ts'
import type { Json } from './json.ts'
import { EXECUTION_LANES_MAX } from './machine.ts'
import type { EffectRequest } from './request.ts'

/** A loop whose iterations run side by side. */
const lanes = (concurrency: number, items: string, tasks: string, more = '') =>
  `{ loop: { for: { in: '${items}' }, ${more} metadata: { concurrency: ${concurrency} }, do: [${tasks}] } }`
const ask = `{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' }, query: { n: '\${ $item }' } } } }`
const itemOf = (request: EffectRequest): Json => memberOf(memberOf(request.arguments, 'query'), 'n') ?? null

/** Answers with the item, after as many milliseconds as the item says. */
const slowly: WalkOptions['call'] = (request) => gives(itemOf(request), Number(itemOf(request)))

/** The most effects that were under way at one time. */
function mostAtOnce(yaml: string, afterMs: (n: number) => number): number {
  const ends: number[] = []
  let most = 0
  walk(yaml, {
    call(request, count) {
      const nowMs = request.strand.execution.nowMs
      const running = ends.filter((end) => end > nowMs).length + 1
      most = Math.max(most, running)
      ends.push(nowMs + afterMs(count))
      return gives(null, afterMs(count))
    },
  })
  return most
}

describe('a loop with concurrency', () => {
  test('a concurrent loop returns outputs in the order of its items, in whatever order they end', () => {
    const walked = walk(`do: [${lanes(3, '[30, 10, 20]', ask)}]`, { call: slowly })
    expect(walked).toMatchObject({ output: [30, 10, 20], tookMs: 30 })
  })

  test.each([
    [1, 60],
    [2, 30],
    [3, 20],
    [6, 10],
    [100, 10],
  ])('of %i takes the time that it should', (concurrency, tookMs) => {
    expect(walk(`do: [${lanes(concurrency, '[10, 10, 10, 10, 10, 10]', ask)}]`, { call: slowly }).tookMs).toBe(tookMs)
  })

  test.each([1, 2, 3, 7])('a loop with concurrency %i runs at most and at times exactly so many iterations', (concurrency) => {
    const yaml = `do: [${lanes(concurrency, '[range(20)]', ask)}]`
    expect(mostAtOnce(yaml, (n) => ((n * 7) % 5) + 1)).toBe(concurrency)
  })

  test('a concurrent loop opens no more lanes than it has items', () => {
    expect(mostAtOnce(`do: [${lanes(50, '[range(3)]', ask)}]`, () => 5)).toBe(3)
  })

  test('a free lane takes the next item at once', () => {
    const walked = walk(`do: [${lanes(2, '[50, 10, 10, 10]', ask)}]`, { call: slowly })
    expect(walked.tookMs).toBe(50)
    expect(walked.calls.map(({ position }) => position)).toEqual([
      '/do/0/loop[0]/do/0/ask',
      '/do/0/loop[1]/do/0/ask',
      '/do/0/loop[2]/do/0/ask',
      '/do/0/loop[3]/do/0/ask',
    ])
  })

  test('a concurrent loop without items returns an empty list', () => {
    expect(walk(`do: [${lanes(4, '[]', ask)}]`, { input: { kept: 1 } }).output).toEqual([])
  })

  test('each iteration of a concurrent loop gets the input of the loop and not the output of another iteration', () => {
    const body = `{ body: { set: { n: '\${ .n + $item }' } } }`
    expect(walk(`do: [${lanes(1, '[1, 2, 3]', body)}]`, { input: { n: 10 } }).output).toEqual([{ n: 11 }, { n: 12 }, { n: 13 }])
  })

  test('a concurrent loop binds item and index under their declared names', () => {
    const yaml = `do: [{ loop: { for: { each: letter, at: place, in: '["a", "b"]' }, metadata: { concurrency: 2 }, do: [{ body: { set: { got: '\${ "\\($place)\\($letter)" }' } } }] } }]`
    expect(walk(yaml).output).toEqual([{ got: '0a' }, { got: '1b' }])
  })

  test('transforms the list as its output', () => {
    expect(walk(`do: [${lanes(2, '[1, 2]', '{ b: { set: { n: 1 } } }', 'output: { as: length },')}]`).output).toBe(2)
  })

  test('a concurrent loop over a value that is not a list faults', () => {
    expect(faultOf(walk(`do: [${lanes(2, '7', ask)}]`))).toMatchObject({ title: 'Expression error', instance: '/do/0/loop' })
  })

  test('is followed by the next task once the last iteration has ended', () => {
    const walked = walk(`do: [${lanes(2, '[10, 40]', ask)}, { after: { set: { n: '\${ length }' } } }]`, { call: slowly })
    expect(walked).toMatchObject({ output: { n: 2 }, tookMs: 40 })
  })

  test('may be skipped, timed out and caught like any task', () => {
    expect(walk(`do: [${lanes(2, '[1]', ask, 'if: .never,')}]`, { input: { n: 1 } }).output).toEqual({ n: 1 })
    const late = walk(`do: [${lanes(2, '[5000, 9000, 1]', ask, 'timeout: { after: PT1S },')}]`, { call: slowly })
    expect(faultOf(late)).toMatchObject({ status: 408, instance: '/do/0/loop' })
    expect(late.abandoned).toEqual(['/do/0/loop[0]/do/0/ask', '/do/0/loop[1]/do/0/ask'])
    expect(late.calls).toHaveLength(2)
  })
})

describe('an iteration of a concurrent loop', () => {
  const failing: WalkOptions['call'] = (request) =>
    itemOf(request) === 20 ? fails('communication', 20) : gives(itemOf(request), Number(itemOf(request)))

  test('an iteration that faults ends the loop, and concurrent iterations are abandoned', () => {
    const walked = walk(`do: [${lanes(3, '[10, 20, 30, 40]', ask)}]`, { call: failing })
    expect(faultOf(walked)).toMatchObject({ status: 500, instance: '/do/0/loop/do/0/ask' })
    expect(walked.tookMs).toBe(20)
    expect(walked.abandoned).toEqual(['/do/0/loop[3]/do/0/ask', '/do/0/loop[2]/do/0/ask'])
  })

  test('an iteration that catches its own fault does not affect the others', () => {
    const tried = `{ t: { try: [${ask}], catch: { do: [{ h: { set: { caught: '\${ $item }' } } }] } } }`
    expect(walk(`do: [${lanes(3, '[10, 20, 30]', tried)}]`, { call: failing }).output).toEqual([10, { caught: 20 }, 30])
  })

  test('after an iteration exits, running iterations end and no other begins', () => {
    const leave = `{ choose: { switch: [{ out: { when: $item == 10, then: exit } }] } }`
    const walked = walk(`do: [${lanes(2, '[30, 10, 5, 5]', `${ask}, ${leave}, { last: { set: { n: '\${ $item }' } } }`)}]`, {
      call: slowly,
    })
    expect(walked.output).toEqual([{ n: 30 }, 10])
    expect(walked.calls).toHaveLength(2)
  })

  test('after a false while no further iteration begins', () => {
    const walked = walk(`do: [${lanes(2, '[10, 10, 99, 10, 10]', ask, 'while: $item < 50,')}]`, { call: slowly })
    expect(walked.output).toEqual([10, 10])
    expect(walked.calls).toHaveLength(2)
  })

  test('an iteration can end the workflow', () => {
    const ends = `${ask}, { stop: { if: $item == 10, set: { over: true }, then: end } }`
    const walked = walk(`do: [${lanes(2, '[30, 10, 5]', ends)}, { never: { set: { no: 1 } } }]`, { call: slowly })
    expect(walked).toMatchObject({ state: 'completed', output: { over: true }, tookMs: 10, abandoned: ['/do/0/loop[0]/do/0/ask'] })
  })
})

describe('the context of a loop with concurrency', () => {
  const exporting = (as: string) => `${ask}, { keep: { set: { n: '\${ $item }' }, export: { as: '${as}' } } }`
  const after = `{ after: { set: '\${ $context }' } }`
  const contextOf = (yaml: string, input = {}) => walk(`do: [${yaml}, ${after}]`, { call: slowly, input }).output

  test('is at the beginning of each iteration what it was at the beginning of the loop', () => {
    const body = `{ body: { set: { seen: '\${ $context.n }' }, export: { as: '\${ { n: ($context.n + 1) } }' } } }`
    expect(walk(`do: [${lanes(1, '[1, 2, 3]', body)}]`, { input: { n: 5 } }).output).toEqual([{ seen: 5 }, { seen: 5 }, { seen: 5 }])
  })

  test('is in the end what they exported, key by key in the order of the items', () => {
    const keys = exporting('${ $context + { ("k\\($item)"): .n, last: .n } }')
    expect(contextOf(lanes(3, '[30, 10, 20]', keys), { old: true })).toEqual({ old: true, k30: 30, k10: 10, k20: 20, last: 20 })
  })

  test('is replaced by the last one that is no object', () => {
    expect(contextOf(lanes(3, '[30, 10, 20]', exporting('.n')))).toBe(20)
  })

  test('is untouched when none exports', () => {
    expect(contextOf(lanes(2, '[1, 2]', ask), { old: true })).toEqual({ old: true })
  })
})

describe('nested loops with concurrency', () => {
  const inner = `{ inner: { for: { each: cell, at: x, in: $item }, metadata: { concurrency: 2 }, do: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' }, query: { n: '\${ $cell }' } } } }] } }`

  test('nested concurrent loops keep the order of both', () => {
    const walked = walk(`do: [${lanes(2, '[[30, 10], [20], [], [5, 15, 1]]', inner)}]`, { call: slowly })
    expect(walked.output).toEqual([[30, 10], [20], [], [5, 15, 1]])
  })

  test('nested concurrent loops run at most the product of both concurrencies', () => {
    const yaml = `do: [${lanes(2, '[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]]', inner)}]`
    expect(mostAtOnce(yaml, () => 10)).toBe(4)
  })

  test('positions in nested concurrent loops contain both indices and are unique', () => {
    const { calls } = walk(`do: [${lanes(3, '[[1, 2], [3]]', inner)}]`, { call: slowly })
    expect(calls.map(({ position }) => position).toSorted()).toEqual([
      '/do/0/loop[0]/do/0/inner[0]/do/0/ask',
      '/do/0/loop[0]/do/0/inner[1]/do/0/ask',
      '/do/0/loop[1]/do/0/inner[0]/do/0/ask',
    ])
  })

  test('may stand in a branch that loses, with all that is under way', () => {
    const race = `{ race: { fork: { compete: true, branches: [${lanes(2, '[[50, 60], [70]]', inner)}, { w: { wait: PT0.02S } }] } } }`
    const walked = walk(`do: [${race}]`, { call: slowly, input: { kept: 1 } })
    expect(walked).toMatchObject({ output: { kept: 1 }, tookMs: 20 })
    expect(walked.abandoned).toHaveLength(3)
  })
})

describe('the journal of a loop with concurrency', () => {
  test('the decision of while is stored with the first entry of its iteration', () => {
    const walked = walk(`do: [${lanes(2, '[1, 2]', ask, 'while: $item < 5,')}]`, { call: () => undefined })
    expect([...walked.machine.pending.values()].map(({ decisions }) => decisions)).toEqual(['w1', 'w1'])
  })

  test('a thousand lanes are a thousand requests', () => {
    const walked = walk(`do: [${lanes(1_000, '[range(5000)]', ask)}]`, { call: () => undefined })
    expect(walked.machine.pending.size).toBe(1_000)
  })
})

describe('the lanes of one execution', () => {
  const nested = (outer: number, inner: number, tasks: string) =>
    `{ outer: { for: { each: row, in: '[range(${outer})]' }, metadata: { concurrency: ${outer} }, do: [{ inner: { for: { each: cell, in: '[range(${inner})]' }, metadata: { concurrency: ${inner} }, do: [${tasks}] } }] } }`
  const listen = '{ listen: { listen: { to: { one: { with: { type: never } } } } } }'

  test('the lanes of an execution are bounded for any nesting of loops, and no task can catch the fault', () => {
    const tried = `{ tried: { try: [${nested(1_000, 1_000, listen)}], catch: { do: [{ hidden: { set: { hidden: true } } }] } } }`
    const walked = walk(`do: [${tried}]`)
    expect(faultOf(walked)).toMatchObject({
      title: 'Runtime error',
      detail: expect.stringContaining(`more than ${EXECUTION_LANES_MAX} branches and lanes`),
    })
    expect(walked.machine.pending.size).toBe(0)
  })

  test('lanes that ended no longer count', () => {
    const pure = '{ pure: { set: { n: 1 } } }'
    const rounds = `{ rounds: { for: { each: round, in: '[range(3)]' }, do: [${nested(4, 1_000, pure)}] } }`
    expect(walk(`do: [${rounds}]`).state).toBe('completed')
  })

  test('abandoned lanes that listen close each of their waits once', () => {
    const race = `{ race: { fork: { compete: true, branches: [${nested(9, 900, listen)}, { pause: { wait: PT1S } }] } } }`
    const walked = walk(`do: [${race}]`)
    expect(walked.state).toBe('completed')
    expect(new Set(walked.closed).size).toBe(8_100)
    expect(walked.closed).toHaveLength(8_100)
    expect(walked.machine.pending.size).toBe(0)
  })
})
