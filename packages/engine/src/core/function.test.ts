import { describe, expect, test } from 'vitest'
import { definitionOf } from '#testing/run-definition.ts'
import { fails, faultOf, gives, memberOf, walk, type WalkOptions } from '#testing/walk.ts'
import type { Installation } from '#compile/context.ts'
import type { FunctionManifest } from '#compile/manifest.ts'

const uses = (functions: string, tasks: string) => `use: { functions: { ${functions} } }\ndo: [${tasks}]`
const ask = (more = '') => `call: http, with: { method: get, endpoint: { uri: 'http://a' } ${more} }`

describe('a function of the document', () => {
  test('has its arguments as its input, evaluated where it is called', () => {
    const yaml = uses(
      `twice: { set: { n: '\${ .n * 2 }', input: '\${ $input }' } }`,
      `{ a: { call: twice, with: { n: '\${ .start + 1 }' } } }`,
    )
    expect(walk(yaml, { input: { start: 4 } }).output).toEqual({ n: 10, input: { n: 5 } })
  })

  test('without arguments has an empty object', () => {
    expect(walk(uses(`echo: { set: { got: '\${ . }' } }`, '{ a: { call: echo } }'), { input: { n: 1 } }).output).toEqual({ got: {} })
  })

  test('gives its output to the task that calls it, which transforms it', () => {
    const yaml = uses(
      `f: { set: { n: 3 }, output: { as: .n } }`,
      `{ a: { call: f, output: { as: '\${ { got: . } }' }, export: { as: . } } }, { b: { set: { context: '\${ $context }' } } }`,
    )
    expect(walk(yaml).output).toEqual({ context: { got: 3 } })
  })

  test('sees neither variables nor steps of its caller', () => {
    const names = `f: { set: { steps: '\${ $steps }', task: '\${ $task.name }' } }`
    const yaml = uses(names, `{ before: { set: { n: 1 } } }, { loop: { for: { in: '[1]' }, do: [{ a: { call: f } }] } }`)
    expect(walk(yaml).output).toEqual({ steps: {}, task: 'f' })
    expect(() => walk(uses(`f: { set: { x: '\${ $item }' } }`, `{ loop: { for: { in: '[1]' }, do: [{ a: { call: f } }] } }`))).toThrow(
      /\$item/,
    )
  })

  test('that is a list has steps of its own', () => {
    const list = `f: { do: [{ one: { set: { n: 1 } } }, { two: { set: { sum: '\${ $steps.one.n + 10 }' } } }] }`
    expect(walk(uses(list, '{ one: { set: { n: 50 } } }, { a: { call: f, with: { n: 10 } } }'), {}).output).toEqual({ sum: 11 })
  })

  test('reads and exports the context of who calls it', () => {
    const yaml = uses(
      `count: { set: { n: '\${ $context.n + 1 }' }, export: { as: '\${ { n: .n } }' } }`,
      '{ a: { call: count } }, { b: { call: count } }',
    )
    expect(walk(yaml, { input: { n: 1 } }).output).toEqual({ n: 3 })
  })

  test('that is skipped by its condition gives its arguments back', () => {
    expect(walk(uses(`f: { if: .n > 1, set: { ran: true } }`, '{ a: { call: f, with: { n: 1 } } }')).output).toEqual({ n: 1 })
  })

  test('has a then that leads nowhere', () => {
    expect(walk(uses(`f: { set: { n: 1 }, then: end }`, '{ a: { call: f } }, { b: { set: { on: true } } }')).output).toEqual({ on: true })
  })

  test.each([
    ['input', `f: { input: { schema: { document: { properties: { n: { type: number } } } } }, set: { x: 1 } }`, 'the input of task "f"'],
    [
      'output',
      `f: { set: { n: text }, output: { schema: { document: { properties: { n: { type: number } } } } } }`,
      'the output of task "f"',
    ],
  ])('a function is validated by the schema of its %s', (_what, functions, detail) => {
    const fault = faultOf(walk(uses(functions, `{ a: { call: f, with: { n: '\${ "text" }' } } }`)))
    expect(fault).toMatchObject({ title: 'Validation error', instance: '/use/functions/f' })
    expect(fault.detail).toContain(detail)
  })

  test('that fails names the place in itself, and can be caught where it is called', () => {
    const raise = `f: { do: [{ r: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }] }`
    const walked = walk(uses(raise, '{ a: { call: f } }'))
    expect(faultOf(walked)).toMatchObject({ status: 418, instance: '/use/functions/f/do/0/r' })
    expect(walked.events.filter(({ what }) => what === 'faulted').map(({ name }) => name)).toEqual(['r', 'f', 'a'])
    const tried = `{ t: { try: [{ a: { call: f } }], catch: { do: [{ h: { set: { caught: '\${ $error.status }' } } }] } } }`
    expect(walk(uses(raise, tried)).output).toEqual({ caught: 418 })
  })

  test('that is tried again does its effect again, under a place of its own', () => {
    const tried = '{ t: { try: [{ a: { call: f } }], catch: { retry: { limit: { attempt: { count: 2 } } } } } }'
    const walked = walk(uses(`f: { ${ask()} }`, tried), { call: (_request, count) => (count < 2 ? fails('communication') : gives('well')) })
    expect(walked.output).toBe('well')
    expect(walked.calls.map(({ position }) => position)).toEqual([
      '/do/0/t/try/0/a/function/functions/f',
      '/do/0/t!1/try/0/a/function/functions/f',
      '/do/0/t!2/try/0/a/function/functions/f',
    ])
  })

  test('has a timeout of its own, and that of its call', () => {
    const slow: WalkOptions = { call: () => undefined }
    expect(faultOf(walk(uses(`f: { ${ask()}, timeout: { after: PT1S } }`, '{ a: { call: f } }'), slow))).toMatchObject({
      status: 408,
      instance: '/use/functions/f',
    })
    expect(faultOf(walk(uses(`f: { ${ask()} }`, '{ a: { call: f, timeout: { after: PT2S } } }'), slow))).toMatchObject({
      status: 408,
      instance: '/do/0/a',
    })
  })

  test('may call another, and be called twice', () => {
    const functions = `inc: { set: { n: '\${ .n + 1 }' } }, twice: { do: [{ a: { call: inc, with: { n: '\${ .n }' } } }, { b: { call: inc, with: { n: '\${ .n }' } } }] }`
    const walked = walk(uses(functions, `{ a: { call: twice, with: { n: 1 } } }, { b: { call: twice, with: { n: '\${ .n }' } } }`))
    expect(walked.output).toEqual({ n: 5 })
    expect(new Set(walked.events.map(({ position }) => position)).size).toBe(12)
  })

  test('may have a name that means something to JavaScript', () => {
    expect(walk(uses(`constructor: { set: { n: 1 } }, toString: { set: { n: 2 } }`, '{ a: { call: constructor } }')).output).toEqual({
      n: 1,
    })
    expect(walk(uses(`constructor: { set: { n: 1 } }, toString: { set: { n: 2 } }`, '{ a: { call: toString } }')).output).toEqual({ n: 2 })
  })

  test('may have a name with a slash in it', () => {
    const walked = walk(uses(`'a/b': { raise: { error: { type: 'https://t.test/x', status: 418 } } }`, `{ a: { call: 'a/b' } }`))
    expect(faultOf(walked).instance).toBe('/use/functions/a~1b')
  })

  test('may listen, wait and emit', () => {
    const functions = `f: { do: [{ hear: { listen: { to: { one: { with: { type: a } } } } } }, { w: { wait: PT1S } }, { notify: { emit: { event: { with: { source: 'https://s.test', type: '\${ .[0] }' } } } } }] }`
    const walked = walk(uses(functions, '{ a: { call: f } }'), {
      message: () => gives({ role: 'event', index: 0, event: { data: 'heard' } }),
    })
    expect(walked.output).toMatchObject({ type: 'heard' })
    expect(walked.closed).toEqual(['/do/0/a/function/functions/f/do/0/hear'])
  })
})

const manifest = (name: string, version: string, more: Partial<FunctionManifest> = {}): FunctionManifest => ({
  name,
  version,
  summary: '',
  performs: 'effect',
  input: { type: 'object' },
  output: {},
  ...more,
})

describe('a function of the default catalog', () => {
  const needs = (name: string) => ({ input: { type: 'object', required: [name] } })
  const installation = {
    functions: [manifest('notify', '1.0.0', needs('old')), manifest('notify', '2.0.0', needs('young')), manifest('shout', '1.0.0')],
  }
  const run = (yaml: string, use: Installation = installation) => walk(definitionOf(yaml, use))

  test('is an effect under its name, with its arguments', () => {
    const { calls, output } = run(`do: [{ a: { call: notify, with: { young: '\${ 1 + 1 }' } } }]`)
    expect(calls).toMatchObject([{ kind: 'effect', function: 'notify', arguments: { young: 2 }, position: '/do/0/a' }])
    expect(output).toEqual({ young: 2 })
  })

  test.each([
    ['notify:1.0.0', 'old'],
    ['notify:1.0.0@default', 'old'],
    ['notify:2.0.0', 'young'],
    ['notify:2.0.0@default', 'young'],
    ['notify', 'young'],
  ])('is the version that is asked for, or else the latest: %s', (call, argument) => {
    const yaml = `do: [{ a: { call: '${call}', with: { ${argument}: '\${ 1 }' } } }]`
    expect(run(yaml).calls).toMatchObject([{ function: 'notify', arguments: { [argument]: 1 } }])
    expect(() => run(yaml.replace(argument, 'middling'))).toThrow(`The function "notify" needs "${argument}"`)
  })

  test('is hidden by a function of the document of the same name', () => {
    expect(run(uses('notify: { set: { own: true } }', '{ a: { call: notify } }')).output).toEqual({ own: true })
    expect(run(uses('notify: { set: { own: true } }', `{ a: { call: 'notify:2.0.0', with: { young: 1 } } }`)).calls).toHaveLength(1)
  })

  test('cannot be called by a function that the document calls the same, except by its version', () => {
    const yaml = uses(`notify: { call: 'notify:2.0.0', with: { young: '\${ .n }' } }`, '{ a: { call: notify, with: { n: 1 } } }')
    expect(run(yaml).calls).toMatchObject([{ arguments: { young: 1 } }])
  })

  test('that is called wrongly faults with what does not fit, and does nothing', () => {
    const strict = { functions: [manifest('notify', '1.0.0', { input: { type: 'object', properties: { n: { type: 'number' } } } })] }
    const walked = run(`do: [{ a: { call: notify, with: { n: '\${ "one" }' } } }]`, strict)
    expect(faultOf(walked)).toMatchObject({ status: 400, title: 'Validation error', instance: '/do/0/a' })
    expect(faultOf(walked).detail).toMatch(/^what "notify" is called with does not fit its schema: .*\/n: /)
    expect(walked.calls).toEqual([])
  })

  test('that fails faults where it is called', () => {
    const walked = walk(definitionOf('do: [{ a: { call: shout } }]', installation), { call: () => fails('authorization') })
    expect(faultOf(walked)).toMatchObject({ status: 403, instance: '/do/0/a' })
  })
})

describe('a function that was fetched', () => {
  const uri = 'https://functions.test/greet/function.yaml'
  const root = 'https://catalog.test/root'
  const fetched = {
    call: 'http',
    with: { method: 'get', endpoint: { uri: 'http://a' }, query: { secrets: '${ $secrets }', name: '${ .name }' } },
  }
  const installation: Installation = {
    functions: [manifest('notify', '1.0.0')],
    resources: { [uri]: fetched, [`${root}/functions/greet/1.0.0/function.yaml`]: { set: { from: 'catalog' } } },
  }
  const run = (yaml: string, options: WalkOptions = {}) => walk(definitionOf(yaml, installation), options)

  test('from an address is called with its arguments, and sees no secrets', () => {
    const yaml = `use: { secrets: [token] }\ndo: [{ a: { call: '${uri}', with: { name: Ann } } }]`
    const { calls } = run(yaml, { secrets: { token: 'hush' } })
    expect(memberOf(calls[0]?.arguments, 'query')).toEqual({ secrets: {}, name: 'Ann' })
  })

  test('sees of the workflow neither input nor definition nor context, and leaves the context as it was', () => {
    const nosy = { set: { workflow: '${ $workflow | keys }', context: '${ $context }' }, export: { as: '${ "taken" }' } }
    const workflow = definitionOf(
      `input: { from: '\${ { kept: .n } }' }\ndo: [{ a: { call: '${uri}' } }, { b: { set: { seen: '\${ . }', context: '\${ $context }' } } }]`,
      { functions: [], resources: { [uri]: nosy } },
    )
    expect(walk(workflow, { input: { n: 1 } }).output).toEqual({
      seen: { workflow: ['id', 'startedAt'], context: null },
      context: { kept: 1 },
    })
  })

  test('that a timeout interrupts leaves the context as it was', () => {
    const nosy = { do: [{ a: { set: { x: 1 }, export: { as: '${ "taken" }' } } }, { b: fetched }] }
    const guarded = `{ try: [{ a: { call: '${uri}', timeout: { after: { milliseconds: 40 } } } }], catch: { do: [{ caught: { set: { x: 1 } } }] } }`
    const workflow = definitionOf(
      `do: [{ keep: { set: { x: 1 }, export: { as: '\${ { kept: 1 } }' } } }, { guarded: ${guarded} }, { b: { set: { context: '\${ $context }' } } }]`,
      { functions: [], resources: { [uri]: nosy } },
    )
    expect(walk(workflow, { call: () => undefined }).output).toEqual({ context: { kept: 1 } })
  })

  test('is extended by the document, whose extensions see its secrets', () => {
    const extension = `{ notify: { extend: set, before: [{ note: { call: http, with: { method: get, endpoint: { uri: 'http://a' }, query: { token: '\${ $secrets.token }' } } } }] } }`
    const workflow = definitionOf(`use: { secrets: [token], extensions: [${extension}] }\ndo: [{ a: { call: '${uri}' } }]`, {
      functions: [],
      resources: { [uri]: { set: { x: 1 } } },
    })
    const { calls } = walk(workflow, { secrets: { token: 'hush' } })
    expect(memberOf(calls[0]?.arguments, 'query')).toEqual({ token: 'hush' })
  })

  test('is extended by the document, whose extensions call its functions with its secrets', () => {
    const extension = `{ notify: { extend: set, before: [{ note: { call: inform } }] } }`
    const inform = `{ call: http, with: { method: get, endpoint: { uri: 'http://a' }, query: { token: '\${ $secrets.token }' } } }`
    const workflow = definitionOf(
      `use: { secrets: [token], functions: { inform: ${inform} }, extensions: [${extension}] }\ndo: [{ a: { call: '${uri}' } }]`,
      { functions: [], resources: { [uri]: { set: { x: 1 } } } },
    )
    const { calls } = walk(workflow, { secrets: { token: 'hush' } })
    expect(memberOf(calls[0]?.arguments, 'query')).toEqual({ token: 'hush' })
  })

  test('from a catalog that the document names is found by name and version', () => {
    const yaml = `use: { catalogs: { mine: { endpoint: { uri: '${root}' } } } }\ndo: [{ a: { call: 'greet:1.0.0@mine' } }]`
    expect(run(yaml).output).toEqual({ from: 'catalog' })
  })

  test("from a catalog that the document calls default takes the place of the installation's", () => {
    const yaml = `use: { catalogs: { default: { endpoint: { uri: '${root}' } } } }\ndo: [{ a: { call: 'greet:1.0.0@default' } }]`
    expect(run(yaml).output).toEqual({ from: 'catalog' })
  })
})
