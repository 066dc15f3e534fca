import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { createValidator } from './validator.ts'

/** What a validation spends, and in what portions. */
function spentOn(schema: Json, value: Json) {
  const portions: number[] = []
  const faults = createValidator(schema)(value, { spend: (steps) => portions.push(steps) })
  return { faults, steps: portions.reduce((sum, steps) => sum + steps, 0), portions }
}

const stepsFor = (schema: Json, value: Json) => spentOn(schema, value).steps
const listOf = <T>(length: number, item: (index: number) => T) => Array.from({ length }, (_, index) => item(index))
const objectOf = (length: number, entry: (index: number) => readonly [string, Json]): JsonObject =>
  Object.fromEntries(listOf(length, entry))
const nested = (levels: number, inner: Json, wrap: (value: Json) => Json): Json =>
  listOf(levels, () => 0).reduce<Json>((value) => wrap(value), inner)

/** Schemas of which each refers to the next one twice. */
function doubling(levels: number, leaf: Json, both: (next: Json) => Json): Json {
  const entry = (index: number) => [`d${index}`, index === levels ? leaf : both({ $ref: `#/$defs/d${index + 1}` })] as const
  return { $ref: '#/$defs/d0', $defs: objectOf(levels + 1, entry) }
}

const doublings: Readonly<Record<string, (next: Json) => Json>> = {
  allOf: (next) => ({ allOf: [next, next] }),
  anyOf: (next) => ({ anyOf: [next, next] }),
  oneOf: (next) => ({ oneOf: [next, { not: next }, next] }),
  not: (next) => ({ allOf: [{ not: { not: next } }, { not: { not: next } }] }),
  'if and then': (next) => ({ if: next, then: next, else: next }),
  dependentSchemas: (next) => ({ dependentSchemas: { a: next, b: next } }),
  dependencies: (next) => ({ dependencies: { a: next, b: next } }),
  'unevaluatedProperties over branches': (next) => ({ anyOf: [next, next], unevaluatedProperties: true }),
  $dynamicRef: (next) => ({ allOf: [next, next, { $dynamicRef: '#leaf' }] }),
}

describe('references that double with each level cost as much as there are levels', () => {
  const values: readonly Json[] = ['text', 5, null, { a: 1, b: 2 }, [1, 2]]
  const leaves: readonly Json[] = [{ type: 'string' }, { required: ['c'] }, { $dynamicAnchor: 'leaf', maxProperties: 1 }, false, true]

  test.each(Object.entries(doublings))('by %s', (_keyword, both) => {
    for (const leaf of leaves) {
      for (const value of values) {
        const few = stepsFor(doubling(15, leaf, both), value)
        const many = stepsFor(doubling(60, leaf, both), value)
        expect(many).toBeLessThan(8 * few + 2_000)
      }
    }
  })

  test('through properties, with the fault at its place', () => {
    const schema = doubling(30, { type: 'string' }, (next) => ({ allOf: [{ properties: { a: next } }, { properties: { a: next } }] }))
    const { faults, steps } = spentOn(
      schema,
      nested(30, 1, (a) => ({ a })),
    )
    expect(faults).toEqual([{ pointer: '/a'.repeat(30), detail: 'must be a string, but is a number' }])
    expect(steps).toBeLessThan(5_000)
  })

  test('through items of lists', () => {
    const schema = doubling(30, { type: 'string' }, (next) => ({ items: next, prefixItems: [next], contains: next }))
    expect(
      stepsFor(
        schema,
        nested(30, 1, (item) => [item]),
      ),
    ).toBeLessThan(10_000)
  })
})

describe('large values cost in proportion to their size', () => {
  const growing: Readonly<Record<string, (size: number) => readonly [schema: Json, value: Json]>> = {
    'uniqueItems of numbers': (size) => [{ uniqueItems: true }, listOf(size, (index) => index)],
    'uniqueItems of texts': (size) => [{ uniqueItems: true }, listOf(size, (index) => `text ${index}`)],
    'uniqueItems of objects': (size) => [{ uniqueItems: true }, listOf(size, (index) => ({ a: 'same', b: [1, 2, index] }))],
    'uniqueItems of long texts': (size) => [{ uniqueItems: true }, listOf(size / 100, (index) => `${'a'.repeat(17_000)}${1_000 + index}`)],
    'a huge enum': (size) => [{ items: { enum: listOf(size, (index) => `v${index}`) } }, listOf(size, (index) => `v${index}`)],
    'an enum of objects': (size) => [
      { items: { enum: listOf(100, (index) => ({ a: { b: index } })) } },
      listOf(size, () => ({ a: { b: 99 } })),
    ],
    contains: (size) => [{ contains: { type: 'string' }, minContains: 2, maxContains: 3 }, listOf(size, (index) => index)],
    propertyNames: (size) => [
      { propertyNames: { maxLength: 50, pattern: '^k' } },
      objectOf(size, (index) => [`k${'x'.repeat(20)}${index}`, 1]),
    ],
    additionalProperties: (size) => [{ additionalProperties: { type: 'number' } }, objectOf(size, (index) => [`k${index}`, index])],
    'many properties': (size) => [
      { properties: objectOf(size, (index) => [`k${index}`, { type: 'number' }]) },
      objectOf(size, (index) => [`k${index}`, 1]),
    ],
    unevaluatedProperties: (size) => [
      { allOf: listOf(20, (index) => ({ properties: { [`k${index}`]: true } })), unevaluatedProperties: { type: 'number' } },
      objectOf(size, (index) => [`k${index}`, 1]),
    ],
    unevaluatedItems: (size) => [
      { prefixItems: [true], contains: { const: 5 }, unevaluatedItems: { type: 'number' } },
      listOf(size, (index) => index),
    ],
    'one long text': (size) => [{ maxLength: 1_000_000, pattern: '^a*$', minLength: 5_000 }, 'a'.repeat(size)],
    'a tree that refers to itself': (size) => [{ items: { $ref: '#' } }, listOf(size, () => [[], [[]]])],
    multipleOf: (size) => [{ items: { multipleOf: 0.01 } }, listOf(size, (index) => index / 100)],
  }

  test.each(Object.entries(growing))('%s', (_what, given) => {
    const few = spentOn(...given(2_000))
    const many = spentOn(...given(20_000))
    expect(few.faults.map(({ detail }) => detail).join(' ')).not.toContain('cannot be applied')
    expect(many.steps).toBeLessThan(12 * few.steps + 1_000)
  })

  test('60,000 numbers that are all different are so found in less than two seconds', () => {
    const begunAt = startProcessorTime()
    expect(createValidator({ uniqueItems: true })(listOf(60_000, (index) => index))).toEqual([])
    expect(createValidator({ uniqueItems: true })(listOf(3_000, (index) => ({ a: index, b: 'x' })))).toEqual([])
    expect(begunAt()).toBeLessThan(2_000)
  })
})

describe('a validation that takes too much', () => {
  const limit = 'the schema cannot be applied: more than 5,000,000 steps'
  const branches = listOf(3_000, (index) => ({ patternProperties: { [`^k${index}`]: true } }))
  const costly: Readonly<Record<string, readonly [schema: Json, value: Json]>> = {
    'many schemas for many items': [{ items: { allOf: listOf(3_000, () => ({ minimum: 0 })) } }, listOf(3_000, () => 1)],
    'many patterns for many names': [{ anyOf: branches, unevaluatedProperties: false }, objectOf(1_000, (index) => [`x${index}`, 1])],
    'a large pattern on a long text': [{ pattern: '^(?:a?){900}$' }, 'a'.repeat(100_000)],
    'more patterns than are kept, again and again': [
      { items: { anyOf: listOf(600, (index) => ({ pattern: `^[0-9]{${index}}x$` })) } },
      listOf(100, () => 'abc'),
    ],
    'a text of 16 MiB under a pattern of some size': [{ pattern: '^[a-z]{1,20}( [a-z]{1,20}){0,20}$' }, 'a'.repeat(16 * 1024 * 1024)],
  }

  test.each(Object.entries(costly))('is a fault, the same every time and soon: %s', (_what, [schema, value]) => {
    const faultsOf = createValidator(schema)
    const begunAt = startProcessorTime()
    expect(faultsOf(value)).toEqual([{ pointer: '', detail: limit }])
    expect(faultsOf(value)).toEqual([{ pointer: '', detail: limit }])
    expect(begunAt()).toBeLessThan(15_000)
  })
})

describe('depth', () => {
  const tooDeep = { pointer: '', detail: expect.stringContaining('the schema cannot be applied: schema or value nest too deeply') }

  test.each<[string, Json, (value: Json) => Json]>([
    ['lists', { items: { $ref: '#' } }, (value) => [value]],
    ['objects', { additionalProperties: { $ref: '#' } }, (value) => ({ a: value })],
    ['branches', { anyOf: [{ items: { $ref: '#' } }, { type: 'null' }] }, (value) => [value]],
  ])('of recursive schemas reaches 150 levels, and is a fault beyond 1,000: %s', (_what, schema, wrap) => {
    const faultsOf = createValidator(schema)
    expect(faultsOf(nested(150, null, wrap))).toEqual([])
    expect(faultsOf(nested(1_000, null, wrap))).toEqual([tooDeep])
    expect(faultsOf(nested(100_000, null, wrap))).toEqual([tooDeep])
  })

  test.each<[string, Json]>([
    ['uniqueItems', { uniqueItems: true }],
    ['const', { const: [] }],
  ])('of a value that is compared as a whole is bounded: %s', (_what, schema) => {
    expect(createValidator(schema)(nested(100_000, null, (value) => [value]))).toEqual([tooDeep])
  })

  test('of a schema is bounded', () => {
    const schema = nested(100_000, {}, (not) => ({ not }))
    expect(createValidator(schema)(1)).toEqual([
      { pointer: '', detail: 'the schema cannot be applied: it is nested deeper than 500 levels' },
    ])
  })
})

describe('a schema that refers to itself', () => {
  const itself = [{ pointer: '', detail: 'the schema cannot be applied: it refers to itself' }]

  test.each<[string, Json, Json]>([
    ['at once', { $ref: '#' }, 1],
    ['twice', { allOf: [{ $ref: '#' }, { $ref: '#' }] }, { a: 1 }],
    ['in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, 'x'],
    ['under a property', { properties: { a: { $ref: '#/properties/b' }, b: { $ref: '#/properties/a' } } }, { a: 1 }],
    ['in a condition', { if: { $ref: '#' } }, []],
    ['under not', { not: { $ref: '#' } }, {}],
    ['by a dynamic anchor', { $dynamicAnchor: 'a', $dynamicRef: '#a' }, {}],
  ])('without descending into the value is a fault: %s', (_what, schema, value) => {
    expect(createValidator(schema)(value)).toEqual(itself)
  })
})

describe('large schemas', () => {
  const large: Readonly<Record<string, Json>> = {
    'of many properties': { properties: objectOf(30_000, (index) => [`p${index}`, { type: 'string' }]) },
    'of many references': { $defs: objectOf(20_000, (index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]) },
    'of many anchors': { $defs: objectOf(20_000, (index) => [`d${index}`, { $anchor: `a${index}` }]) },
    'of many constants': { enum: listOf(200_000, (index) => index) },
  }

  test.each(Object.entries(large))('are read in steps in proportion to their size: %s', (_what, schema) => {
    const size = JSON.stringify(schema).length
    expect(size).toBeGreaterThan(500_000)
    expect(stepsFor(schema, 1)).toBeLessThan(size / 4)
  })
})

describe('formats', () => {
  const texts = (size: number) => [
    `http://${'a'.repeat(size)} `,
    'a.'.repeat(size / 2),
    'a@'.repeat(size / 2),
    '{a'.repeat(size / 2),
    `{${'a,'.repeat(size / 2)}}`,
    '%41'.repeat(size / 3),
    '/~0'.repeat(size / 3),
    '1'.repeat(size),
    `P${'1'.repeat(size)}`,
    ':'.repeat(size),
    '::1'.repeat(size / 3),
    '('.repeat(size),
    `2030-01-01T00:00:00.${'0'.repeat(size)}`,
    `http://${'a-'.repeat(size / 2)}`,
    `"${'\\a'.repeat(size / 2)}"@b`,
  ]
  const names = [
    'date',
    'time',
    'date-time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uri-template',
    'url',
    'uuid',
  ]
  const others = ['json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer', 'regex', 'iri', 'idn-email']

  test.each([...names, ...others])('of a text of 1 MiB are checked in less than two seconds: %s', (format) => {
    const faultsOf = createValidator({ format })
    for (const text of texts(1024 * 1024)) {
      const begunAt = startProcessorTime()
      faultsOf(text)
      expect(begunAt()).toBeLessThan(2_000)
    }
  })
})
