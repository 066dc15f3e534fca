import { describe, expect, test } from 'vitest'
import { type Answer, fails, faultOf, gives, memberOf, walk, type Walked, type WalkOptions } from '#testing/walk.ts'
import type { Json, JsonObject } from './json.ts'
import { errorMessage } from './error-message.ts'

interface Arriving {
  readonly event?: JsonObject
  readonly index?: number
  readonly until?: boolean
  readonly afterMs?: number
}

/** Events in the order in which they come; nothing after the last. */
function arriving(...events: readonly Arriving[]): NonNullable<WalkOptions['message']> {
  return (_request, count): Answer | undefined => {
    const next = events[count]
    if (next === undefined) return undefined
    const { event = { data: count }, index = 0, until = false, afterMs = 10 } = next
    return gives({ role: until ? 'until' : 'event', index, event }, afterMs)
  }
}

const data = (value: Json, more: Omit<Arriving, 'event'> = {}): Arriving => ({ event: { id: '1', type: 'a', data: value }, ...more })
const listen = (to: string, more = '') => `do: [{ hear: { listen: { to: ${to} ${more} } } }]`
const one = '{ one: { with: { type: a } } }'
const until = (condition: string) => `{ any: [{ with: { type: a } }], until: '${condition}' }`

describe('a message that raises an error', () => {
  const raises = {
    data: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression', status: 400, title: 'Expression error', detail: 'no' },
  }
  const message = (_request: unknown, count: number): Answer | undefined =>
    count === 0
      ? gives({ role: 'event', index: 0, event: { data: 'x' } }, 10)
      : count === 1
        ? gives(errorMessage(raises.data), 10)
        : undefined

  test('fails the listening after what came before it', () => {
    const walked = walk(listen(until('false')), { message })
    expect(faultOf(walked)).toMatchObject({ detail: 'no', instance: '/do/0/hear' })
    expect(walked).toMatchObject({ tookMs: 20, closed: ['/do/0/hear'] })
  })

  test('can be caught', () => {
    const tasks = `do: [{ safe: { try: [{ hear: { listen: { to: ${one} } } }], catch: { errors: { with: { status: 400 } }, do: [{ then: { set: { is: caught } } }] } } }]`
    expect(walk(tasks, { message: () => gives(errorMessage(raises.data), 10) }).output).toEqual({ is: 'caught' })
  })
})

describe('how long is listened', () => {
  test('for one event: until it has come', () => {
    const walked = walk(listen(one), { message: arriving(data('x'), data('y')) })
    expect(walked).toMatchObject({ state: 'completed', output: ['x'], tookMs: 10, closed: ['/do/0/hear'] })
    expect(walked.messages).toHaveLength(1)
  })

  test('for one event that does not come: on and on', () => {
    expect(walk(listen(one))).toMatchObject({ state: 'waiting', closed: [] })
  })

  test('for any of several: until the first has come', () => {
    const to = '{ any: [{ with: { type: a } }, { with: { type: b } }] }'
    expect(walk(listen(to), { message: arriving(data('x', { index: 1 }), data('y')) }).output).toEqual(['x'])
  })

  test('for an empty any: until anything at all has come', () => {
    const walked = walk(listen('{ any: [] }'), { message: arriving(data('x')) })
    expect(walked.output).toEqual(['x'])
    expect(walked.messages[0]?.wait.arguments).toEqual({
      takes: 'one',
      filters: [{ role: 'event', index: 0, filter: { with: {}, from: {}, variables: [] }, expected: {} }],
    })
  })

  test('for all of several: until each has come, in the order in which they came', () => {
    const to = '{ all: [{ with: { type: a } }, { with: { type: b } }, { with: { type: c } }] }'
    const walked = walk(listen(to), { message: arriving(data('c', { index: 2 }), data('a', { index: 0 }), data('b', { index: 1 })) })
    expect(walked).toMatchObject({ output: ['c', 'a', 'b'], tookMs: 30, closed: ['/do/0/hear'] })
  })

  test('for all of several: not while one of them is missing', () => {
    const to = '{ all: [{ with: { type: a } }, { with: { type: b } }] }'
    expect(walk(listen(to), { message: arriving(data('b', { index: 1 })) })).toMatchObject({ state: 'waiting', closed: [] })
  })

  test('for all of several: what comes a second time, of whatever there was before, is not counted twice', () => {
    const to = '{ all: [{ with: { type: a } }, { with: { type: b } }] }'
    const walked = walk(listen(to), { message: arriving(data('a'), data('again'), data('b', { index: 1 })) })
    expect(walked.output).toEqual(['a', 'b'])
  })

  test.each<[condition: string, events: readonly Json[], taken: readonly Json[]]>([
    ['length == 3', [1, 2, 3, 4], [1, 2, 3]],
    ['. | length > 0', [1, 2], [1]],
    ['any(. > 5)', [1, 9, 2], [1, 9]],
    ['.[-1] == "stop"', ['go', 'stop'], ['go', 'stop']],
    ['$input.enough <= length', [1, 2, 3], [1, 2]],
    ['$context.enough <= length', [1, 2, 3], [1, 2]],
  ])('for any until %s: until what was taken makes it true', (condition, events, taken) => {
    const message = arriving(...events.map((value) => data(value)))
    expect(walk(listen(until(condition)), { message, input: { enough: 2 } })).toMatchObject({ output: taken, closed: ['/do/0/hear'] })
  })

  test('for any until what never becomes true: on and on', () => {
    const walked = walk(listen(until('false')), { message: arriving(data(1), data(2), data(3)) })
    expect(walked).toMatchObject({ state: 'waiting', closed: [] })
    expect(walked.messages).toHaveLength(4)
  })

  test('an until that fails ends listening with a fault', () => {
    const walked = walk(listen(until('error("cannot evaluate")')), { message: arriving(data(1)) })
    expect(faultOf(walked)).toMatchObject({ title: 'Expression error', instance: '/do/0/hear' })
    expect(walked.closed).toEqual(['/do/0/hear'])
  })
})

describe('until further events', () => {
  const ending = (strategy: string) => listen(`{ any: [{ with: { type: a } }], until: ${strategy} }`)
  const stop = (index = 0) => data('stop', { until: true, index })

  test('one of them ends it, and is no part of the output', () => {
    const walked = walk(ending('{ one: { with: { type: stop } } }'), { message: arriving(data(1), data(2), stop(), data(3)) })
    expect(walked).toMatchObject({ output: [1, 2], closed: ['/do/0/hear'] })
  })

  test('that come before anything else leave nothing', () => {
    expect(walk(ending('{ one: { with: { type: stop } } }'), { message: arriving(stop()) }).output).toEqual([])
  })

  test('any of several ends it', () => {
    const to = ending('{ any: [{ with: { type: stop } }, { with: { type: halt } }] }')
    expect(walk(to, { message: arriving(data(1), stop(1)) }).output).toEqual([1])
  })

  test('all of several end it, in any order, each counted once', () => {
    const to = ending('{ all: [{ with: { type: stop } }, { with: { type: halt } }] }')
    expect(walk(to, { message: arriving(stop(1), data(1), stop(1), data(2), stop(0), data(3)) }).output).toEqual([1, 2])
    expect(walk(to, { message: arriving(stop(1), stop(1)) })).toMatchObject({ state: 'waiting' })
  })

  test('events of an until are part of the wait and have their own role', () => {
    const walked = walk(ending('{ all: [{ with: { type: stop } }, { with: { type: halt } }] }'))
    expect(walked.messages[0]?.wait).toEqual({
      position: '/do/0/hear',
      topic: 'events',
      arguments: {
        takes: 'many',
        filters: [
          { role: 'event', index: 0, filter: { with: { type: 'a' }, from: {}, variables: [] }, expected: {} },
          { role: 'until', index: 0, filter: { with: { type: 'stop' }, from: {}, variables: [] }, expected: {} },
          { role: 'until', index: 1, filter: { with: { type: 'halt' }, from: {}, variables: [] }, expected: {} },
        ],
      },
    })
  })

  test('are worked on by no foreach', () => {
    const yaml = `
      do:
        - hear:
            listen: { to: { any: [{ with: { type: a } }], until: { one: { with: { type: stop } } } } }
            foreach: { do: [{ work: { set: { got: '\${ $item }' } } }] }`
    expect(walk(yaml, { message: arriving(data(1), stop()) })).toMatchObject({ output: [{ got: 1 }], completed: ['work', 'hear'] })
  })
})

describe('what is read of an event', () => {
  const event = { specversion: '1.0', id: '7', source: '/s', type: 'a', data: { n: 1 } }
  const read = (mode: string, given: JsonObject) =>
    walk(listen('{ one: { with: { type: a } } }', mode === '' ? '' : `, read: ${mode}`), { message: arriving({ event: given }) }).output

  test.each<[mode: string, event: JsonObject, taken: Json]>([
    ['', event, { n: 1 }],
    ['data', event, { n: 1 }],
    ['data', { ...event, data: 'text' }, 'text'],
    ['data', { id: '7', type: 'a' }, null],
    ['data', { id: '7', type: 'a', data_base64: 'AAE=' }, 'AAE='],
    ['envelope', event, event],
    ['envelope', { id: '7', type: 'a' }, { id: '7', type: 'a' }],
    ['raw', event, '{"n":1}'],
    ['raw', { ...event, data: 'text' }, 'text'],
    ['raw', { ...event, data: false }, 'false'],
    ['raw', { id: '7', type: 'a' }, 'null'],
    ['raw', { id: '7', type: 'a', data_base64: 'AAE=' }, 'AAE='],
  ])('%s of %j is %j', (mode, given, taken) => {
    expect(read(mode, given)).toEqual([taken])
  })
})

describe('foreach', () => {
  const each = (foreach: string, to = until('length == 2'), more = '') =>
    `do: [{ hear: { listen: { to: ${to} }, foreach: ${foreach} ${more} } }]`
  const two = { message: arriving(data('a'), data('b')) }

  test('gives each event to its tasks, and the output of the last task takes its place', () => {
    const tasks = `{ do: [{ first: { set: { got: '\${ . }' } } }, { second: { set: { got: '\${ .got + "!" }' } } }] }`
    expect(walk(each(tasks), two).output).toEqual([{ got: 'a!' }, { got: 'b!' }])
  })

  test('binds the event and its number, under the names that it is given', () => {
    const named = `{ item: word, at: place, do: [{ work: { set: { got: '\${ "\\($place)\\($word)" }' } } }] }`
    expect(walk(each(named), two).output).toEqual([{ got: '0a' }, { got: '1b' }])
    const plain = `{ do: [{ work: { set: { got: '\${ "\\($index)\\($item)" }' } } }] }`
    expect(walk(each(plain), two).output).toEqual([{ got: '0a' }, { got: '1b' }])
  })

  test('transforms what its tasks give, with both in sight', () => {
    const foreach = `{ do: [{ work: { set: { n: 1 } } }], output: { as: '\${ { got: $item, place: $index, raw: ., input: $input } }' } }`
    expect(walk(each(foreach), two).output).toEqual([
      { got: 'a', place: 0, raw: { n: 1 }, input: 'a' },
      { got: 'b', place: 1, raw: { n: 1 }, input: 'b' },
    ])
  })

  test('without tasks transforms the event itself', () => {
    expect(walk(each(`{ output: { as: '\${ "\\(.)?" }' } }`), two).output).toEqual(['a?', 'b?'])
  })

  test('with nothing but names changes nothing', () => {
    expect(walk(each(`{ item: word }`), two).output).toEqual(['a', 'b'])
  })

  test('exports after each event, which tasks of the next can read', () => {
    const foreach = `{ do: [{ work: { set: { seen: '\${ $context.seen // [] }' } } }], export: { as: '\${ { seen: (.seen + [$item]) } }' } }`
    const walked = walk(`${each(foreach).slice(0, -1)}, { after: { set: '\${ { context: $context, events: . } }' } }]`, two)
    expect(walked.output).toEqual({ context: { seen: ['a', 'b'] }, events: [{ seen: [] }, { seen: ['a'] }] })
  })

  test('checks output and context by their schemas, and names the task', () => {
    const schema = '{ document: { type: number } }'
    const output = walk(each(`{ output: { schema: ${schema} } }`), two)
    expect(faultOf(output)).toMatchObject({ title: 'Validation error', instance: '/do/0/hear' })
    expect(faultOf(output).detail).toContain('the output of the iteration does not fit its schema')
    expect(output.closed).toEqual(['/do/0/hear'])
    const exported = faultOf(walk(each(`{ export: { as: $item, schema: ${schema} } }`), two))
    expect(exported.detail).toContain('the context after the iteration does not fit its schema')
    const unchanged = faultOf(walk(each(`{ export: { schema: ${schema} } }`), two))
    expect(unchanged.detail).toContain('the context after the iteration does not fit its schema')
  })

  test('works on one event at a time, in the order in which they came', () => {
    const call = (n: number) => gives(`answer ${n}`, 100)
    const foreach = `{ do: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' }, query: { e: '\${ $item }' } } } }] }`
    const walked = walk(each(foreach), { ...two, call: (_request, count) => call(count) })
    expect(walked).toMatchObject({ output: ['answer 0', 'answer 1'], tookMs: 220 })
    expect(walked.calls.map(({ position }) => position)).toEqual(['/do/0/hear[0]/foreach/do/0/ask', '/do/0/hear[1]/foreach/do/0/ask'])
    expect(walked.calls.map((request) => memberOf(memberOf(request.arguments, 'query'), 'e'))).toEqual(['a', 'b'])
  })

  test('the next event is processed after an exit', () => {
    const foreach = `{ do: [{ first: { set: { got: '\${ $item }' }, then: exit } }, { never: { set: { no: 1 } } }] }`
    expect(walk(each(foreach), two)).toMatchObject({
      output: [{ got: 'a' }, { got: 'b' }],
      completed: ['first', 'first', 'hear'],
    })
  })

  test('processing that ends the workflow ends the listening', () => {
    const foreach = `{ do: [{ first: { set: { got: '\${ $item }' }, then: end } }] }`
    const walked = walk(`${each(foreach).slice(0, -1)}, { never: { set: { no: 1 } } }]`, two)
    expect(walked).toMatchObject({ state: 'completed', output: { got: 'a' }, closed: ['/do/0/hear'] })
  })

  test('that fails outside of a try ends the listening once', () => {
    const foreach = `{ do: [{ bad: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }] }`
    const walked = walk(each(foreach), two)
    expect(faultOf(walked)).toMatchObject({ status: 418, instance: '/do/0/hear/foreach/do/0/bad' })
    expect(walked.closed).toEqual(['/do/0/hear'])
  })

  test('processing that fails within a try continues with the catch and ends the listening', () => {
    const foreach = `{ do: [{ bad: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }] }`
    const tried = `do: [{ t: { try: ${each(foreach).slice(4)}, catch: { do: [{ h: { set: { caught: '\${ $error.status }' } } }] } } }]`
    const walked = walk(tried, two)
    expect(walked).toMatchObject({ state: 'completed', output: { caught: 418 }, closed: ['/do/0/t/try/0/hear'] })
    expect(walked.messages).toHaveLength(1)
  })

  test('that is tried again listens anew, under a place of its own', () => {
    const foreach = `{ do: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }] }`
    const retry = 'retry: { limit: { attempt: { count: 1 } } }'
    const tried = `do: [{ t: { try: ${each(foreach, one).slice(4)}, catch: { ${retry} } } }]`
    const walked = walk(tried, { ...two, call: (_request, count) => (count === 0 ? fails('communication') : gives('well', 0)) })
    expect(walked).toMatchObject({ output: ['well'], closed: ['/do/0/t/try/0/hear', '/do/0/t!1/try/0/hear'] })
  })

  test('an observer gets the iteration of a task inside foreach', () => {
    const foreach = `{ do: [{ work: { set: { n: 1 } } }] }`
    const { events } = walk(each(foreach), two)
    const positions = events.filter(({ name, what }) => name === 'work' && what === 'started').map(({ position }) => position)
    expect(positions).toEqual(['/do/0/hear[0]/foreach/do/0/work', '/do/0/hear[1]/foreach/do/0/work'])
  })

  test('sees steps and variables of what is around it', () => {
    const yaml = `
      do:
        - before: { set: { n: 5 } }
        - loop:
            for: { each: letter, in: '["x"]' }
            do:
              - hear:
                  listen: { to: ${one} }
                  foreach: { do: [{ work: { set: { all: '\${ [$steps.before.n, $letter, $item] }' } } }] }`
    expect(walk(yaml, two).output).toEqual([{ all: [5, 'x', 'a'] }])
  })
})

describe('an abandoned wait for events is closed once', () => {
  const closedOnce = (walked: Walked, position: string) => expect(walked.closed).toEqual([position])

  test('by its own timeout', () => {
    const walked = walk(`do: [{ hear: { listen: { to: ${one} }, timeout: { after: PT5S } } }]`)
    expect(faultOf(walked)).toMatchObject({ status: 408, instance: '/do/0/hear' })
    closedOnce(walked, '/do/0/hear')
    expect(walked.abandoned).toEqual(['/do/0/hear/event/0'])
  })

  test('by a timeout around it, also when it is caught and something follows', () => {
    const walked = walk(`
      do:
        - t:
            try: [{ inner: { do: [{ hear: { listen: { to: ${one} } } }], timeout: { after: PT5S } } }]
            catch: { do: [{ h: { wait: PT1S } }] }
        - later: { wait: PT1S }`)
    expect(walked).toMatchObject({ state: 'completed', tookMs: 7_000 })
    closedOnce(walked, '/do/0/t/try/0/inner/do/0/hear')
  })

  test('by the timeout of the workflow', () => {
    const walked = walk(`timeout: { after: PT5S }\n${listen(one)}`)
    expect(walked.state).toBe('faulted')
    closedOnce(walked, '/do/0/hear')
  })

  test('by a timeout while an event is worked on by an effect', () => {
    const foreach = `{ do: [{ ask: { call: http, with: { method: get, endpoint: { uri: 'http://a' } } } }] }`
    const walked = walk(`do: [{ hear: { listen: { to: ${one} }, foreach: ${foreach}, timeout: { after: PT5S } } }]`, {
      message: arriving(data(1)),
      call: () => undefined,
    })
    expect(faultOf(walked).status).toBe(408)
    closedOnce(walked, '/do/0/hear')
    expect(walked.abandoned).toEqual(['/do/0/hear[0]/foreach/do/0/ask'])
  })

  test('by a timeout while an event is worked on by a fork that listens itself', () => {
    const inner = `{ branches: [{ more: { listen: { to: ${one} } } }, { pause: { wait: PT1H } }] }`
    const foreach = `{ do: [{ both: { fork: ${inner} } }] }`
    const walked = walk(
      `do: [{ hear: { listen: { to: ${one} }, foreach: ${foreach}, timeout: { after: PT5S } } }, { w: { wait: PT1S } }]`,
      {
        message: (_request, count) => arriving(data(1))(_request, count),
      },
    )
    expect(faultOf(walked).status).toBe(408)
    expect(walked.closed.toSorted()).toEqual(['/do/0/hear', '/do/0/hear[0]/foreach/do/0/both/fork/branches/0/more'])
  })

  test('by a branch that is faster', () => {
    const walked = walk(`
      do:
        - race: { fork: { compete: true, branches: [{ hear: { listen: { to: ${one} } } }, { pause: { wait: PT1S } }] } }
        - after: { wait: PT1S }`)
    expect(walked).toMatchObject({ state: 'completed', tookMs: 2_000 })
    closedOnce(walked, '/do/0/race/fork/branches/0/hear')
  })

  test('by a branch that faults', () => {
    const bad = `{ bad: { do: [{ w: { wait: PT1S } }, { r: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }] } }`
    const walked = walk(`do: [{ both: { fork: { branches: [{ hear: { listen: { to: ${one} } } }, ${bad}] } } }]`)
    expect(faultOf(walked).status).toBe(418)
    closedOnce(walked, '/do/0/both/fork/branches/0/hear')
  })

  test('by a branch that ends the workflow', () => {
    const ends = `{ ends: { do: [{ w: { wait: PT1S } }, { e: { set: { over: 1 }, then: end } }] } }`
    const walked = walk(`do: [{ both: { fork: { branches: [{ hear: { listen: { to: ${one} } } }, ${ends}] } } }]`)
    expect(walked).toMatchObject({ state: 'completed', output: { over: 1 } })
    closedOnce(walked, '/do/0/both/fork/branches/0/hear')
  })

  test('by its own winning, when both come at one time', () => {
    const walked = walk(
      `do: [{ race: { fork: { compete: true, branches: [{ a: { listen: { to: ${one} } } }, { b: { listen: { to: ${one} } } }] } } }]`,
      {
        message: arriving(data('first'), data('second')),
      },
    )
    expect(walked.output).toEqual(['first'])
    expect(walked.closed.toSorted()).toEqual(['/do/0/race/fork/branches/0/a', '/do/0/race/fork/branches/1/b'])
  })
})

describe('what is listened for', () => {
  const subscription = (filter: string, options: WalkOptions = {}, around = (task: string) => `do: [${task}]`) => {
    const walked = walk(around(`{ hear: { listen: { to: { one: ${filter} } } } }`), options)
    const filters = memberOf(walked.messages[0]?.wait.arguments, 'filters')
    return Array.isArray(filters) ? filters[0] : undefined
  }

  test('is written out: attributes, correlations, and what is expected', () => {
    const filter = `{ with: { type: a, source: 'https://s.test' }, correlate: { order: { from: .data.order, expect: '\${ .id }' }, kind: { from: .data.kind, expect: big } } }`
    expect(subscription(filter, { input: { id: 17 } })).toEqual({
      role: 'event',
      index: 0,
      filter: { with: { type: 'a', source: 'https://s.test' }, from: { order: '.data.order', kind: '.data.kind' }, variables: [] },
      expected: { order: 17, kind: 'big' },
    })
  })

  test('leaves open what a correlation does not expect', () => {
    expect(subscription(`{ with: { type: a }, correlate: { order: { from: .data.order } } }`)).toMatchObject({
      filter: { from: { order: '.data.order' } },
      expected: {},
    })
  })

  test('a filter has the values that its expressions read when listening begins', () => {
    const filter = `{ with: { type: a, data: '\${ .n > $context.least }' }, correlate: { order: { from: '.data.orders[$input.place]' } } }`
    expect(subscription(filter, { input: { least: 3, place: 1 } })).toEqual({
      role: 'event',
      index: 0,
      filter: {
        with: { type: 'a', data: '${ .n > $context.least }' },
        from: { order: '.data.orders[$input.place]' },
        variables: ['context', 'input'],
      },
      expected: {},
      scope: { context: { least: 3, place: 1 }, input: { least: 3, place: 1 } },
    })
  })

  test('a filter reads the variables of loops around it', () => {
    const around = (task: string) => `do: [{ loop: { for: { each: order, in: '[{ id: 4 }]' }, do: [${task}] } }]`
    expect(subscription(`{ with: { type: a, data: '\${ .id == $order.id }' } }`, {}, around)).toMatchObject({
      filter: { variables: ['order'] },
      scope: { order: { id: 4 } },
    })
  })

  test('a correlation that fails faults the task before a wait is opened', () => {
    const walked = walk(listen(`{ one: { with: { type: a }, correlate: { c: { from: .x, expect: '\${ error("no") }' } } } }`))
    expect(faultOf(walked)).toMatchObject({ title: 'Expression error', instance: '/do/0/hear' })
    expect(walked.messages).toEqual([])
    expect(walked.closed).toEqual([])
  })
})

test('a message without an event is a bug, not a fault', () => {
  expect(() => walk(listen(one), { message: () => gives({ odd: true }) })).toThrow('has no event')
})
