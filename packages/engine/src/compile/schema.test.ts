import { describe, expect, test } from 'vitest'
import { type Json, parseJson } from '#core/json.ts'
import { faultOf, walk } from '#testing/walk.ts'
import { compileSchema } from './schema.ts'

const faults = (document: Json, value: Json) => compileSchema({ document })(value)

describe('a schema', () => {
  test.each<[what: string, schema: Json, fits: Json, not: Json]>([
    ['type', { type: 'object' }, {}, []],
    ['several types', { type: ['string', 'null'] }, null, 1],
    ['required', { required: ['a'] }, { a: null }, {}],
    ['properties', { properties: { a: { type: 'number' } } }, { a: 1 }, { a: '1' }],
    ['additionalProperties', { properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }],
    ['enum', { enum: ['x', { y: [1] }] }, { y: [1] }, { y: [2] }],
    ['const', { const: 0 }, 0, false],
    ['minimum', { minimum: 3 }, 3, 2],
    ['exclusiveMaximum', { exclusiveMaximum: 3 }, 2, 3],
    ['multipleOf', { multipleOf: 0.1 }, 0.3, 0.35],
    ['minLength', { minLength: 2 }, 'ab', 'a'],
    ['maxLength of characters, not units', { maxLength: 1 }, '𝒜', 'ab'],
    ['pattern', { pattern: '^a+$' }, 'aa', 'b'],
    ['format date-time', { format: 'date-time' }, '2030-01-02T03:04:05Z', 'tomorrow'],
    ['format email', { format: 'email' }, 'a@b.test', 'unknown'],
    ['items', { items: { type: 'number' } }, [1, 2], [1, '2']],
    ['prefixItems of 2020-12', { prefixItems: [{ type: 'string' }], items: false }, ['a'], ['a', 1]],
    ['uniqueItems', { uniqueItems: true }, [1, 2], [1, 1]],
    ['contains', { contains: { const: 1 } }, [0, 1], [0]],
    ['allOf', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, 3],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, null],
    ['oneOf', { oneOf: [{ minimum: 1 }, { maximum: 2 }] }, 3, 1.5],
    ['not', { not: { type: 'string' } }, 1, 'a'],
    ['if, then, else', { if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'number' } }, 'ab', 'a'],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    ['unevaluatedProperties', { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
    ['$ref into $defs', { $defs: { n: { type: 'number' } }, $ref: '#/$defs/n' }, 1, 'a'],
    ['a tree by $ref', { properties: { next: { $ref: '#' }, n: { type: 'number' } } }, { next: { n: 1 } }, { next: { n: 'x' } }],
  ])('data is validated by %s', (_what, schema, fits, not) => {
    expect(faults(schema, fits)).toEqual([])
    expect(faults(schema, not)).not.toEqual([])
  })

  test('a validation error contains the JSON Pointer of the invalid value', () => {
    const schema = { properties: { list: { items: { type: 'object', required: ['a/b'] } } } }
    expect(faults(schema, { list: [{ 'a/b': 1 }, {}] }).map(({ pointer }) => pointer)).toContain('/list/1')
  })

  test('that is true takes anything', () => {
    expect(faults(true, { any: ['thing'] })).toEqual([])
  })

  test.each<[what: string, schema: Json, says: string]>([
    ['refers to nowhere', { $ref: '#/$defs/missing' }, '"#/$defs/missing" leads nowhere'],
    ['refers to another server', { $ref: 'https://t.test/schema' }, '"https://t.test/schema" leads out of the schema'],
    ['has an invalid pattern', { pattern: '(' }, '/pattern: the pattern cannot be used'],
    ['refers to itself', { $ref: '#' }, 'it refers to itself'],
    ['uses one id twice', { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }, 'the same $id "x"'],
  ])('that %s is a fault, not a bug', (_what, schema, says) => {
    const [fault] = faults(schema, 'value')
    expect(fault?.detail).toContain('the schema cannot be applied')
    expect(fault?.detail).toContain(says)
    expect(fault?.detail).not.toContain('\n')
  })

  test('that is somewhere else fits nothing', () => {
    expect(compileSchema({ resource: { endpoint: 'https://t.test/schema' } })(1)).toHaveLength(1)
  })

  test('is not fooled by the keys of JavaScript', () => {
    const value = parseJson('{ "__proto__": { "a": 1 } }')
    expect(faults({ required: ['a'] }, value)).not.toEqual([])
    expect(faults({ required: ['toString'] }, {})).not.toEqual([])
  })
})

describe('a fault of a schema', () => {
  const definition = (schema: string) => `do: [{ a: { input: { schema: { document: ${schema} } }, set: { x: 1 } } }]`

  test('names what, where and why', () => {
    const fault = faultOf(walk(definition(`{ properties: { n: { type: number } } }`), { input: { n: 'x' } }))
    expect(fault).toMatchObject({ status: 400, title: 'Validation error', instance: '/do/0/a' })
    expect(fault.detail).toMatch(/^the input of task "a" does not fit its schema: \/n: must be a number, but is a string$/)
  })

  test('names the whole value as /', () => {
    expect(faultOf(walk(definition('{ type: string }'))).detail).toContain(': /: ')
  })

  test('names five places and no more', () => {
    const input = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]))
    const { detail = '' } = faultOf(walk(definition('{ additionalProperties: { type: string } }'), { input }))
    expect(detail.split('; ')).toHaveLength(5)
  })

  test('does not take the process along when the schema is broken', () => {
    expect(faultOf(walk(definition(`{ $ref: '#/nowhere' }`))).detail).toContain('the schema cannot be applied')
  })
})
