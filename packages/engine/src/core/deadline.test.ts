import { describe, expect, test } from 'vitest'
import { fails, faultOf, gives, walk } from '#testing/walk.ts'

const ask = (name = 'ask') => `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://${name}' } } } }`
const timed = (timeout: string, body = `call: http, with: { method: get, endpoint: { uri: 'http://a' } }`) =>
  `{ t: { ${body}, timeout: ${timeout} } }`

describe('the timeout of a task', () => {
  test('a task that does not end within its timeout faults, and its requests are abandoned', () => {
    const walked = walk(`do: [${timed('{ after: PT3S }')}]`, { call: () => gives(1, 5_000) })
    expect(faultOf(walked)).toEqual({
      type: 'https://open-workflow-specification.org/spec/1.0.0/errors/timeout',
      status: 408,
      title: 'Timeout',
      detail: 'task "t" did not end within 3000 ms',
      instance: '/do/0/t',
    })
    expect(walked).toMatchObject({ tookMs: 3_000, abandoned: ['/do/0/t'] })
  })

  test('a timeout does not affect a task that ends in time, and its timer is abandoned', () => {
    const walked = walk(`do: [${timed('{ after: PT3S }')}]`, { call: () => gives({ ok: true }, 2_999) })
    expect(walked).toMatchObject({ output: { ok: true }, tookMs: 2_999, abandoned: ['/do/0/t/timeout'] })
  })

  test('a task that ends at once sets no timer for its timeout', () => {
    expect(walk(`do: [${timed('{ after: PT3S }', 'set: { x: 1 }')}]`)).toMatchObject({ output: { x: 1 }, timers: [] })
  })

  test.each([
    ['given in parts', '{ after: { milliseconds: 70 } }', 70],
    ['an expression of the transformed input', `{ after: '\${ .limit }' }`, 2_000],
    ['found by its name', 'short', 40],
  ])('is %s', (_what, timeout, expected) => {
    const walked = walk(
      `use: { timeouts: { short: { after: { milliseconds: 40 } } } }\ndo: [{ t: { input: { from: .given }, call: http, with: { method: get, endpoint: { uri: 'http://a' } }, timeout: ${timeout} } }]`,
      {
        input: { given: { limit: 'PT2S' } },
        call: () => undefined,
      },
    )
    expect(walked).toMatchObject({ state: 'faulted', tookMs: expected })
  })

  test('the timeout of a task counts from the beginning of the task, not of the workflow', () => {
    expect(walk(`do: [{ w: { wait: PT5S } }, ${timed('{ after: PT3S }')}]`, { call: () => undefined }).tookMs).toBe(8_000)
  })

  test('the timeout of a task can be caught, also around a retry that would take longer', () => {
    const { output, tookMs } = walk(
      `do: [{ outer: { try: [{ inner: { try: [${ask()}], catch: { retry: { delay: PT1S } }, timeout: { after: PT3.5S } } }], catch: { do: [{ h: { set: { got: '\${ $error.status }' } } }] } } }]`,
      { call: () => fails('communication') },
    )
    expect(output).toEqual({ got: 408 })
    expect(tookMs).toBe(3_500)
  })

  test.each([
    ['do', `do: [${ask('a')}, ${ask('b')}]`],
    ['for', `for: { in: '[1,2]' }, do: [${ask('a')}]`],
    ['fork', `fork: { branches: [${ask('a')}, { slow: { wait: PT1H } }] }`],
    ['try', `try: [${ask('a')}], catch: {}`],
    ['wait', 'wait: PT1H'],
    ['run', `run: { workflow: { namespace: n, name: w, version: '1.0.0' } }`],
  ])('a deadline applies to %s as well', (_kind, body) => {
    const walked = walk(`do: [${timed('{ after: PT3S }', body)}]`, { call: () => gives({}, 2_000), child: () => undefined })
    if (body.startsWith('try')) expect(walked).toMatchObject({ state: 'completed', tookMs: 2_000 })
    else expect(faultOf(walked)).toMatchObject({ status: 408, instance: '/do/0/t' })
  })

  test('the shorter of two nested ones counts', () => {
    const nested = (outer: number, inner: number) =>
      walk(
        `do: [{ o: { do: [{ i: { wait: PT1H, timeout: { after: { seconds: ${inner} } } } }], timeout: { after: { seconds: ${outer} } } } }]`,
      )
    expect(faultOf(nested(5, 2)).instance).toBe('/do/0/o/do/0/i')
    expect(faultOf(nested(2, 5)).instance).toBe('/do/0/o')
  })

  test('an error before the timeout is raised unchanged', () => {
    expect(faultOf(walk(`do: [${timed('{ after: PT3S }')}]`, { call: () => fails('communication', 1_000) }))).toMatchObject({
      status: 500,
      instance: '/do/0/t',
    })
  })

  test('a task with a timeout can end the workflow', () => {
    const walked = walk(
      `do: [${timed('{ after: PT3S }', 'do: [{ w: { wait: PT1S } }, { e: { set: { x: 1 }, then: end } }]')}, { never: { set: { x: 2 } } }]`,
    )
    expect(walked).toMatchObject({ state: 'completed', output: { x: 1 }, tookMs: 1_000 })
  })

  test('a task with a timeout keeps the directive of a switch or a catch', () => {
    const tasks = (body: string) => `do: [${timed('{ after: PT3S }', body)}, { b: { set: { x: 1 } } }, { c: { set: { x: 2 } } }]`
    expect(walk(tasks('switch: [{ a: { then: c } }]')).completed).toEqual(['t', 'c'])
    expect(
      walk(tasks(`try: [{ r: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }], catch: { then: c }`)).completed,
    ).toEqual(['t', 'c'])
  })

  test('the context that is exported inside a task with a timeout is kept', () => {
    const { output } = walk(`
      do:
        - t: { timeout: { after: PT3S }, do: [{ w: { wait: PT1S } }, { s: { set: { x: 1 }, export: { as: '{ kept: .x }' } } }] }
        - b: { set: { context: '\${ $context }' } }`)
    expect(output).toEqual({ context: { kept: 1 } })
  })

  test('the timeout of a task does not cover the transformation of its output', () => {
    const { output } = walk(
      `do: [{ t: { wait: PT1S, timeout: { after: PT1.5S }, output: { as: '{ done: true, raw: $task.output }' } } }]`,
      { input: { a: 1 } },
    )
    expect(output).toEqual({ done: true, raw: { a: 1 } })
  })
})

describe('the timeout of a workflow', () => {
  test('a workflow that exceeds its timeout faults at its root, and all its requests are abandoned', () => {
    const walked = walk(`timeout: { after: PT3S }\ndo: [{ f: { fork: { branches: [${ask('a')}, { w: { wait: PT1H } }] } } }]`, {
      call: () => undefined,
    })
    expect(faultOf(walked)).toMatchObject({ status: 408, instance: '/', detail: 'the workflow did not end within 3000 ms' })
    expect(walked).toMatchObject({ tookMs: 3_000, abandoned: ['/do/0/f/fork/branches/0/a', '/do/0/f/fork/branches/1/w'] })
  })

  test.each([
    ['found by its name', 'timeout: brief\nuse: { timeouts: { brief: { after: PT2S } } }', 2_000],
    ['an expression of the transformed input', `input: { from: .given }\ntimeout: { after: '\${ .limit }' }`, 4_000],
  ])('is %s', (_what, head, expected) => {
    expect(walk(`${head}\ndo: [{ w: { wait: PT1H } }]`, { input: { given: { limit: 'PT4S' } } }).tookMs).toBe(expected)
  })

  test('the timeout of a workflow cannot be caught inside the workflow', () => {
    const walked = walk(
      `timeout: { after: PT3S }\ndo: [{ t: { try: [{ w: { wait: PT1H } }], catch: { do: [{ h: { set: { x: 1 } } }] } } }]`,
    )
    expect(faultOf(walked).instance).toBe('/')
  })

  test('a workflow that ends within its timeout has its output and context', () => {
    const walked = walk(`
      timeout: { after: PT3S }
      output: { as: '{ raw: ., context: $context }' }
      do: [{ w: { wait: PT1S } }, { s: { set: { x: 1 }, export: { as: '{ kept: .x }' } } }]`)
    expect(walked.output).toEqual({ raw: { x: 1 }, context: { kept: 1 } })
  })

  test('a task can end a workflow that has a timeout', () => {
    const walked = walk(`timeout: { after: PT3S }\ndo: [{ a: { do: [{ b: { set: { x: 1 }, then: end } }] } }, { c: { wait: PT1H } }]`)
    expect(walked).toMatchObject({ state: 'completed', output: { x: 1 } })
  })

  test('a workflow timeout that is not a duration faults the workflow before its first task', () => {
    const walked = walk(`timeout: { after: '\${ "soon" }' }\ndo: [{ a: { set: { x: 1 } } }]`)
    expect(faultOf(walked)).toMatchObject({ title: 'Expression error', instance: '/' })
    expect(walked.events).toEqual([])
  })
})
