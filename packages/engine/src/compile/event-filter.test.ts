import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject, parseJson } from '#core/json.ts'
import { compileEventFilter, describeEventFilter, EventFilterError } from './event-filter.ts'
import { isEqual } from '#core/json-equality.ts'

const event: JsonObject = {
  specversion: '1.0',
  id: '17',
  source: 'https://shop.test/orders',
  type: 'com.shop.order.placed',
  subject: 'order+17',
  sequence: 4,
  sampled: true,
  data: { order: 17, total: 38.5, who: { name: 'Ann', tags: ['new', 'big'] }, note: null, pattern: 'a.*' },
}

const passes = (attributes: JsonObject, given: JsonObject = event, scope: JsonObject = {}) =>
  compileEventFilter({ with: attributes, variables: Object.keys(scope) }).values(given, scope) !== undefined

describe('an attribute', () => {
  test.each<[what: string, attributes: JsonObject, expected: boolean]>([
    ['that is equal passes', { type: 'com.shop.order.placed' }, true],
    ['that is not equal does not', { type: 'com.shop.order.cancelled' }, false],
    ['that only begins so does not', { type: 'com.shop.order' }, false],
    ['that is missing does not', { dataschema: 'https://s.test' }, false],
    ['of which one does not fit does not', { type: 'com.shop.order.placed', source: 'https://other.test' }, false],
    ['that is a number is equal to the number', { sequence: 4 }, true],
    ['that is a number is not equal to its text', { sequence: '4' }, false],
    ['that is true is equal to true', { sampled: true }, true],
    ['that is true is not equal to false', { sampled: false }, false],
    ['a dot in text stands for itself', { type: 'com-shop-order-placed' }, false],
  ])('%s', (_what, attributes, expected) => {
    expect(passes(attributes)).toBe(expected)
  })

  test('of nothing lets everything pass', () => {
    expect(passes({})).toBe(true)
    expect(compileEventFilter({}).values(event, {})).toEqual({})
  })
})

describe('a regular expression', () => {
  test.each<[pattern: string, expected: boolean]>([
    ['com\\.shop\\..*', true],
    ['com.shop.*', true],
    ['.*placed', true],
    ['^com\\.shop\\.order\\.(placed|paid)$', true],
    ['com\\.shop\\.order\\.[a-z]{6}', true],
    ['com\\.shop\\.order\\.[a-z]{7}', false],
    ['shop.*', false],
    ['com\\.shop\\.order', false],
    ['COM.*', false],
    ['(?i)COM.*', true],
    ['.+|nothing', true],
  ])('the pattern %s must match the whole value: %j', (pattern, expected) => {
    expect(passes({ type: pattern })).toBe(expected)
  })

  test('that reads as another stands for itself, too', () => {
    expect(passes({ subject: 'order+17' })).toBe(true)
    expect(passes({ subject: 'order+17' }, { ...event, subject: 'orderrr17' })).toBe(true)
  })

  test.each(['order(17', '[', 'a{2', '*', '(?<=a)b', '(a)\\1'])('an invalid or unbounded pattern matches only its own text: %s', (text) => {
    expect(passes({ subject: text }, { ...event, subject: text })).toBe(true)
    expect(passes({ subject: text })).toBe(false)
  })

  test('a pattern matches only texts', () => {
    expect(passes({ sequence: '.*' })).toBe(false)
    expect(passes({ sampled: '.*' })).toBe(false)
  })

  test('that would be slow elsewhere is not', () => {
    const began = startProcessorTime()
    expect(passes({ subject: '(a+)+b' }, { ...event, subject: 'a'.repeat(50_000) })).toBe(false)
    expect(began()).toBeLessThan(2_000)
  })

  test('a pattern within data is compared as text', () => {
    expect(passes({ data: { pattern: 'a.*' } })).toBe(true)
    expect(passes({ data: { pattern: 'a.*' } }, { ...event, data: { pattern: 'abc' } })).toBe(false)
    expect(passes({ data: 'a.*' }, { ...event, data: 'abc' })).toBe(false)
  })
})

describe('an expression', () => {
  test.each<[expression: string, expected: boolean]>([
    ['${ .total > 38 }', true],
    ['${ .total > 40 }', false],
    ['${ .who.tags | contains(["big"]) }', true],
    ['${ . }', true],
    ['${ .who }', false],
    ['${ .missing }', false],
    ['${ null }', false],
    ['${ empty }', false],
    ['${ error("no") }', false],
    ['${ .total / "x" }', false],
    ['${ 7 }', false],
  ])('on data that gives true or the data itself passes: %s %j', (expression, expected) => {
    expect(passes({ data: expression })).toBe(expected)
  })

  test('on an attribute has that attribute as its input', () => {
    expect(passes({ type: '${ startswith("com.shop") }' })).toBe(true)
    expect(passes({ type: '${ "com.shop.order.placed" }' })).toBe(true)
    expect(passes({ type: '${ "com.shop" }' })).toBe(false)
    expect(passes({ sequence: '${ . >= 4 }' })).toBe(true)
  })

  test('that gives false is no equal of false', () => {
    expect(passes({ sampled: '${ . }' }, { ...event, sampled: false })).toBe(false)
  })

  test('reads what the listener gave it to read', () => {
    expect(passes({ data: '${ .order == $input.id }' }, event, { input: { id: 17 } })).toBe(true)
    expect(passes({ data: '${ .order == $input.id }' }, event, { input: { id: 18 } })).toBe(false)
  })

  test('reads null where the listener gave nothing', () => {
    const filter = compileEventFilter({ with: { data: '${ $input == null }' }, variables: ['input'] })
    expect(filter.values(event, {})).toEqual({})
  })

  test('reads no name that JavaScript has given', () => {
    const filter = compileEventFilter({
      with: { data: '${ $constructor == null and $toString == null }' },
      variables: ['constructor', 'toString'],
    })
    expect(filter.values(event, {})).toEqual({})
  })

  test.each([
    '${ [range(100000000)] | length > 0 }',
    '${ last(repeat(1)) }',
    '${ def f: f; f }',
    '${ [limit(30; repeat("x" * 10000000))] | length > 0 }',
  ])('that costs too much is an error, and ends soon: %s', (expression) => {
    const began = startProcessorTime()
    expect(() => passes({ data: expression })).toThrow(EventFilterError)
    expect(began()).toBeLessThan(2_000)
  })
})

describe('a filter for one event', () => {
  const thousands = '${ reduce range(10000) as $i (0; . + 1) | . > 0 }'

  test('may take so many steps, those of all its expressions together', () => {
    expect(passes({ data: { order: thousands, total: thousands } })).toBe(true)
    expect(() => passes({ data: { order: thousands, total: thousands, note: thousands } })).toThrow('it took more than 50000 steps')
  })

  test('takes the same steps for the same event, however often it is asked', () => {
    const filter = compileEventFilter({ with: { type: 'com.shop.*', data: { order: thousands } }, from: { who: '.data.who' } })
    const steps = [1, 2].map(() => {
      filter.values(event, {})
      return filter.steps()
    })
    expect(steps[0]).toBeGreaterThan(10_000)
    expect(steps[1]).toBe(steps[0])
    filter.values({ ...event, type: 'another' }, {})
    expect(filter.steps()).toBeLessThan(100)
  })

  const ones = () => Array.from({ length: 20_000 }, () => 1)
  test.each<[what: string, attributes: JsonObject, given: JsonObject, steps: number]>([
    ['a comparison of large values', { data: { list: ones() } }, { data: { list: ones() } }, 20_000],
    ['a comparison of long texts', { data: 'a'.repeat(60_000) }, { data: 'a'.repeat(60_000) }, 200],
    ['a pattern on a long text', { subject: '(ab?){100}.*' }, { subject: 'ab'.repeat(1_000) }, 5_000],
  ])('is charged for %s', (_what, attributes, given, steps) => {
    const filter = compileEventFilter({ with: attributes })
    expect(filter.values({ ...event, ...given }, {})).toEqual({})
    expect(filter.steps()).toBeGreaterThan(steps)
  })

  test('may not match a large pattern on a long text', () => {
    const filter = compileEventFilter({ with: { subject: '(a?){500}b' } })
    expect(() => filter.values({ ...event, subject: 'a'.repeat(50_000) }, {})).toThrow(EventFilterError)
  })

  test('is charged for the size of what it correlates by', () => {
    const filter = compileEventFilter({ with: {}, from: { all: '.data' } })
    expect(() => filter.values({ ...event, data: Array.from({ length: 100_000 }, () => 1) }, {})).toThrow(EventFilterError)
  })

  test.each<[what: string, filter: JsonObject]>([
    ['is larger than a filter may be', { with: { data: 'a'.repeat(70_000) } }],
    ['has a pattern that becomes very large', { with: { subject: '(a{30}b{30}){30}'.repeat(10) } }],
    ['has a pattern that repeats much text', { with: { subject: `(${'ab'.repeat(400)}){1000}` } }],
  ])('cannot be compiled when it %s', (_what, filter) => {
    expect(() => compileEventFilter(filter)).toThrow(EventFilterError)
    expect(describeEventFilter(filter)).toEqual({ readsScope: false, correlations: [], type: undefined })
  })

  test('may repeat a little', () => {
    expect(passes({ subject: '[a-z]{1,8}.[0-9]{2}' })).toBe(true)
  })
})

describe('data', () => {
  test.each<[what: string, data: Json, expected: boolean]>([
    ['is compared member by member, and may have more', { order: 17 }, true],
    ['is compared member by member, each of which has to fit', { order: 17, total: 1 }, false],
    ['is compared as deep as it goes', { who: { name: 'Ann' } }, true],
    ['is compared as deep as it goes, and does not fit', { who: { name: 'Bob' } }, false],
    ['may have expressions anywhere', { who: { name: '${ startswith("A") }' }, total: '${ . > 38 }' }, true],
    ['may have expressions anywhere, which are false', { who: { name: '${ startswith("B") }' } }, false],
    ['has lists that are equal as a whole', { who: { tags: ['new', 'big'] } }, true],
    ['has lists that are not equal in part', { who: { tags: ['new'] } }, false],
    ['has null that is equal to null', { note: null }, true],
    ['has null that is not what is missing', { missing: null }, false],
    ['of an empty object is any object', {}, true],
    ['that is an object fits no list', { 0: 'x' }, false],
  ])('%s', (_what, data, expected) => {
    expect(passes({ data })).toBe(expected)
  })

  test('that is no object fits none', () => {
    for (const data of ['text', 7, null, true, [{ order: 17 }]]) expect(passes({ data: { order: 17 } }, { ...event, data })).toBe(false)
  })

  test('that is plain is compared as it is', () => {
    expect(passes({ data: 'text' }, { ...event, data: 'text' })).toBe(true)
    expect(passes({ data: 7 }, { ...event, data: 8 })).toBe(false)
    expect(passes({ data: [1, { a: 2 }] }, { ...event, data: [1, { a: 2 }] })).toBe(true)
  })
})

describe('names that mean something to JavaScript', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('as attributes and members are names like others: %s', (name) => {
    const wanted = JSON.parse(`{"data":{"${name}":{"x":1}}}`)
    expect(passes(wanted)).toBe(false)
    expect(passes(wanted, JSON.parse(`{"type":"a","data":{"${name}":{"x":1}}}`))).toBe(true)
    expect(passes(wanted, JSON.parse(`{"type":"a","data":{"${name}":{"x":2}}}`))).toBe(false)
    expect(passes(JSON.parse(`{"${name}":"x"}`))).toBe(false)
  })

  test.each(['__proto__', 'constructor', 'toString'])('as correlations give values like others: %s', (name) => {
    const from = JSON.parse(`{"${name}":".data.who"}`)
    const values = compileEventFilter({ with: {}, from }).values(event, {})
    expect(Object.entries(values ?? {})).toEqual([[name, { name: 'Ann', tags: ['new', 'big'] }]])
    expect(compileEventFilter({ with: {}, from: JSON.parse(`{"${name}":".data.missing"}`) }).values(event, {})).toBeUndefined()
  })
})

describe('correlations', () => {
  const values = (from: JsonObject, given: JsonObject = event) => compileEventFilter({ with: {}, from }).values(given, {})

  test('are taken out of the whole event, by name', () => {
    expect(values({ order: '.data.order', from: '${ .source }', tag: '.data.who.tags[0]' })).toEqual({
      order: 17,
      from: 'https://shop.test/orders',
      tag: 'new',
    })
  })

  test.each(['.data.missing', '.data.note', 'empty', 'error("no")', '.data.order.deep'])(
    'of which one is not there let nothing pass: %s',
    (from) => {
      expect(values({ order: '.data.order', other: from })).toBeUndefined()
    },
  )

  test('may be false, zero and empty', () => {
    expect(values({ a: 'false', b: '0', c: '""' })).toEqual({ a: false, b: 0, c: '' })
  })

  test('are not asked of an event that does not pass', () => {
    expect(compileEventFilter({ with: { type: 'other' }, from: { order: '.data.order' } }).values(event, {})).toBeUndefined()
  })
})

describe('what is known of a filter without an event', () => {
  test.each<[type: Json | undefined, known: string | undefined]>([
    ['com.shop.order.placed', 'com.shop.order.placed'],
    ['com.shop.*', undefined],
    ['${ startswith("com") }', undefined],
    ['a+b', undefined],
    [undefined, undefined],
  ])('the type that alone can pass: %j is %j', (type, known) => {
    expect(compileEventFilter({ with: type === undefined ? {} : { type } }).type).toBe(known)
  })

  test('the names of its correlations, and whether it reads what listens', () => {
    expect(compileEventFilter({ with: {}, from: { b: '.b', a: '.a' } })).toMatchObject({ correlations: ['b', 'a'], readsScope: false })
    expect(compileEventFilter({ with: {}, variables: ['input'] }).readsScope).toBe(true)
  })

  test('a type that is known passes no event of another type', () => {
    const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('a.b', 'a+', 'a.*', '(', '${ . }', 'aa'))
    fc.assert(
      fc.property(text, text, (type, other) => {
        const filter = compileEventFilter({ with: { type } })
        if (filter.type === undefined || other === '') return
        expect(filter.values({ type: other }, {}) !== undefined).toBe(other === filter.type)
      }),
    )
  })
})

describe('lifecycle events', () => {
  const lifecycleEvent = { ...event, type: 'io.serverlessworkflow.task.started.v1' }

  test('lifecycle events do not pass a filter without a type', () => {
    expect(passes({}, lifecycleEvent)).toBe(false)
    expect(passes({ source: 'https://shop.test/orders' }, lifecycleEvent)).toBe(false)
  })

  test('lifecycle events pass a filter for their type', () => {
    expect(passes({ type: 'io.serverlessworkflow.task.started.v1' }, lifecycleEvent)).toBe(true)
    expect(passes({ type: 'io\\.serverlessworkflow\\..*' }, lifecycleEvent)).toBe(true)
  })
})

describe('equality', () => {
  test('is that of JSON, whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const one = parseJson(JSON.stringify(value))
        expect(isEqual(one, parseJson(JSON.stringify(value)))).toBe(true)
        expect(isEqual(one, [one])).toBe(false)
        expect(isEqual({ a: one, b: 1 }, { b: 1, a: one })).toBe(true)
        expect(isEqual({ a: one }, { a: one, b: 1 })).toBe(false)
      }),
    )
  })

  test.each<[one: Json, other: Json]>([
    [1, '1'],
    [0, false],
    [null, false],
    [[], {}],
    [{}, null],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { b: 1 }],
    ['', null],
  ])('%j and %j are not equal', (one, other) => {
    expect(isEqual(one, other)).toBe(false)
    expect(isEqual(other, one)).toBe(false)
  })
})
