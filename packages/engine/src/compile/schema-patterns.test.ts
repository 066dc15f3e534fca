import type { Definition } from '@millrace/dsl'
import { describe, expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { compileSchema } from './schema.ts'
import { patternFaults, withSafePatterns } from './schema-patterns.ts'
import { unsupportedIn } from './unsupported.ts'

const faultsOf = (document: Json, value: Json) => compileSchema({ document })(value)

describe('patterns', () => {
  test.each<[string, Json, Json, boolean]>([
    ['of a text', { type: 'string', pattern: '^a+$' }, 'aaa', true],
    ['of a text that does not match', { type: 'string', pattern: '^a+$' }, 'ab', false],
    ['are found anywhere in the text unless anchored', { pattern: 'b' }, 'abc', true],
    ['say nothing of what is no text', { pattern: '^a$' }, 5, true],
    ['beside a format', { format: 'email', pattern: '@example' }, 'a@example.org', true],
    ['beside a format that fails', { format: 'email', pattern: '@example' }, '@example', false],
    ['beside allOf', { allOf: [{ minLength: 2 }], pattern: 'a' }, 'a', false],
    ['in a member', { properties: { a: { pattern: '^x' } } }, { a: 'y' }, false],
    ['of a member that is called pattern', { properties: { pattern: { type: 'string' } } }, { pattern: '(' }, true],
    ['in an item', { items: { pattern: '^x' } }, ['x', 'y'], false],
    ['in a prefix item', { prefixItems: [{ pattern: '^x' }] }, ['y'], false],
    ['in a branch', { anyOf: [{ pattern: '^x' }, { pattern: '^y' }] }, 'y', true],
    ['under not', { not: { pattern: '^x' } }, 'x', false],
    ['under if', { if: { pattern: '^x' }, then: { minLength: 3 } }, 'xy', false],
    ['behind a reference', { $defs: { x: { pattern: '^x' } }, items: { $ref: '#/$defs/x' } }, ['y'], false],
    ['of names', { patternProperties: { '^n_': { type: 'number' } } }, { n_a: 'text' }, false],
    ['with character classes', { pattern: '^[\\w.-]+$' }, 'a.b-c_1', true],
    ['with unicode', { pattern: '^\\p{L}+$' }, 'Grüße', true],
    ['that are only data', { const: { pattern: '(' } }, { pattern: '(' }, true],
  ])('%s', (_what, schema, value, fits) => {
    expect(faultsOf(schema, value).length === 0).toBe(fits)
  })

  test('that do not match are told in the words of the schema', () => {
    expect(faultsOf({ properties: { a: { pattern: '^x$' } } }, { a: 'y' })).toContainEqual({
      pointer: '/a',
      detail: 'String does not match pattern "^x$".',
    })
  })

  test('that explode elsewhere take no time', () => {
    const begunAt = performance.now()
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(.*a){20}$', '(x+x+)+y']) {
      expect(faultsOf({ pattern }, `${'a'.repeat(5_000)}${'x'.repeat(5_000)}!`)).not.toEqual([])
    }
    expect(performance.now() - begunAt).toBeLessThan(5_000)
  })

  test('more of them than are kept at hand still hold', () => {
    const check = compileSchema({ document: { pattern: '^first$' } })
    for (let number = 0; number < 1_200; number++) faultsOf({ pattern: `^number${number}$` }, 'x')
    expect(check('second')).toHaveLength(1)
    expect(check('first')).toEqual([])
  })
})

describe('what cannot be used', () => {
  test.each<[string, Json, string]>([
    ['no regular expression', { pattern: '(' }, '/pattern'],
    ['a backreference', { properties: { a: { pattern: '(a)\\1' } } }, '/properties/a/pattern'],
    ['of a member with a name like a path', { properties: { 'a/~b': { pattern: '(a)\\1' } } }, '/properties/a~1~0b/pattern'],
    ['looking ahead', { allOf: [{ pattern: 'a(?=b)' }] }, '/allOf/0/pattern'],
    ['names by nested repetition', { patternProperties: { '^(a+)+$': {} } }, '/patternProperties'],
    ['names by two repetitions', { patternProperties: { '^a*b*$': {} } }, '/patternProperties'],
  ])('is told with its place: %s', (_what, schema, pointer) => {
    expect(patternFaults(schema).map((fault) => fault.pointer)).toEqual([pointer])
    expect(faultsOf(schema, 'x')).toEqual([{ pointer: '', detail: expect.stringContaining(`the schema cannot be applied: ${pointer}: `) }])
  })

  test('is told when the definition is published', () => {
    const definition: Definition = {
      document: { dsl: '1.0.3', namespace: 'a', name: 'b', version: '1.0.0' },
      input: { schema: { document: { pattern: '(a)\\1' } } },
      do: [{ one: { set: {}, output: { schema: { document: { items: { pattern: '(' } } } } } }],
    }
    expect(unsupportedIn(definition).map(({ pointer }) => pointer)).toEqual([
      '/input/schema/document/pattern',
      '/do/0/one/output/schema/document/items/pattern',
    ])
  })
})

test('a schema without patterns is handed on as it is', () => {
  const schema = { type: 'object', properties: { a: { enum: [1, { b: 2 }] } }, required: ['a'], items: true }
  expect(withSafePatterns(schema)).toEqual(schema)
})
