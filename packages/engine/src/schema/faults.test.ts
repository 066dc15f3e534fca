import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { createValidator } from './validator.ts'

const faultsOf = (schema: Json, value: Json) => createValidator(schema)(value).map(({ pointer, detail }) => `${pointer || '/'} ${detail}`)

describe('a fault says in plain words what is wrong', () => {
  test.each<[schema: Json, value: Json, fault: string]>([
    [{ type: 'number' }, 'a', '/ must be a number, but is a string'],
    [{ type: ['integer', 'null'] }, 1.5, '/ must be an integer or null, but is 1.5'],
    [{ type: 'object' }, [], '/ must be an object, but is an array'],
    [{ const: 'a' }, 'b', '/ must be "a"'],
    [{ const: { a: [1, { b: {} }] } }, 1, '/ must be {"a": [1, {…}]}'],
    [{ enum: ['a', 1, null] }, 'b', '/ must be one of "a", 1, null'],
    [{ enum: Array.from({ length: 12 }, (_, index) => index) }, 'b', '/ must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …'],
    [{ minimum: 3 }, 2, '/ must be at least 3, but is 2'],
    [{ maximum: 3 }, 4, '/ must be at most 3, but is 4'],
    [{ exclusiveMinimum: 3 }, 3, '/ must be greater than 3, but is 3'],
    [{ exclusiveMaximum: 3 }, 3, '/ must be less than 3, but is 3'],
    [{ multipleOf: 0.1 }, 0.35, '/ must be a multiple of 0.1, but is 0.35'],
    [{ minLength: 1 }, '', '/ must have at least 1 character'],
    [{ maxLength: 2 }, 'abc', '/ must have at most 2 characters'],
    [{ pattern: '^x' }, 'abc', '/ must match the pattern "^x"'],
    [{ pattern: '^x', patternErrorMessage: 'must begin with x' }, 'abc', '/ must begin with x'],
    [{ format: 'email' }, 'abc', '/ must be of the format "email"'],
    [{ minItems: 2 }, [1], '/ must have at least 2 items'],
    [{ maxItems: 1 }, [1, 2], '/ must have at most 1 item'],
    [{ uniqueItems: true }, [1, { a: 1 }, { a: 1 }], '/ must not contain equal items, but items 1 and 2 are equal'],
    [{ contains: { const: 1 } }, [2], '/ must contain at least 1 of the items that "contains" describes, but has 0'],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], '/ must contain at most 1 of the items that "contains" describes, but has 2'],
    [{ required: ['a', 'b'] }, { a: 1 }, '/ must have the property "b"'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/ must have the property "b", since it has "a"'],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, '/ must have the property "b", since it has "a"'],
    [{ minProperties: 1 }, {}, '/ must have at least 1 property'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, '/ must have at most 1 property'],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, '/ab has a name that is not allowed: it must have at most 1 character'],
    [{ properties: { a: true }, additionalProperties: false }, { b: 1 }, '/b is not a property that the schema knows'],
    [{ properties: { a: true }, unevaluatedProperties: false }, { b: 1 }, '/b is not allowed'],
    [{ prefixItems: [true], items: false }, [1, 2], '/1 is not allowed'],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], '/1 is not allowed'],
    [false, 1, '/ is not allowed'],
    [{ not: { type: 'string' } }, 'a', '/ must not fit the schema under "not"'],
    [{ oneOf: [true, { type: 'string' }] }, 'a', '/ must fit exactly one of 2 schemas, but fits those at 0 and 1'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 1, '/ must be a string or null, but is a number'],
    [{ anyOf: [{ minimum: 3 }, { multipleOf: 2 }] }, 1, '/ must fit at least one of 2 schemas, but fits none'],
  ])('%j', (schema, value, fault) => {
    expect(faultsOf(schema, value)).toEqual([fault])
  })

  test('and cuts what is long, without halves of characters', () => {
    const [fault = ''] = faultsOf({ const: `${'a'.repeat(59)}😀b` }, 1)
    expect(fault).toBe(`/ must be "${'a'.repeat(59)}\uFFFD…"`)
    expect(fault.isWellFormed()).toBe(true)
  })
})

describe('faults', () => {
  const address = { type: 'object', required: ['city'], properties: { city: { type: 'string' }, zip: { type: 'string' } } }

  test('are reported where they are, and not of what is around them', () => {
    const schema = {
      type: 'object',
      allOf: [{ $ref: '#/$defs/person' }],
      $defs: { person: { properties: { homes: { items: { $ref: '#/$defs/address' } } } }, address },
    }
    expect(faultsOf(schema, { homes: [{ city: 'a' }, { zip: 1 }] })).toEqual([
      '/homes/1 must have the property "city"',
      '/homes/1/zip must be a string, but is a number',
    ])
  })

  test('of several parts that say the same are reported once', () => {
    expect(faultsOf({ allOf: [address, address, { $ref: '#/allOf/0' }, { $ref: '#/allOf/0' }] }, {})).toEqual([
      '/ must have the property "city"',
    ])
  })

  test('of one schema at several places are all reported', () => {
    const schema = { items: { $ref: '#/$defs/text' }, contains: { not: { $ref: '#/$defs/text' } }, $defs: { text: { type: 'string' } } }
    expect(faultsOf(schema, [1, 'a', 1, 1])).toEqual([0, 2, 3].map((index) => `/${index} must be a string, but is a number`))
  })

  test('of alternatives are those of the one that was meant', () => {
    const shape = (kind: string, size: string) => ({ required: [size], properties: { kind: { const: kind }, [size]: { type: 'number' } } })
    const schema = {
      anyOf: [shape('circle', 'radius'), { $ref: '#/$defs/square' }, { type: 'null' }],
      $defs: { square: shape('square', 'side') },
    }
    expect(faultsOf(schema, { kind: 'square', side: 'x' })).toEqual(['/side must be a number, but is a string'])
    expect(faultsOf({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, ['a', 1])).toEqual([
      '/1 must be a string, but is a number',
    ])
  })

  test('of a condition are those of the part that applies', () => {
    const schema = { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] }, else: { required: ['c'] } }
    expect(faultsOf(schema, { a: 1 })).toEqual(['/ must have the property "b"'])
    expect(faultsOf(schema, { a: 2 })).toEqual(['/ must have the property "c"'])
  })

  test('of properties leave the question open what else was evaluated', () => {
    expect(faultsOf({ properties: { a: { type: 'string' } }, unevaluatedProperties: false }, { a: 1 })).toEqual([
      '/a must be a string, but is a number',
    ])
  })

  test('are at most a hundred', () => {
    expect(
      faultsOf(
        { items: { type: 'string' } },
        Array.from({ length: 5_000 }, () => 1),
      ),
    ).toHaveLength(100)
  })

  test('have pointers that are escaped', () => {
    expect(faultsOf({ additionalProperties: { type: 'string' } }, { 'a/b~c': 1 })).toEqual(['/a~1b~0c must be a string, but is a number'])
  })
})

describe('a schema that cannot be applied', () => {
  test.each<[schema: Json, value: Json, says: string]>([
    [{ properties: [] }, {}, '/properties must be an object'],
    [{ items: { required: 'a' } }, [{}], '/items/required must be a list of names'],
    [{ required: [1] }, {}, '/required must be a list of names'],
    [{ minimum: '3' }, 1, '/minimum must be a number'],
    [{ exclusiveMinimum: true }, 1, '/exclusiveMinimum must be a number'],
    [{ minLength: -1 }, '', '/minLength must be a number that is not negative'],
    [{ multipleOf: 0 }, 1, '/multipleOf must be greater than 0'],
    [{ allOf: {} }, 1, '/allOf must be a list'],
    [{ enum: 'a' }, 1, '/enum must be a list'],
    [{ type: 5 }, 1, '/type must be a name or a list of names'],
    [{ pattern: 5 }, 'a', '/pattern must be a string'],
    [{ not: 'a' }, 1, '/not is no schema; a schema is an object, true or false'],
    [{ $ref: '#/a', a: 5 }, 1, '/a is no schema; a schema is an object, true or false'],
    [{ $ref: 5 }, 1, '/$ref must be a string'],
    [5, 1, '/ is no schema; a schema is an object, true or false'],
    [null, 1, '/ is no schema; a schema is an object, true or false'],
    [{ $ref: '#nowhere' }, 1, 'the reference "#nowhere" leads nowhere'],
    [{ $ref: '#/%' }, 1, 'the reference "#/%" leads nowhere'],
    [{ $ref: '#/length' }, 1, 'the reference "#/length" leads nowhere'],
    [{ $ref: '#/toString' }, 1, 'the reference "#/toString" leads nowhere'],
    [{ $ref: 'http://[' }, 1, '"http://[" is no URI'],
    [{ $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } }, 1, 'two parts of it have the same anchor "x"'],
    [{ $defs: { a: { $id: 'http://[' } } }, 1, '"http://[" is no URI'],
  ])('is a fault that names the place: %j', (schema, value, says) => {
    expect(faultsOf(schema, value)).toEqual([`/ the schema cannot be applied: ${says}`])
  })

  test('does so where it is reached', () => {
    expect(faultsOf({ properties: { a: { minimum: 'x' } } }, { b: 1 })).toEqual([])
  })
})

describe('what people write of earlier drafts', () => {
  test.each<[what: string, schema: Json, fits: Json, not: Json]>([
    ['a list under items', { items: [{ type: 'string' }], additionalItems: false }, ['a'], ['a', 1]],
    ['additionalItems beside a list', { items: [true], additionalItems: { type: 'string' } }, [1, 'a'], [1, 1]],
    ['additionalItems beside a schema, which decides', { items: { type: 'string' }, additionalItems: false }, ['a', 'b'], [1]],
    ['definitions', { definitions: { n: { type: 'number' } }, $ref: '#/definitions/n' }, 1, 'a'],
    ['dependencies on names', { dependencies: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    ['dependencies on schemas', { dependencies: { a: { required: ['b'] } } }, { a: 1, b: 1 }, { a: 1 }],
    ['an $id that is a fragment', { $defs: { n: { $id: '#n', type: 'number' } }, $ref: '#n' }, 1, 'a'],
    [
      'a recursive reference',
      { $recursiveAnchor: true, properties: { a: { $recursiveRef: '#' } }, required: ['b'] },
      { b: 1, a: { b: 1 } },
      { b: 1, a: {} },
    ],
  ])('is understood: %s', (_what, schema, fits, not) => {
    expect(faultsOf(schema, fits)).toEqual([])
    expect(faultsOf(schema, not)).not.toEqual([])
  })
})
