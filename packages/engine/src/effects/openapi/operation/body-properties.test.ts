import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '#core/json.ts'
import { bodyProperties } from './body-properties.ts'

const schemas: JsonObject = {
  Pet: { type: 'object', required: ['name'], properties: { name: {}, tag: {} } },
  Dog: { allOf: [{ $ref: '#/s/Pet' }, { properties: { breed: {} } }] },
  Tree: { properties: { children: { type: 'array', items: { $ref: '#/s/Tree' } } }, allOf: [{ $ref: '#/s/Tree' }] },
  File: { type: 'string', format: 'binary' },
  Loop: { $ref: '#/s/Loop' },
}
const read = (schema: Json | undefined) => bodyProperties({ s: schemas }, schema)
const names = (schema: Json | undefined) => [...read(schema).names].toSorted()

describe('the properties of a body', () => {
  test.each<[Json, readonly string[]]>([
    [{ $ref: '#/s/Pet' }, ['name', 'tag']],
    [{ $ref: '#/s/Dog' }, ['breed', 'name', 'tag']],
    [{ $ref: '#/s/Tree' }, ['children']],
    [{ oneOf: [{ $ref: '#/s/Pet' }, { properties: { other: {} } }] }, ['name', 'other', 'tag']],
    [{ anyOf: [{ allOf: [{ oneOf: [{ properties: { deep: {} } }] }] }] }, ['deep']],
    [{ properties: { a: { properties: { inner: {} } } } }, ['a']],
    // What a schema must not be, and what applies under a condition, names nothing.
    [{ not: { properties: { a: {} } }, if: { properties: { b: {} } } }, []],
  ])('of %j', (schema, expected) => {
    expect(names(schema)).toEqual(expected)
  })

  test('called as what objects inherit are found', () => {
    const schema: Json = JSON.parse('{ "properties": { "__proto__": {}, "constructor": {} } }')
    expect(names(schema)).toEqual(['__proto__', 'constructor'])
  })
})

describe('whether a body takes others', () => {
  test.each<[Json | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [true, true],
    [{ $ref: '#/s/Pet' }, false],
    [{ allOf: [{ $ref: '#/s/Pet' }, { additionalProperties: {} }] }, true],
    [{ properties: { a: {} }, additionalProperties: false }, false],
    [{ $ref: '#/s/Loop' }, true],
    [{ $ref: '#/s/None' }, true],
    [{ $ref: 'https://elsewhere.test/schema.json' }, true],
  ])('%j: %s', (schema, open) => {
    expect(read(schema).open).toBe(open)
  })
})

describe('whether a body is an object', () => {
  test.each<[Json | undefined, boolean]>([
    [undefined, true],
    [{}, true],
    [{ type: 'object' }, true],
    [{ type: ['null', 'object'] }, true],
    [{ type: 'array' }, false],
    [{ type: 'string' }, false],
    [{ type: ['string', 'null'] }, false],
    [{ oneOf: [{ type: 'array' }, { type: 'object' }] }, true],
    [{ oneOf: [{ type: 'object' }, { type: 'array' }] }, true],
    [{ anyOf: [{ type: 'string' }, { $ref: '#/s/Pet' }] }, true],
    [{ properties: { a: {} } }, true],
  ])('%j: %s', (schema, object) => {
    expect(read(schema).object).toBe(object)
  })
})

test('files are recognised by their format or their media type, in lists and behind references', () => {
  const properties = {
    a: { type: 'string', format: 'binary' },
    b: { $ref: '#/s/File' },
    c: { type: 'array', items: { $ref: '#/s/File' } },
    d: { contentMediaType: 'image/png' },
    e: { contentMediaType: 'image/png', contentEncoding: 'base64' },
    f: { type: 'string', format: 'byte' },
    g: { type: 'string' },
    h: { $ref: '#/s/Loop' },
  }
  expect([...read({ properties }).files]).toEqual(['a', 'b', 'c', 'd'])
})
