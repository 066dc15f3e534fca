import type { Json, JsonObject } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import { formShapeOf } from './form-fields.ts'
import { formPage } from './form-page.ts'
import { formTexts } from './form-texts.ts'
import { localTimes } from './local-times.ts'
import { defaultsOf, fieldAt, filledOf, readForm } from './read-form.ts'

const times = localTimes('Europe/Berlin', Date.UTC(2026, 0, 15))

function shapeOf(properties: JsonObject, more: JsonObject = {}) {
  const shape = formShapeOf({ type: 'object', properties, ...more })
  if ('problem' in shape) throw new Error(shape.problem)
  return shape
}

const read = (schema: Json, body: Json) =>
  readForm(shapeOf({ a: schema }, { $defs: { size: { enum: ['S', 'M'] } } }), filledOf(body), formTexts.en, times)

describe('a text that was filled in gets the type of its property', () => {
  test.each<[schema: JsonObject, text: Json, value: Json]>([
    [{ type: 'string' }, ' Ada ', 'Ada'],
    [{ type: 'string', maxLength: 1_000 }, 'a\r\n b\r\n', 'a\n b\n'],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'number' }, '١٢٫٥', 12.5],
    [{ type: 'integer' }, '-3', -3],
    [{ type: ['integer', 'null'] }, '3', 3],
    [{ type: 'boolean' }, 'true', true],
    [{ enum: [1, 'two', null] }, '1', 1],
    [{ oneOf: [{ const: 'y', title: 'Yes' }, { const: 'n' }] }, 'n', 'n'],
    [{ $ref: '#/$defs/size' }, 'M', 'M'],
    [{ type: 'array', items: { enum: ['a', 'b', 3] } }, ['a', '3'], ['a', 3]],
    [{ type: 'array', items: { $ref: '#/$defs/size' } }, 'S', ['S']],
    [{ type: 'string', format: 'date' }, '2026-02-03', '2026-02-03'],
    [{ type: 'string', format: 'date-time' }, '2026-07-01T09:30', '2026-07-01T09:30:00+02:00'],
    // The clock skips from two to three.
    [{ type: 'string', format: 'date-time' }, '2026-03-29T02:30', '2026-03-29T03:30:00+02:00'],
    [{ type: 'string', format: 'date-time' }, '2026-07-01T09:30:00Z', '2026-07-01T09:30:00Z'],
    [{ type: 'string', format: 'time' }, '09:30', '09:30:00+01:00'],
    [{ const: 'hr' }, '', 'hr'],
    [{ const: true }, '', false],
    [{ const: true }, 'true', true],
  ])('%j: %j', (schema, text, value) => {
    const { input, problems } = read(schema, { a: text })
    expect([input, [...problems]]).toEqual([{ a: value }, []])
  })

  test.each<[schema: JsonObject, text: Json]>([
    [{ type: 'number' }, 'many'],
    [{ type: 'number' }, '1e999'],
    [{ type: 'number' }, '0x10'],
    [{ type: 'integer' }, '1.5'],
    [{ enum: ['a'] }, 'b'],
    [{ type: 'array', items: { enum: ['a'] } }, ['a', 'b']],
    [{ type: 'string', format: 'date-time' }, '2026-02-30T10:00'],
    [{ type: 'string', format: 'time' }, '25:00'],
  ])('or is a problem of its field: %j: %j', (schema, text) => {
    const { input, problems } = read(schema, { a: text })
    expect([input, [...problems.keys()]]).toEqual([{}, ['a']])
  })

  test('and an empty field is absent, null, false or a problem, as the schema wants it', () => {
    const shape = shapeOf(
      {
        free: { type: 'string' },
        needed: { type: 'string' },
        none: { type: ['string', 'null'] },
        tick: { type: 'boolean' },
        list: { type: 'array', items: { enum: [1] } },
      },
      { required: ['needed', 'none', 'list'] },
    )
    const { input, problems } = readForm(shape, filledOf({ free: '', needed: ' ', file: { filename: 'a' } }), formTexts.en, times)
    expect(input).toEqual({ none: null, tick: false, list: [] })
    expect([...problems]).toEqual([['needed', formTexts.en.needed]])
  })
})

describe('an object in the input', () => {
  const address = {
    type: 'object',
    title: 'Address',
    required: ['street'],
    properties: { street: { type: 'string' }, floor: { type: 'integer' }, country: { const: 'SA' } },
  }
  const filled = (given: JsonObject) => filledOf(given)

  test('is a group of fields, whose values are an object of the input', () => {
    const shape = shapeOf({ name: { type: 'string' }, 'a/b': address }, { required: ['a/b'] })
    expect(shape.fields.map(({ name }) => name)).toEqual(['name', '/a~1b/street', '/a~1b/floor'])
    const given = filled({ name: 'Ada', '/a~1b/street': 'Main', '/a~1b/floor': '3' })
    expect(readForm(shape, given, formTexts.en, times).input).toEqual({ name: 'Ada', 'a/b': { country: 'SA', street: 'Main', floor: 3 } })
    expect([...readForm(shape, filled({ '/a~1b/floor': 'high' }), formTexts.en, times).problems.keys()]).toEqual([
      '/a~1b/street',
      '/a~1b/floor',
    ])
  })

  test('that may be absent is so until one of its fields is filled in', () => {
    const shape = shapeOf({ address })
    expect(readForm(shape, filled({ '/address/street': ' ' }), formTexts.en, times)).toEqual({ input: {}, problems: new Map() })
    expect([...readForm(shape, filled({ '/address/floor': '3' }), formTexts.en, times).problems.keys()]).toEqual(['/address/street'])
  })

  test('names its fields in the pointers of the validator', () => {
    const shape = shapeOf({ address, street: { type: 'string' } })
    const named = ['/input/address/floor', '/input/address', '/input/street', '/input/other'].map(
      (pointer) => fieldAt(shape, pointer)?.name,
    )
    expect(named).toEqual(['/address/floor', '/address/street', 'street', undefined])
  })
})

test.each<[schema: Json | undefined, says: string]>([
  [
    { properties: { far: { type: 'object', properties: { in: { type: 'object', properties: { a: { type: 'string' } } } } } } },
    '"far" has a property "in" that is an object',
  ],
  [{ properties: { a: { properties: { b: { type: 'string' } } }, '/a/b': { type: 'string' } } }, '"/a/b" has a name'],
  [undefined, 'has no input schema'],
  [{ type: 'array' }, 'does not describe an object'],
  [{ type: 'object', properties: { address: { type: 'object' } } }, '"address" is an object'],
  [{ properties: { tags: { type: 'array', items: { type: 'string' } } } }, '"tags" is an array'],
  [{ properties: { any: {} } }, '"any" has no single type'],
  [{ properties: { any: { type: ['string', 'number'] } } }, '"any" has no single type'],
  [{ properties: { far: { $ref: 'https://example.com/a' } } }, '"far" has no schema'],
  [{ properties: { loop: { $ref: '#/properties/loop' } } }, '"loop" has no schema'],
  [{ properties: { _id: { type: 'string' } } }, '"_id" has a name'],
  [{ properties: {}, required: ['gone'] }, '"gone" is required'],
  [{ properties: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, { type: 'string' }])) }, '101 properties'],
])('a schema that no form can show is a problem that names the property: %j', (schema, says) => {
  expect(formShapeOf(schema)).toEqual({ problem: expect.stringContaining(says) })
})

test('hostile texts stay texts, wherever the page has them', () => {
  const hostile = `"'><script>alert(1)</script></textarea></select></title>&amp;`
  const shape = shapeOf(
    {
      [hostile]: { type: 'string', title: hostile, description: hostile, default: hostile },
      lines: { type: 'string', maxLength: 5_000, default: hostile },
      one: { oneOf: [{ const: hostile, title: hostile }] },
      some: { type: 'array', title: hostile, items: { enum: [hostile] } },
      day: { type: 'string', format: 'date', minLength: hostile },
      file: { type: 'string', format: 'file', title: hostile, default: hostile },
    },
    { title: hostile, description: hostile },
  )
  const settings = { title: hostile, description: hostile, button: hostile, timeZone: hostile }
  const problems = new Map([[hostile, hostile]])
  const shown = {
    locale: 'en',
    settings,
    shape,
    title: hostile,
    isTest: false,
    id: 'x',
    filled: defaultsOf(shape),
    again: new Set<string>(),
    problems,
    notice: hostile,
  } as const
  const { body, headers } = formPage(422, shown)
  expect(body).not.toContain('<script')
  expect(body.match(/<\/(?:textarea|select|title)>/g)).toEqual(['</title>', '</textarea>', '</select>'])
  expect(body).toContain('&quot;&#39;&gt;&lt;script&gt;')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; frame-ancestors 'none'/,
  )
})

test.each<[string, Json, string]>([
  ['members of a group', { g: { type: 'object', properties: many((name) => [name, { type: 'string' }]) } }, '101 fields or more'],
  [
    'groups of constants',
    Object.fromEntries(['a', 'b'].map((name) => [name, group(many((key) => [key, { const: 1 }], 60))])),
    '120 fields or more',
  ],
  ['values of one property', { a: { enum: Object.keys(many((name) => [name, 1], 400)) } }, 'has 400 values'],
  ['characters by one description for many', many((name) => [name, { $ref: '#/$defs/long' }], 50), 'over 200000 characters'],
])('too many %s are a problem, which is found without reading all of them', (_, properties, problem) => {
  const $defs = { long: { type: 'string', description: 'x'.repeat(10_000) } }
  expect(formShapeOf({ type: 'object', properties, $defs })).toMatchObject({ problem: expect.stringContaining(problem) })
})

test('a reference to a schema with many keywords of others costs no copy of them', () => {
  const wide = { type: 'string', ...many((name) => [`x-${name}`, 0], 40_000) }
  const properties = many((name) => [name, { $ref: '#/$defs/wide', title: name }], 100)
  const shape = formShapeOf({ type: 'object', properties, $defs: { wide } })
  if ('problem' in shape) throw new Error(shape.problem)
  expect(shape.fields.map(({ schema }) => Object.keys(schema).length)).toEqual(shape.fields.map(() => 2))
})

function many<T>(entry: (name: string) => [string, T], count = 101): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => entry(`p${index}`)))
}

function group(properties: Json) {
  return { type: 'object', properties }
}
