import { describe, expect, test } from 'vitest'
import { fails, faultOf, gives, walk, type WalkOptions } from '#testing/walk.ts'

const extended = (extensions: string, tasks: string, more = '') => `use: { extensions: [${extensions}] ${more} }\ndo: [${tasks}]`
const ask = `{ call: http, with: { method: get, endpoint: { uri: 'http://a' } } }`
/** An extension with one task before and one after, which are seen in what completes. */
const around = (name: string, extend: string, more = '') =>
  `{ ${name}: { extend: ${extend}, before: [{ ${name}Before: { set: { dropped: 1 } } }], after: [{ ${name}After: { set: { dropped: 2 } } }] ${more} } }`
const ran = (yaml: string, options: WalkOptions = {}) => walk(yaml, options).completed

describe('an extension applies to', () => {
  const tasks: Readonly<Record<string, string>> = {
    set: '{ set: { x: 1 } }',
    composite: '{ do: [{ inner: { wait: PT0S } }] }',
    for: `{ for: { in: '[1]' }, do: [{ inner: { wait: PT0S } }] }`,
    switch: `{ switch: [{ otherwise: { then: continue } }] }`,
    try: '{ try: [{ inner: { wait: PT0S } }], catch: {} }',
    wait: '{ wait: PT0S }',
    call: ask,
    run: `{ run: { workflow: { namespace: n, name: w, version: '1.0.0' } } }`,
    emit: `{ emit: { event: { with: { source: 'https://s.test', type: a } } } }`,
    listen: '{ listen: { to: { one: { with: { type: a } } } } }',
  }
  const arrival = { message: () => gives({ role: 'event', index: 0, event: { data: 1 } }) }

  test.each(Object.keys(tasks))('tasks of the kind that it names: %s', (kind) => {
    const yaml = extended(around('log', kind), `{ task: ${tasks[kind]} }`)
    expect(ran(yaml, arrival).filter((name) => name !== 'inner')).toEqual(['logBefore', 'logAfter', 'task'])
  })

  test.each(Object.keys(tasks))('no others: not to %s', (kind) => {
    const other = kind === 'set' ? 'call' : 'set'
    expect(ran(extended(around('log', other), `{ task: ${tasks[kind]} }`), arrival).filter((name) => name !== 'inner')).toEqual(['task'])
  })

  test.each(Object.keys(tasks))('every kind when it says all: %s', (kind) => {
    const yaml = extended(around('log', 'all'), `{ task: ${tasks[kind]} }`)
    expect(ran(yaml, arrival).filter((name) => name === 'logBefore').length).toBe(tasks[kind]?.includes('inner') === true ? 2 : 1)
  })

  test('forks, when it says all, and their branches', () => {
    const yaml = extended(around('log', 'all'), `{ both: { fork: { branches: [{ a: { set: { n: 1 } } }, { b: { set: { n: 2 } } }] } } }`)
    const walked = walk(yaml)
    expect(walked.output).toEqual([{ n: 1 }, { n: 2 }])
    expect(walked.completed.filter((name) => name === 'logAfter')).toHaveLength(3)
  })

  test('tasks that raise: before, and not after', () => {
    const yaml = extended(around('log', 'raise'), `{ bad: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }`)
    const walked = walk(yaml)
    expect(faultOf(walked)).toMatchObject({ status: 418, instance: '/do/0/bad' })
    expect(walked.completed).toEqual(['logBefore'])
  })
})

describe('an extension', () => {
  test('leaves output and flow as they are: what its tasks give is dropped', () => {
    const yaml = extended(
      around('log', 'set'),
      `{ a: { set: { n: '\${ .n + 1 }' }, then: c } }, { b: { set: { wrong: 1 } } }, { c: { set: { got: '\${ . }' } } }`,
    )
    expect(walk(yaml, { input: { n: 1 } }).output).toEqual({ got: { n: 2 } })
  })

  test('leaves what a switch decides as it is', () => {
    const yaml = extended(
      around('log', 'switch'),
      `{ choose: { switch: [{ yes: { when: .x == 1, then: c } }] } }, { b: { set: { wrong: 1 } } }, { c: { wait: PT0S } }`,
    )
    expect(walk(yaml, { input: { x: 1 } }).output).toEqual({ x: 1 })
  })

  test('gives the tasks before the input of the task and those after its raw output', () => {
    const see = (name: string) =>
      `{ ${name}: { call: http, with: { method: post, endpoint: { uri: 'http://${name}' }, body: '\${ . }' } } }`
    const yaml = extended(
      `{ log: { extend: set, before: [${see('before')}], after: [${see('after')}] } }`,
      `{ a: { input: { from: .n }, set: { doubled: '\${ . * 2 }' }, output: { as: .doubled } } }`,
    )
    const { calls, output } = walk(yaml, { input: { n: 4 } })
    expect(calls.map(({ input }) => input)).toEqual([4, { doubled: 8 }])
    expect(output).toBe(8)
  })

  test('has $task as the task that it extends, before and after', () => {
    const see = `{ see: { call: http, with: { method: post, endpoint: { uri: 'http://a' }, body: '\${ [$task.name, $task.reference, $task.input, $task.output] }' } } }`
    const yaml = extended(`{ log: { extend: set, before: [${see}], after: [${see}] } }`, `{ inner: { do: [{ a: { set: { n: 2 } } }] } }`)
    const { calls } = walk(yaml, { input: { n: 1 } })
    expect(calls.map(({ arguments: given }) => given)).toMatchObject([
      { body: ['a', '/do/0/inner/do/0/a', { n: 1 }, null] },
      { body: ['a', '/do/0/inner/do/0/a', { n: 1 }, { n: 2 }] },
    ])
  })

  test('sees the steps of its own lists, and none of those around the task', () => {
    const see = `{ first: { set: { n: 7 } } }, { second: { call: http, with: { method: post, endpoint: { uri: 'http://a' }, body: '\${ $steps }' } } }`
    const yaml = extended(`{ log: { extend: wait, before: [${see}] } }`, '{ earlier: { set: { n: 1 } } }, { a: { wait: PT0S } }')
    expect(walk(yaml).calls[0]?.arguments).toMatchObject({ body: { first: { n: 7 } } })
  })

  test('is not applied to its own tasks, however deep, nor to those of other extensions', () => {
    const deep = `before: [{ list: { do: [{ one: { set: { n: 1 } } }] } }, { loop: { for: { in: '[1, 2]' }, do: [{ two: { set: { n: 2 } } }] } }]`
    const yaml = extended(`{ log: { extend: all, ${deep} } }, ${around('more', 'all')}`, '{ a: { set: { n: 3 } } }')
    expect(ran(yaml)).toEqual(['one', 'list', 'two', 'two', 'loop', 'moreBefore', 'moreAfter', 'a'])
  })

  test('is applied inside of functions', () => {
    const yaml = extended(
      around('log', 'set'),
      '{ a: { call: twice, with: { n: 2 } } }',
      `, functions: { twice: { set: { n: '\${ .n * 2 }' } } }`,
    )
    expect(walk(yaml)).toMatchObject({ output: { n: 4 }, completed: ['logBefore', 'logAfter', 'twice', 'a'] })
  })

  test('is applied to a call of a function, and to what is in it', () => {
    const yaml = extended(
      around('log', 'all'),
      '{ a: { call: twice, with: { n: 2 } } }',
      `, functions: { twice: { set: { n: '\${ .n * 2 }' } } }`,
    )
    expect(ran(yaml)).toEqual(['logBefore', 'logBefore', 'logAfter', 'twice', 'logAfter', 'a'])
  })

  test('may export, which the task and those behind it see', () => {
    const yaml = extended(
      `{ log: { extend: wait, before: [{ b: { set: { n: 1 }, export: { as: '\${ { before: .n } }' } } }], after: [{ c: { set: { n: 2 }, export: { as: '\${ $context + { after: .n } }' } } }] } }`,
      `{ a: { wait: PT0S, output: { as: '\${ $context }' } } }, { d: { set: { output: '\${ . }', context: '\${ $context }' } } }`,
    )
    expect(walk(yaml).output).toEqual({ output: { before: 1, after: 2 }, context: { before: 1, after: 2 } })
  })

  test('positions differ before and after the task, and between extensions', () => {
    const { events } = walk(extended(`${around('one', 'set')}, ${around('two', 'set')}`, '{ a: { set: { n: 1 } } }'))
    expect(events.filter(({ what }) => what === 'started').map(({ position }) => position)).toEqual([
      '/do/0/a',
      '/do/0/a/extensions/0/before/0/oneBefore',
      '/do/0/a/extensions/1/before/0/twoBefore',
      '/do/0/a/extensions/1/after/0/twoAfter',
      '/do/0/a/extensions/0/after/0/oneAfter',
    ])
  })

  test('is not run for a task that is skipped', () => {
    expect(ran(extended(around('log', 'set'), `{ a: { if: 'false', set: { n: 1 } } }`))).toEqual([])
  })

  test('is run once for each time that its task is run', () => {
    const loop = `{ loop: { for: { in: '[1, 2, 3]' }, do: [{ a: { set: { n: 1 } } }] } }`
    expect(ran(extended(around('log', 'set'), loop)).filter((name) => name === 'logBefore')).toHaveLength(3)
  })
})

describe('several extensions', () => {
  test('stand one inside the other, the first outermost', () => {
    expect(
      ran(extended(`${around('one', 'set')}, ${around('two', 'all')}, ${around('three', 'set')}`, '{ a: { set: { n: 1 } } }')),
    ).toEqual(['oneBefore', 'twoBefore', 'threeBefore', 'threeAfter', 'twoAfter', 'oneAfter', 'a'])
  })

  test('extensions around one that replaces the task receive its output', () => {
    const mock = `{ mock: { extend: set, before: [{ m: { set: { mocked: 1 }, then: exit } }] } }`
    const { completed, output } = walk(extended(`${around('one', 'set')}, ${mock}, ${around('two', 'set')}`, '{ a: { set: { n: 1 } } }'))
    expect(completed).toEqual(['oneBefore', 'm', 'oneAfter', 'a'])
    expect(output).toEqual({ mocked: 1 })
  })
})

describe('when', () => {
  test.each([
    ['$task.name == "a"', true],
    ['$task.name == "b"', false],
    ['$task.definition.set.n == 1', true],
    ['.want', true],
    ['.missing', false],
    ['$context.want and $input.want', true],
  ])('%s applies it: %j', (when, applies) => {
    const yaml = extended(around('log', 'set', `, when: '${when}'`), '{ a: { set: { n: 1 } } }')
    expect(walk(yaml, { input: { want: true } })).toMatchObject({
      output: { n: 1 },
      completed: applies ? ['logBefore', 'logAfter', 'a'] : ['a'],
    })
  })

  test('is asked about each task anew, and what it says is kept with the journal', () => {
    const yaml = extended(
      around('log', 'set', `, when: '$task.name == "b"'`),
      `{ a: { set: { n: 1 } } }, { b: { set: { n: 2 } } }, { c: ${ask} }`,
    )
    const walked = walk(yaml, { call: () => undefined })
    expect(walked.completed).toEqual(['a', 'logBefore', 'logAfter', 'b'])
    expect([...walked.machine.pending.values()].map(({ decisions }) => decisions)).toEqual(['x0x1'])
  })

  test('a condition that fails faults the task', () => {
    const walked = walk(extended(around('log', 'set', `, when: 'error("no")'`), '{ a: { set: { n: 1 } } }'))
    expect(faultOf(walked)).toMatchObject({ title: 'Expression error', instance: '/do/0/a' })
  })
})

describe('a task before that exits', () => {
  const mock = (more = '') =>
    `{ mock: { extend: call, before: [{ m: { set: { mocked: true }, then: exit } }, { never: { set: { x: 1 } } }] ${more} } }`

  test('takes the place of the task: its output is the output, and nothing comes after', () => {
    const walked = walk(
      extended(
        mock(', after: [{ late: { set: { x: 1 } } }]'),
        `{ a: ${ask.slice(0, -1)}, output: { as: '\${ { got: . } }' } } }, { b: { set: { then: '\${ . }' } } }`,
      ),
    )
    expect(walked).toMatchObject({ output: { then: { got: { mocked: true } } }, completed: ['m', 'a', 'b'], calls: [] })
  })

  test('does so only where the extension applies', () => {
    const other = ask.replace('http://a', 'http://b')
    const yaml = extended(mock(`, when: '$task.definition.with.endpoint.uri == "http://a"'`), `{ a: ${ask} }, { b: ${other} }`)
    expect(walk(yaml).calls.map(({ position }) => position)).toEqual(['/do/1/b'])
  })

  test('leads on by the then of the task', () => {
    const yaml = extended(mock(), `{ a: ${ask.slice(0, -1)}, then: c } }, { b: { set: { wrong: 1 } } }, { c: { set: { right: 1 } } }`)
    expect(walk(yaml)).toMatchObject({ output: { right: 1 }, completed: ['m', 'a', 'c'] })
  })

  test('of the tasks after takes nothing', () => {
    const yaml = extended(
      `{ log: { extend: set, after: [{ l: { wait: PT0S, then: exit } }, { never: { wait: PT0S } }] } }`,
      '{ a: { set: { n: 1 } } }',
    )
    expect(walk(yaml)).toMatchObject({ output: { n: 1 }, completed: ['l', 'a'] })
  })

  test('with end instead ends the workflow', () => {
    const yaml = extended(
      '{ mock: { extend: call, before: [{ m: { set: { over: 1 }, then: end } }] } }',
      `{ a: ${ask} }, { b: { set: { no: 1 } } }`,
    )
    expect(walk(yaml)).toMatchObject({ state: 'completed', output: { over: 1 }, completed: ['m'] })
  })
})

describe('faults and times of extensions', () => {
  const log = `{ log: { extend: call, before: [{ l: { call: http, with: { method: post, endpoint: { uri: 'http://log' } } } }] } }`

  test('a task before that faults faults the task, and names its own place', () => {
    const walked = walk(extended(log, `{ a: ${ask} }`), { call: () => fails('communication') })
    expect(faultOf(walked)).toMatchObject({ status: 500, instance: '/use/extensions/0/log/before/0/l' })
    expect(walked.events.at(-1)).toMatchObject({ what: 'faulted', name: 'a' })
  })

  test('a try around the task catches that', () => {
    const yaml = extended(log, `{ t: { try: [{ a: ${ask} }], catch: { do: [{ h: { set: { caught: '\${ $error.status }' } } }] } } }`)
    expect(walk(yaml, { call: () => fails('communication') }).output).toEqual({ caught: 500 })
  })

  test('the timeout of a task covers them', () => {
    const slow = (request: { readonly position: string }) => gives(1, request.position.includes('extensions') ? 700 : 400)
    const yaml = (after: string) => extended(log, `{ a: ${ask.slice(0, -1)}, timeout: { after: ${after} } } }`)
    expect(faultOf(walk(yaml('PT1S'), { call: slow }))).toMatchObject({ status: 408, instance: '/do/0/a' })
    expect(walk(yaml('PT2S'), { call: slow })).toMatchObject({ state: 'completed', tookMs: 1_100 })
  })
})
