import { describe, expect, test } from 'vitest'
import { faultOf, fails, gives, walk } from '#testing/walk.ts'
import { type Json, parseJson } from './json.ts'

describe('the input of a task', () => {
  test('is the output of the task before, the input of the workflow for the first', () => {
    const { output } = walk(`do: [{ a: { set: { seen: '\${ . }' } } }, { b: { set: { then: '\${ . }' } } }]`, { input: { x: 1 } })
    expect(output).toEqual({ then: { seen: { x: 1 } } })
  })

  test.each([
    ['an expression in ${ }', `'\${ .user.name }'`, 'Ada'],
    ['a bare expression', '.user.name', 'Ada'],
    ['an object with expressions in it', `{ who: '\${ .user.name }', plain: '.user.name' }`, { who: 'Ada', plain: '.user.name' }],
    ['an object without any expression', `{ fixed: [1, { deep: true }] }`, { fixed: [1, { deep: true }] }],
    ['an expression without output', 'empty', null],
    ['an expression with several outputs', `'1, 2'`, 1],
  ])('input.from takes %s', (_what, from, expected) => {
    const { output } = walk(`do: [{ a: { input: { from: ${from} }, set: { got: '\${ . }' } } }]`, { input: { user: { name: 'Ada' } } })
    expect(output).toEqual({ got: expected })
  })

  test('is checked before it is transformed', () => {
    const definition = (type: string) => `
      do:
        - a:
            input: { schema: { document: { type: ${type} } }, from: .n }
            set: { got: '\${ . }' }`
    expect(walk(definition('object'), { input: { n: 1 } }).output).toEqual({ got: 1 })
    expect(faultOf(walk(definition('number'), { input: { n: 1 } }))).toMatchObject({ status: 400, instance: '/do/0/a' })
  })
})

describe('the output of a task', () => {
  test('is what output.as makes of the raw output', () => {
    const { output } = walk(`do: [{ a: { set: { x: 1, y: 2 }, output: { as: '{ sum: (.x + .y) }' } } }]`)
    expect(output).toEqual({ sum: 3 })
  })

  test('may be a template, in which $input is the transformed input', () => {
    const { output } = walk(
      `do: [{ a: { input: { from: .n }, set: { x: 1 }, output: { as: { was: '\${ $input }', is: '\${ .x }' } } } }]`,
      {
        input: { n: 7 },
      },
    )
    expect(output).toEqual({ was: 7, is: 1 })
  })

  test('is checked after it is transformed', () => {
    const definition = (type: string) => `do: [{ a: { set: { x: 1 }, output: { as: .x, schema: { document: { type: ${type} } } } } }]`
    expect(walk(definition('number')).output).toBe(1)
    expect(faultOf(walk(definition('object'))).detail).toContain('the output of task "a" does not fit its schema')
  })

  test('may be anything, null and false included', () => {
    expect(walk(`do: [{ a: { set: { x: null }, output: { as: .x } } }]`).output).toBeNull()
    expect(walk(`do: [{ a: { set: { x: false }, output: { as: .x } } }]`).output).toBe(false)
  })
})

describe('the context', () => {
  test('begins as the transformed input of the workflow', () => {
    const { output } = walk(
      `
      input: { from: '{ kept: .a }' }
      do: [{ a: { set: { context: '\${ $context }' } } }]`,
      { input: { a: 1 } },
    )
    expect(output).toEqual({ context: { kept: 1 } })
  })

  test('is what export.as gave last, which reads the transformed output', () => {
    const { output } = walk(
      `
      do:
        - a: { set: { x: 1, y: 2 }, output: { as: .x }, export: { as: '{ first: ., out: $output, before: $context }' } }
        - b: { set: { context: '\${ $context }' } }`,
      { input: { start: true } },
    )
    expect(output).toEqual({ context: { first: 1, out: 1, before: { start: true } } })
  })

  test('is not touched by a task that exports nothing, nor by one that is skipped', () => {
    const { output } = walk(`
      do:
        - a: { set: { x: 1 }, export: { as: .x } }
        - b: { set: { x: 2 } }
        - c: { if: 'false', set: { x: 3 }, export: { as: .x } }
        - d: { set: { context: '\${ $context }' } }`)
    expect(output).toEqual({ context: 1 })
  })

  test('is checked by the schema of export, after the output is', () => {
    const unchanged = walk(`do: [{ a: { set: { x: 1 }, export: { schema: { document: { type: string } } } } }]`)
    expect(faultOf(unchanged).detail).toContain('the context after task "a" does not fit its schema')
    const walked = walk(`do: [{ a: { set: { x: 1 }, export: { as: .x, schema: { document: { type: string } } } } }]`)
    expect(faultOf(walked)).toMatchObject({ instance: '/do/0/a', detail: expect.stringContaining('the context after task "a"') })
  })

  test('that does not fit is not the context of the one who catches', () => {
    const { output } = walk(
      `
      do:
        - t:
            try: [{ a: { set: { x: 1 }, export: { as: .x, schema: { document: { type: string } } } } }]
            catch: { do: [{ b: { set: { context: '\${ $context }' } } }] }`,
      { input: { before: 1 } },
    )
    expect(output).toEqual({ context: { before: 1 } })
  })

  test('that a task inside another exports is there after it, and before it exports itself', () => {
    const { output } = walk(`
      do:
        - outer:
            do: [{ inner: { set: { x: 1 }, export: { as: '{ inner: .x }' } } }]
            export: { as: '{ outer: true, saw: $context }' }
        - b: { set: { context: '\${ $context }' } }`)
    expect(output).toEqual({ context: { outer: true, saw: { inner: 1 } } })
  })

  test('that was exported before a fault stays, since what has happened has happened', () => {
    const { output } = walk(`
      do:
        - t:
            try:
              - a: { set: { x: 1 }, export: { as: '{ done: "a" }' } }
              - r: { raise: { error: { type: 'https://t.test/x', status: 400 } } }
            catch: { do: [{ b: { set: { context: '\${ $context }' } } }] }`)
    expect(output).toEqual({ context: { done: 'a' } })
  })
})

describe('if', () => {
  test.each([
    ['true', true],
    ['false', false],
    ['null', false],
    ['empty', false],
    ['.go == 1', true],
    ['.missing', false],
    ['${ .go == 1 }', true],
  ])('%s: the task runs: %s', (condition, runs) => {
    const { completed, events } = walk(`do: [{ a: { if: '${condition}', set: { ran: true } } }]`, { input: { go: 1 } })
    expect(completed).toEqual(runs ? ['a'] : [])
    expect(events.some(({ what }) => what === 'skipped')).toBe(!runs)
  })

  test('a false condition returns the raw input, whatever the task says of it', () => {
    const { output } = walk(
      `
      do:
        - a:
            if: 'false'
            input: { from: .x, schema: { document: { type: string } } }
            set: { y: 1 }
            output: { as: .y, schema: { document: { type: string } } }
            then: end
        - b: { set: { got: '\${ . }' } }`,
      { input: { x: 1 } },
    )
    expect(output).toEqual({ got: { x: 1 } })
  })

  test('is asked before the input is checked', () => {
    const walked = walk(`do: [{ a: { if: 'false', input: { schema: { document: { type: string } } }, set: { y: 1 } } }]`)
    expect(walked.state).toBe('completed')
  })

  test('that fails faults the task', () => {
    const fault = faultOf(walk(`do: [{ a: { if: 'error("no")', set: { y: 1 } } }]`))
    expect(fault).toMatchObject({ status: 400, title: 'Expression error', instance: '/do/0/a' })
  })
})

describe('the order of one task', () => {
  const task = (broken: string) => `
    do:
      - a:
          ${broken === 'if' ? `if: 'error("if")'` : ''}
          input: { schema: { document: { type: ${broken === 'input.schema' ? 'string' : 'object'} } }, from: '${broken === 'input.from' ? 'error("input.from")' : '.'}' }
          call: http
          with: { method: get, endpoint: { uri: 'http://a' }, query: '\${ ${broken === 'body' ? 'error("body")' : '{}'} }' }
          output: { as: '${broken === 'output.as' ? 'error("output.as")' : '.'}', schema: { document: { type: ${broken === 'output.schema' ? 'string' : 'object'} } } }
          export: { as: '${broken === 'export.as' ? 'error("export.as")' : '.'}', schema: { document: { type: ${broken === 'export.schema' ? 'string' : 'object'} } } }`
  const order = ['if', 'input.schema', 'input.from', 'body', 'output.as', 'output.schema', 'export.as', 'export.schema'] as const

  test.each(order)('%s: what comes after it is not reached when it fails', (stage) => {
    const { calls, events, state } = walk(task(stage), { call: () => gives({}) })
    expect(state).toBe('faulted')
    expect(calls).toHaveLength(order.indexOf(stage) > order.indexOf('body') ? 1 : 0)
    expect(events.some(({ what }) => what === 'started')).toBe(order.indexOf(stage) > order.indexOf('input.from'))
    expect(events.at(-1)).toMatchObject({ what: 'faulted', name: 'a', reference: '/do/0/a' })
  })

  test('ends with the next task', () => {
    expect(walk(task('nothing'), { call: () => gives({}) }).state).toBe('completed')
  })
})

describe('the input of the workflow', () => {
  test('is checked raw, then transformed', () => {
    const definition = (type: string) => `
      input: { schema: { document: { type: object, properties: { n: { type: ${type} } } } }, from: .n }
      do: [{ a: { set: { got: '\${ . }' } } }]`
    expect(walk(definition('number'), { input: { n: 1 } }).output).toEqual({ got: 1 })
    const fault = faultOf(walk(definition('string'), { input: { n: 1 } }))
    expect(fault).toMatchObject({ status: 400, title: 'Validation error', instance: '/input' })
    expect(fault.detail).toContain('the input of the workflow')
    expect(fault.detail).toContain('/n')
  })

  test('that does not fit starts no task', () => {
    const { events } = walk(`
      input: { schema: { document: { type: string } } }
      do: [{ a: { set: { x: 1 } } }]`)
    expect(events).toEqual([])
  })

  test('whose transformation fails faults the workflow at its root', () => {
    const fault = faultOf(
      walk(`
      input: { from: 'error("no")' }
      do: [{ a: { set: { x: 1 } } }]`),
    )
    expect(fault).toMatchObject({ title: 'Expression error', instance: '/' })
  })
})

describe('the output of the workflow', () => {
  test('is that of the last task, transformed and then checked', () => {
    const definition = (type: string) => `
      output: { as: .x, schema: { document: { type: ${type} } } }
      do: [{ a: { set: { x: 1 } } }]`
    expect(walk(definition('number')).output).toBe(1)
    expect(faultOf(walk(definition('object')))).toMatchObject({ instance: '/output', title: 'Validation error' })
  })

  test('may be made of the context', () => {
    const { output } = walk(`
      output: { as: '{ context: $context, raw: . }' }
      do: [{ a: { set: { x: 1 }, export: { as: '{ kept: .x }' } } }]`)
    expect(output).toEqual({ context: { kept: 1 }, raw: { x: 1 } })
  })

  test('is the input when every task was skipped', () => {
    expect(walk(`do: [{ a: { if: 'false', set: { x: 1 } } }]`, { input: { i: 1 } }).output).toEqual({ i: 1 })
  })
})

describe('data', () => {
  test('of the input is never changed by what is made of it', () => {
    const input = { list: [1, 2], nested: { a: 1 } }
    const before = structuredClone(input)
    walk(
      `
      do:
        - a: { set: '\${ .list += [3] }' }
        - b: { set: '\${ .nested.a = 2 | del(.list) }' }`,
      { input },
    )
    expect(input).toEqual(before)
  })

  test('keeps keys that are special in JavaScript', () => {
    const input = parseJson('{ "__proto__": { "polluted": true }, "constructor": 1, "toString": 2 }')
    const { output } = walk(`do: [{ a: { set: '\${ . }' } }, { b: { set: { copy: '\${ . }' } } }]`, { input })
    expect(JSON.stringify(output)).toBe(`{"copy":${JSON.stringify(input)}}`)
    expect('polluted' in {}).toBe(false)
  })

  test('may be nested deeply', () => {
    let deep: Json = 'bottom'
    for (let level = 0; level < 990; level++) deep = { down: deep }
    const { output, state } = walk(`do: [{ a: { set: { got: '\${ . }' } } }]`, { input: deep })
    expect(state).toBe('completed')
    expect(JSON.stringify(output)).toContain('bottom')
  })

  test('of a large list goes through untouched', () => {
    const input = { items: Array.from({ length: 20_000 }, (_, index) => ({ index })) }
    const { output } = walk(`do: [{ a: { set: '\${ . }' } }]`, { input })
    expect(output).toEqual(input)
  })
})

test('a fault in the middle ends the workflow, whatever comes after', () => {
  const walked = walk(
    `
    do:
      - a: { set: { x: 1 } }
      - b: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } }
      - c: { set: { x: 2 } }`,
    { call: () => fails('communication') },
  )
  expect(walked.completed).toEqual(['a'])
  expect(faultOf(walked)).toMatchObject({ status: 500, title: 'Communication error', instance: '/do/1/b' })
})
