import { JsonValue, listPage } from '@millrace/contract'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { rawJson } from './raw-json.ts'
import { compileSerialiser } from './serialiser.ts'

const Inner = z.object({ id: z.string(), at: z.iso.datetime().nullable() }).meta({ id: 'SerialiserInner' })

test('declared members come out in declared order, and others not at all', () => {
  const serialise = compileSerialiser(z.object({ a: z.int(), b: z.string().optional(), c: z.boolean() }))
  expect(serialise({ c: true, secret: 'x', a: 1 })).toBe('{"a":1,"c":true}')
})

test.each([
  ['null', null],
  ['text', 'quote " backslash \\ line\n separator \u2028 half \ud800'],
  ['number', 1.5e-7],
  ['nothing', {}],
  ['deep', { a: [{ b: [[], {}, [null]] }], __proto__: null }],
  ['array', [1, 'two', { three: 3 }]],
])('any JSON passes through untouched: %s', (_, value) => {
  const serialise = compileSerialiser(z.object({ value: JsonValue }))
  expect(JSON.parse(serialise({ value }))).toEqual({ value: JSON.parse(JSON.stringify(value)) })
  expect(JSON.parse(compileSerialiser(JsonValue)(value))).toEqual(JSON.parse(JSON.stringify(value)))
})

test('null stands where the schema allows it, in members, lists and named schemas', () => {
  const serialise = compileSerialiser(z.object({ one: Inner.nullable(), many: z.array(z.string().nullable()), page: listPage(Inner) }))
  const value = { one: null, many: ['a', null], page: { data: [{ id: 'x', at: null }], nextCursor: null } }
  expect(JSON.parse(serialise(value))).toEqual(value)
})

test('unions, records and recursive schemas come out as they are', () => {
  const Tree = z.object({
    name: z.string(),
    get children() {
      return z.array(Tree)
    },
  })
  const serialise = compileSerialiser(
    z.object({ union: z.union([z.string(), z.object({ n: z.int() })]), record: z.record(z.string(), z.int()), tree: Tree }),
  )
  const value = { union: { n: 1 }, record: { x: 1, y: 2 }, tree: { name: 'a', children: [{ name: 'b', children: [] }] } }
  expect(JSON.parse(serialise(value))).toEqual(value)
})

test('a reply without a required member is a bug and not an answer', () => {
  const serialise = compileSerialiser(z.object({ a: z.string() }))
  expect(() => serialise({})).toThrow(/required/)
})

test('raw JSON goes in as text, wherever it stands, in order', () => {
  const serialise = compileSerialiser(z.object({ first: JsonValue, list: z.array(z.object({ v: JsonValue })) }))
  const text = serialise({
    first: rawJson('{ "kept" : 1.0 }'),
    list: [{ v: rawJson('[1]') }, { v: { plain: true } }, { v: rawJson('"x"') }],
  })
  expect(text).toBe('{"first":{ "kept" : 1.0 },"list":[{"v":[1]},{"v":{"plain":true}},{"v":"x"}]}')
})

test('raw JSON of one reply never reaches another, even when a serialiser throws half-way', () => {
  const serialise = compileSerialiser(z.object({ v: JsonValue, needed: z.string() }))
  expect(() => serialise({ v: rawJson('"leaked"') })).toThrow(/required/)
  expect(serialise({ v: rawJson('"mine"'), needed: 'x' })).toBe('{"v":"mine","needed":"x"}')
})

test('text that looks like a placeholder stays text', () => {
  const serialise = compileSerialiser(z.object({ a: z.string(), b: JsonValue }))
  expect(serialise({ a: 'raw:0', b: rawJson('1') })).toBe('{"a":"raw:0","b":1}')
})

test('a raw value of megabytes is spliced without being parsed', () => {
  const big = JSON.stringify({ rows: Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'x'.repeat(20) })) })
  const text = compileSerialiser(z.object({ v: JsonValue }))({ v: rawJson(big) })
  expect(text.length).toBe(big.length + '{"v":}'.length)
})
