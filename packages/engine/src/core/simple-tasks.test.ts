import { describe, expect, test } from 'vitest'
import { uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { fails, faultOf, gives, startMs, walk } from '#testing/walk.ts'
import type { JsonObject } from './json.ts'

describe('raise', () => {
  const raise = (error: string, use = '', input: JsonObject = {}) =>
    faultOf(walk(`${use}\ndo: [{ r: { raise: { error: ${error} } } }]`, { input }))

  test('gives the error as it is written, with its place', () => {
    expect(raise(`{ type: 'https://t.test/x', status: 409, title: Conflict, detail: twice }`)).toEqual({
      type: 'https://t.test/x',
      status: 409,
      title: 'Conflict',
      detail: 'twice',
      instance: '/do/0/r',
    })
  })

  test('without title and detail has a title all the same', () => {
    expect(raise(`{ type: 'https://t.test/x', status: 409 }`)).toEqual({
      type: 'https://t.test/x',
      status: 409,
      title: 'Error',
      instance: '/do/0/r',
    })
  })

  test('keeps the instance that the definition gives', () => {
    expect(raise(`{ type: 'https://t.test/x', status: 409, instance: /elsewhere }`).instance).toBe('/elsewhere')
  })

  test('evaluates expressions in every part', () => {
    const error = `{ type: '\${ .type }', status: 422, title: '\${ .title }', detail: '\${ "about \\(.what)" }' }`
    const input = { type: 'https://t.test/y', title: 'Odd', what: 'it' }
    expect(raise(error, '', input)).toMatchObject({ type: 'https://t.test/y', status: 422, title: 'Odd', detail: 'about it' })
  })

  test('writes a detail that is no text as JSON, and leaves one out that is null', () => {
    expect(raise(`{ type: 'https://t.test/x', status: 400, detail: '\${ { a: [1] } }' }`).detail).toBe('{"a":[1]}')
    expect(raise(`{ type: 'https://t.test/x', status: 400, detail: '\${ .missing }' }`)).not.toHaveProperty('detail')
  })

  test('raises an error of use.errors by its name', () => {
    const use = `use: { errors: { late: { type: 'https://t.test/late', status: 410, title: Too late, detail: '\${ .when }' } } }`
    expect(raise('late', use, { when: 'yesterday' })).toEqual({
      type: 'https://t.test/late',
      status: 410,
      title: 'Too late',
      detail: 'yesterday',
      instance: '/do/0/r',
    })
  })

  test.each([
    ['a type that is no text', `{ type: '\${ 1 }', status: 400 }`],
    ['a status that is no number', `{ type: 'https://t.test/x', status: '\${ "400" }' }`],
    ['a status that is missing', `{ type: 'https://t.test/x', status: '\${ .missing }' }`],
  ])('with %s says so', (_what, error) => {
    const fault = faultOf(walk(uncheckedDefinitionOf(`do: [{ r: { raise: { error: ${error} } } }]`)))
    expect(fault).toMatchObject({ title: 'Configuration error', instance: '/do/0/r', detail: expect.stringContaining('"status"') })
  })

  test('names the place of the task also deep inside', () => {
    const fault = faultOf(
      walk(
        `do: [{ a: { set: { x: 1 } } }, { loop: { for: { in: '[1]' }, do: [{ both: { fork: { branches: [{ b: { do: [{ r: { raise: { error: { type: 'https://t.test/x', status: 400 } } } }] } }] } } }] } }]`,
      ),
    )
    expect(fault.instance).toBe('/do/1/loop/do/0/both/fork/branches/0/b/do/0/r')
  })
})

describe('wait', () => {
  test.each([
    ['PT5S', 5_000],
    ['PT0.25S', 250],
    ['PT1H30M', 5_400_000],
    ['P1D', 86_400_000],
    ['{ seconds: 3 }', 3_000],
    ['{ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 }', 93_784_005],
    [`'\${ .pause }'`, 7_000],
    [`'\${ { seconds: .n } }'`, 2_000],
    ['PT0S', 0],
  ])('%s takes %i ms and hands its input on', (duration, expected) => {
    const walked = walk(`do: [{ w: { wait: ${duration} } }]`, { input: { pause: 'PT7S', n: 2 } })
    expect(walked).toMatchObject({
      output: { pause: 'PT7S', n: 2 },
      tookMs: expected,
      timers: [{ position: '/do/0/w', afterMs: expected }],
    })
  })

  test.each([`'\${ "later" }'`, `'\${ -1 }'`, `'\${ null }'`, `'\${ { seconds: -1 } }'`, `'\${ { years: 1 } }'`])(
    '%s is no duration',
    (duration) => {
      const fault = faultOf(walk(`do: [{ w: { wait: ${duration} } }]`))
      expect(fault).toMatchObject({ title: 'Expression error', instance: '/do/0/w', detail: expect.stringContaining('is not a duration') })
    },
  )

  test('in turn adds up, side by side does not', () => {
    expect(walk(`do: [{ a: { wait: PT1S } }, { b: { wait: PT2S } }]`).tookMs).toBe(3_000)
    expect(walk(`do: [{ f: { fork: { branches: [{ a: { wait: PT1S } }, { b: { wait: PT2S } }] } } }]`).tookMs).toBe(2_000)
  })

  test('moves the clock that tasks behind it read', () => {
    const { output } = walk(
      `do: [{ a: { wait: PT1S } }, { b: { set: { at: '\${ $task.startedAt.epoch.milliseconds }', now: '\${ now }' } } }]`,
    )
    expect(output).toEqual({ at: startMs + 1_000, now: (startMs + 1_000) / 1_000 })
  })
})

describe('call', () => {
  test('asks for the function with arguments of which every expression is evaluated, and gives its result', () => {
    const { calls, output } = walk(
      `do: [{ c: { input: { from: .order }, call: http, with: { method: post, endpoint: { uri: '\${ .url }' }, headers: { x-id: '\${ .id }' }, body: { order: '\${ . }', note: 'plain $text' }, output: content } } }]`,
      { input: { order: { url: 'http://a', id: '7' } }, call: () => gives({ accepted: true }) },
    )
    expect(calls).toEqual([
      expect.objectContaining({
        kind: 'effect',
        function: 'http',
        position: '/do/0/c',
        input: { url: 'http://a', id: '7' },
        arguments: {
          method: 'post',
          endpoint: { uri: 'http://a' },
          headers: { 'x-id': '7' },
          body: { order: { url: 'http://a', id: '7' }, note: 'plain $text' },
          output: 'content',
        },
      }),
    ])
    expect(output).toEqual({ accepted: true })
  })

  test('that fails faults with its error and the place of the task', () => {
    const fault = faultOf(
      walk(`do: [{ c: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }]`, { call: () => fails('authorization') }),
    )
    expect(fault).toMatchObject({ status: 403, type: expect.stringContaining('/authorization'), instance: '/do/0/c' })
  })

  test('whose arguments fail is never made', () => {
    const walked = walk(`do: [{ c: { call: http, with: { method: get, endpoint: { uri: '\${ error("no") }' } } } }]`)
    expect(walked).toMatchObject({ state: 'faulted', calls: [] })
  })
})

describe('run: workflow', () => {
  const run = (more = '') => `do: [{ child: { run: { workflow: { namespace: n, name: w, version: '1.0.0'${more} } } } }]`

  test('starts it with its input and gives its output', () => {
    const { children, output } = walk(run(`, input: { x: '\${ .n }' }`), { input: { n: 1 }, child: () => gives({ from: 'child' }, 50) })
    expect(children).toEqual([
      expect.objectContaining({ kind: 'child', namespace: 'n', name: 'w', version: '1.0.0', input: { x: 1 }, await: true }),
    ])
    expect(output).toEqual({ from: 'child' })
  })

  test('without an input starts it with an empty one', () => {
    expect(walk(run(), { input: { n: 1 } }).children[0]?.input).toEqual({})
  })

  test('that fails faults with its error', () => {
    expect(faultOf(walk(run(), { child: () => fails('timeout') }))).toMatchObject({ status: 408, instance: '/do/0/child' })
  })

  test('a child that is not awaited outputs its input', () => {
    const walked = walk(`do: [{ child: { run: { await: false, workflow: { namespace: n, name: w, version: '1.0.0' } } } }]`, {
      input: { n: 1 },
      child: () => gives('an id'),
    })
    expect(walked.output).toEqual({ n: 1 })
    expect(walked.children[0]?.await).toBe(false)
  })

  test('a child that is not awaited and cannot start faults the task', () => {
    const walked = walk(`do: [{ child: { run: { await: false, workflow: { namespace: n, name: w, version: '1.0.0' } } } }]`, {
      child: () => fails('configuration'),
    })
    expect(faultOf(walked).title).toBe('Configuration error')
  })
})

test('set replaces its input, with text as it stands and expressions evaluated', () => {
  const { output } = walk(
    `do: [{ s: { set: { plain: '.n', sum: '\${ .n + 1 }', list: ['\${ .n }', { deep: '\${ .n }' }], keep: [1, true, null] } } }]`,
    { input: { n: 1 } },
  )
  expect(output).toEqual({ plain: '.n', sum: 2, list: [1, { deep: 1 }], keep: [1, true, null] })
})

test('set takes one expression for all of it', () => {
  expect(walk(`do: [{ s: { set: '\${ . + { b: 2 } }' } }]`, { input: { a: 1 } }).output).toEqual({ a: 1, b: 2 })
})

test('do gives the output of its last task', () => {
  expect(walk(`do: [{ d: { do: [{ a: { set: { x: 1 } } }, { b: { set: '\${ .x }' } }], output: { as: '{ got: . }' } } }]`).output).toEqual({
    got: 1,
  })
})
