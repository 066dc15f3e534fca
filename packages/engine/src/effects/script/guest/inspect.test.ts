import { inspect as nodeInspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspect } from './inspect.ts'

class Shape {
  readonly sides: number = 3
  get area() {
    return 1
  }
}
class Square extends Shape {
  override readonly sides = 4
}
class Registry extends Map<string, number> {}
class Names extends Set<string> {}
class Row extends Array<number> {}
class Tagged {
  readonly [Symbol.toStringTag] = 'Label'
}
class HttpError extends Error {
  override readonly name = 'HttpError'
}

function circle(): object {
  const one: Record<string, unknown> = { name: 'one' }
  one['self'] = one
  one['list'] = [one, { deeper: one }]
  return one
}

function twoCircles(): object {
  const one: Record<string, unknown> = {}
  const two: Record<string, unknown> = { one }
  one['two'] = two
  two['two'] = two
  return one
}

function nullPrototype(entries: object): object {
  return Object.assign(Object.create(null), entries)
}

function withProperties<T extends object>(value: T, properties: object): T {
  return Object.assign(value, properties)
}

const primitives: readonly (readonly [string, unknown])[] = [
  ['a text', 'text'],
  ['an empty text', ''],
  ['a text with a single quote', "it's"],
  ['a text with both quotes', `it's "it"`],
  ['a text with all quotes', `it's "it" \`it\``],
  ['a text with quotes and an interpolation', 'it\'s "it" ${x}'],
  ['a text with line breaks', 'a\nb\r\n\tc'],
  ['a text with a backslash', 'a\\b'],
  ['a text with control characters', '\u0000\u0007\b\f\u001b\u007f\u009f'],
  ['a text with a lone surrogate', 'a\ud800b\udc00'],
  ['a text with a pair of surrogates', 'a😀b'],
  ['a long text', 'x'.repeat(200)],
  ['a number', 1.5],
  ['zero', 0],
  ['minus zero', -0],
  ['no number', Number.NaN],
  ['infinity', -Infinity],
  ['a large number', 1e21],
  ['a bigint', 12345678901234567890n],
  ['true', true],
  ['null', null],
  ['undefined', undefined],
  ['a symbol', Symbol('mark')],
  ['a symbol without description', Symbol()],
]

const objects: readonly (readonly [string, unknown])[] = [
  ['an empty object', {}],
  ['an object', { a: 1, b: 'two', c: null, d: undefined }],
  ['keys that need quotes', { 'a-b': 1, '1': 2, "it's": 3, '': 4, ['__proto__']: 5 }],
  ['a symbol as a key', { [Symbol('key')]: 1 }],
  ['objects three deep', { a: { b: { c: {} } } }],
  ['objects too deep', { a: { b: { c: { d: 1 } } } }],
  ['lists too deep', [[[[1]]]]],
  ['an empty list too deep', [[[[]]]]],
  ['a class too deep', { a: { b: { c: new Shape() } } }],
  ['a map too deep', { a: { b: { c: new Map([[1, 2]]) } } }],
  ['no prototype', nullPrototype({ a: 1 })],
  ['no prototype and nothing in it', nullPrototype({})],
  ['no prototype, too deep', { a: { b: { c: nullPrototype({ d: 1 }) } } }],
  ['accessors', Object.defineProperties({}, { both: { get: () => 1, set: () => {}, enumerable: true } })],
  ['a getter', Object.defineProperty({}, 'one', { get: () => 1, enumerable: true })],
  ['a setter', Object.defineProperty({}, 'one', { set: () => {}, enumerable: true })],
  ['what is not enumerable', Object.defineProperty({}, 'hidden', { value: 1 })],
  ['an instance', new Shape()],
  ['an instance of a subclass', new Square()],
  ['an instance with a tag', new Tagged()],
  ['a plain object with a tag', { [Symbol.toStringTag]: 'Tag', a: 1 }],
  ['a circle', circle()],
  ['two circles', twoCircles()],
  ['many keys', Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`key${index}`, index]))],
  ['a line of 72 characters', { text: 'x'.repeat(54) }],
  ['long texts side by side', { a: 'x'.repeat(40), b: 'y'.repeat(40) }],
  ['a long text with lines in an object', { text: 'a line of text\n'.repeat(3) }],
  ['levels that fit on a line', { a: { b: 1 }, c: [1, { d: 2 }] }],
  ['levels that do not', { a: { b: { c: 1 } }, d: { e: { f: [1] } }, g: [{ h: [2] }] }],
]

const lists: readonly (readonly [string, unknown])[] = [
  ['an empty list', []],
  ['six numbers', [1, 2, 3, 4, 5, 6]],
  ['seven numbers', [1, 2, 3, 4, 5, 6, 7]],
  ['numbers of several widths', [1, 22, 333, 4444, 55555, 6, 77, 888, 9, 10, 111, 12]],
  ['negative numbers', Array.from({ length: 20 }, (_, index) => (index - 10) * 7.5)],
  ['bigints', Array.from({ length: 9 }, (_, index) => 10n ** BigInt(index))],
  ['short texts', ['a', 'bb', 'ccc', 'dddd', 'e', 'ff', 'ggg', 'h']],
  ['long texts', Array.from({ length: 8 }, (_, index) => `${'word'.repeat(6)} ${index}`)],
  ['one long text among short ones', ['a', 'b', 'c', 'd', 'e', 'f', 'g'.repeat(60)]],
  ['numbers and texts', [1, 'two', 3, 'four', 5, 'six', 7, 'eight']],
  ['a hundred items', Array.from({ length: 100 }, (_, index) => index)],
  ['a hundred and one items', Array.from({ length: 101 }, (_, index) => index)],
  ['a thousand items', Array.from({ length: 1_000 }, (_, index) => index)],
  ['objects', [{ a: 1 }, { a: 2 }, { a: 3 }]],
  ['seven objects', Array.from({ length: 7 }, (_, index) => ({ index }))],
  ['holes', Object.assign([], { length: 3 })],
  ['a hole between items', Object.assign([1], { 2: 3 })],
  ['extra keys', withProperties([1, 2], { name: 'list' })],
  ['a subclass', Row.from([1, 2])],
  ['a list in a list', [[1, 2], [3]]],
  ['a list in an object', { list: Array.from({ length: 30 }, (_, index) => index * 100) }],
]

const builtIns: readonly (readonly [string, unknown])[] = [
  [
    'a map',
    new Map<unknown, unknown>([
      ['a', 1],
      [{ key: 1 }, [2]],
    ]),
  ],
  ['an empty map', new Map()],
  ['a set', new Set<unknown>([1, 'two', { three: 3 }])],
  ['an empty set', new Set()],
  ['a subclass of map', new Registry([['a', 1]])],
  ['a subclass of set', new Names(['a'])],
  ['a map with a key of its own', withProperties(new Map([[1, 2]]), { name: 'map' })],
  ['bytes', new Uint8Array([1, 2, 255])],
  ['floats', new Float64Array([1.5, -0])],
  ['long integers', new BigInt64Array([1n, -2n])],
  ['no bytes', new Uint8Array()],
  ['many bytes', new Uint8Array(200)],
  ['a date', new Date(0)],
  ['no date', new Date(Number.NaN)],
  ['a date with a key of its own', withProperties(new Date(0), { zone: 'UTC' })],
  ['an expression', /a+b/giu],
  ['an expression with a key of its own', withProperties(/a/, { used: true })],
  ['a boxed number', Object(1)],
  ['a boxed text', Object('text')],
  ['a boxed boolean', Object(false)],
  ['a boxed symbol', Object(Symbol('boxed'))],
  ['a boxed bigint', Object(1n)],
  ['a weak map', new WeakMap()],
  ['a weak set', new WeakSet()],
]

const functions: readonly (readonly [string, unknown])[] = [
  ['a function', function named() {}],
  [
    'a function without a name',
    (
      () => () =>
        undefined
    )(),
  ],
  ['an async function', async function later() {}],
  ['a generator', function* steps() {}],
  ['an async generator', async function* events() {}],
  ['a class', Shape],
  ['a subclass', Square],
  [
    'a class without a name',
    (() =>
      class {
        readonly count = 0
      })(),
  ],
  ['a function with properties', withProperties(function named() {}, { version: 1 })],
  ['a function of the language', Math.max],
  ['functions in an object', { run() {}, stop: () => undefined }],
]

describe.each([
  { kind: 'primitives', values: primitives },
  { kind: 'objects', values: objects },
  { kind: 'lists', values: lists },
  { kind: 'built-in objects', values: builtIns },
  { kind: 'functions', values: functions },
])('$kind are shown as Node shows them', ({ values }) => {
  test.each(values)('%s', (_, value) => {
    expect(inspect(value)).toBe(nodeInspect(value))
  })

  test.each(values)('%s, in an object', (_, value) => {
    expect(inspect({ value })).toBe(nodeInspect({ value }))
  })

  test.each(values)('%s, in a list of many', (_, value) => {
    const list = Array.from({ length: 8 }, () => value)
    expect(inspect(list)).toBe(nodeInspect(list))
  })
})

const json = fc.jsonValue({ maxDepth: 5 }).map((value) => structuredClone(value))

test('any JSON is shown as Node shows it', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(inspect(value)).toBe(nodeInspect(value))
    }),
    { numRuns: 500 },
  )
})

test('any list of numbers is shown as Node shows it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.integer(), fc.double()), { maxLength: 150 }), (value) => {
      expect(inspect(value)).toBe(nodeInspect(value))
    }),
    { numRuns: 200 },
  )
})

test('the depth can be chosen', () => {
  const deep = { a: { b: { c: { d: { e: 1 } } } } }
  expect(inspect(deep, 0)).toBe(nodeInspect(deep, { depth: 0 }))
  expect(inspect(deep, 4)).toBe(nodeInspect(deep, { depth: 4 }))
})

describe('an error', () => {
  test('is its stack, when that says what it is', () => {
    const error = new TypeError('bad')
    expect(inspect(error)).toBe(error.stack)
  })

  test('has what it is and says before the places, when the stack has the places alone', () => {
    const error = Object.defineProperty(new TypeError('bad'), 'stack', { value: '    at f (script.js:1:2)\n' })
    expect(inspect(error)).toBe('TypeError: bad\n    at f (script.js:1:2)')
  })

  test('without a stack stands in brackets', () => {
    expect(inspect(Object.defineProperty(new Error('bad'), 'stack', { value: '' }))).toBe('[Error: bad]')
  })

  test('shows its own properties and its cause', () => {
    const bare = (error: Error) => Object.defineProperty(error, 'stack', { value: '' })
    const error = bare(withProperties(new Error('bad', { cause: bare(new Error('deeper')) }), { code: 'E_BAD' }))
    expect(inspect(error)).toBe("[Error: bad] { code: 'E_BAD', [cause]: [Error: deeper] }")
  })

  test('shows the errors that it is made of', () => {
    const bare = (error: Error) => Object.defineProperty(error, 'stack', { value: '' })
    expect(inspect(bare(new AggregateError([bare(new Error('one'))], 'all')))).toBe('[AggregateError: all] { [errors]: [ [Error: one] ] }')
  })

  test('does not show twice what its stack says', () => {
    const error = Object.defineProperty(new HttpError('bad'), 'stack', { value: '    at f (script.js:1:2)\n' })
    expect(inspect(error)).toBe('HttpError: bad\n    at f (script.js:1:2)')
  })

  test('is indented with what it stands in', () => {
    const error = Object.defineProperty(new Error('bad'), 'stack', { value: '    at f (script.js:1:2)\n' })
    expect(inspect({ error })).toBe('{\n  error: Error: bad\n      at f (script.js:1:2)\n}')
  })
})

test('getters are not called', () => {
  let calls = 0
  inspect(Object.defineProperty({}, 'one', { get: () => (calls += 1), enumerable: true }))
  expect(calls).toBe(0)
})

test('a very long text is cut, and it is said by how much', () => {
  expect(inspect('x'.repeat(10_002)).slice(-30)).toBe(nodeInspect('x'.repeat(10_002)).slice(-30))
})
