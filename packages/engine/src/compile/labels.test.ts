import { expect, test } from 'vitest'
import type { Json } from '#core/json.ts'
import { compileLabels } from './labels.ts'

const read = (expression: string, input: Json = {}) => compileLabels({ it: expression })?.(input, 1_700_000_000_000)

test.each<[string, Json, string]>([
  ['billing', {}, 'billing'],
  ['${ .a }', { a: 4711 }, '4711'],
  ['${ .a }', { a: 0.5 }, '0.5'],
  ['${ .a }', { a: false }, 'false'],
  ['${ .a }', { a: ' x y ' }, 'x y'],
  ['${ .a, .b }', { a: 'first', b: 'second' }, 'first'],
  ['${ now }', {}, '1700000000'],
])('`%s` over %j is the label %s', (expression, input, value) => {
  expect(read(expression, input)?.labels).toEqual([{ name: 'it', value }])
})

test.each<[string, Json]>([
  ['${ .a }', {}],
  ['${ empty }', {}],
  ['${ .a }', { a: ' ' }],
  ['${ nan }', {}],
])('`%s` over %j is no label', (expression, input) => {
  expect(read(expression, input)?.labels).toEqual([])
})

test.each([['a\0b'], ['\ud800'], ['x'.repeat(201)]])('a value that cannot be stored is a problem: %j', (value) => {
  expect(read('${ .a }', { a: value })?.labels).toEqual([{ name: 'it', problem: expect.any(String) }])
  expect(read('${ error(.a) }', { a: value })?.labels).toEqual([
    { name: 'it', problem: expect.not.stringMatching(/\0|[\ud800-\udfff]|.{301}/) },
  ])
})

test('labels share a budget of steps, so ten hostile ones take as long as two', () => {
  const hostile = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`l${index}`, '${ [range(1e9)] | length }']))
  const { labels = [], steps = 0 } = compileLabels(hostile)?.({}, 0) ?? {}
  expect(labels).toHaveLength(10)
  expect(labels.every((label) => 'problem' in label)).toBe(true)
  expect(steps).toBeLessThanOrEqual(40_000)
})

test.each<[string, Json | undefined]>([
  ['nothing', undefined],
  ['a list', ['order']],
  ['values of another kind', { order: 1, other: { a: 1 } }],
  ['names that are not possible', { 'my order': 'x' }],
  ['more than are possible', Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`l${index}`, 'x']))],
])('a definition that was published with %s in their place has no labels', (_what, labels) => {
  expect(compileLabels(labels)).toBeUndefined()
})

test('an expression that cannot be compiled or reads a variable is a problem of its label alone', () => {
  expect(compileLabels({ broken: '${ .a | }', secret: '${ $secrets.key }', fine: 'x' })?.({}, 0).labels).toEqual([
    { name: 'broken', problem: expect.any(String) },
    { name: 'secret', problem: expect.any(String) },
    { name: 'fine', value: 'x' },
  ])
})
