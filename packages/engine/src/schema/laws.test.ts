import { Ajv2020 } from 'ajv/dist/2020.js'
import { array, assert, constant, constantFrom, dictionary, integer, letrec, oneof, property, record, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { createValidator } from './validator.ts'

/** Few names and values, so that schemas and values meet. */
const names = constantFrom('a', 'b', 'c')
const simple: Arbitrary<Json> = oneof(constantFrom<Json>(null, true, false, 'a', 'bb', '', 0, 1, 1.5, -2), integer({ min: -3, max: 3 }))

const { value } = letrec<{ value: Json }>((tie) => ({
  value: oneof(
    { maxDepth: 3, withCrossShrink: true },
    simple,
    array(tie('value'), { maxLength: 4 }),
    dictionary(names, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

/** Schemas out of all keywords, with references to definitions that everything shares. */
const { schema } = letrec<{ schema: Json; many: Json[] }>((tie) => {
  const one = tie('schema')
  const many = tie('many')
  const small = integer({ min: 0, max: 3 })
  const keywords: Readonly<Record<string, Arbitrary<Json>>> = {
    type: constantFrom<Json>('string', 'number', 'integer', 'object', 'array', 'boolean', 'null', ['string', 'object']),
    const: value,
    enum: array(value, { minLength: 1, maxLength: 3 }),
    minimum: integer({ min: -2, max: 2 }),
    exclusiveMaximum: integer({ min: -2, max: 2 }),
    multipleOf: constantFrom(1, 2, 0.5),
    minLength: small,
    maxLength: small,
    pattern: constantFrom('^a', 'b$', '^(a|b)*$'),
    minItems: small,
    maxItems: small,
    uniqueItems: constantFrom(true, false),
    prefixItems: many,
    items: one,
    contains: one,
    minContains: small,
    maxContains: small,
    required: constantFrom<Json>(['a'], ['a', 'b'], []),
    minProperties: small,
    maxProperties: small,
    properties: dictionary(names, one, { maxKeys: 2, noNullPrototype: true }),
    patternProperties: dictionary(constantFrom('^a', '[bc]'), one, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: one,
    propertyNames: one,
    dependentRequired: constantFrom<Json>({ a: ['b'] }, { b: ['a', 'c'] }),
    dependentSchemas: dictionary(names, one, { maxKeys: 2, noNullPrototype: true }),
    allOf: many,
    anyOf: many,
    oneOf: many,
    not: one,
    if: one,
    then: one,
    else: one,
    unevaluatedItems: one,
    unevaluatedProperties: one,
    $ref: constantFrom('#/$defs/a', '#/$defs/b', '#c'),
  }
  const pair = oneof(...Object.entries(keywords).map(([keyword, given]) => record({ keyword: constant(keyword), given })))
  const object = array(pair, { minLength: 1, maxLength: 4 }).map(
    (pairs): Json => Object.fromEntries(pairs.map(({ keyword, given }) => [keyword, given])),
  )
  return {
    schema: oneof({ maxDepth: 4, withCrossShrink: true }, constantFrom<Json>(true, false, {}), object),
    many: array(one, { minLength: 1, maxLength: 3 }),
  }
})

/** Definitions that refer onwards only, so that none refers to itself. */
const leaf: Json = {
  type: ['object', 'array', 'string'],
  maxLength: 1,
  properties: { a: { type: 'number' } },
  prefixItems: [{ type: 'number' }],
}
const definitions: Json = {
  a: { anyOf: [{ $ref: '#/$defs/b' }, { $ref: '#c' }] },
  b: { oneOf: [{ $ref: '#c' }, { type: 'number' }], properties: { b: { $ref: '#c' } } },
  c: { $anchor: 'c', ...(typeof leaf === 'object' ? leaf : {}) },
}

describe('what any schema says of any value', () => {
  // Ajv does not count what `contains` finds as evaluated; the official suite does.
  const differs = (root: Json) => /unevaluatedItems.*contains|contains.*unevaluatedItems/.test(JSON.stringify(root))
  const document = schema.filter((root) => !differs(root)).map((root): Json => ({ $defs: definitions, allOf: [root] }))

  test('is what Ajv says', () => {
    assert(
      property(document, array(value, { minLength: 1, maxLength: 8 }), (given, values) => {
        const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, allErrors: true })
        const isValid = ajv.compile(asSchema(given))
        const faultsOf = createValidator(given)
        for (const one of values) {
          const said = saidBy(isValid, one)
          if (said === undefined) continue
          const faults = faultsOf(one)
          expect(faults.length === 0, `${JSON.stringify(one)}: ${JSON.stringify(faults)}`).toBe(said)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('has its faults at places that the value has, each in words', () => {
    assert(
      property(document, value, (given, one) => {
        for (const { pointer, detail } of createValidator(given)(one)) {
          expect(detail).toMatch(/^(?:must|is|has|does) /)
          expect(exists(one, pointer)).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })
})

/** Ajv's code breaks on some schemas that count evaluated properties by patterns and by references. */
function saidBy(isValid: (one: Json) => unknown, one: Json): boolean | undefined {
  try {
    return isValid(one) === true
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function asSchema(given: Json): object {
  return typeof given === 'object' && given !== null ? given : {}
}

function exists(whole: Json, pointer: string): boolean {
  let at: unknown = whole
  for (const key of pointer.split('/').slice(1)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = Object.entries(at).find(([name]) => name === key)?.[1]
  }
  return true
}
