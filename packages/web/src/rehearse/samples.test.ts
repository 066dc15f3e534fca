import { expect, test } from 'vitest'
import { exampleInput, shortValue } from '#src/rehearse/samples.ts'

test.each([
  [{ total: 5 }, '{ total: 5 }'],
  [{ total: 5, more: 1 }, '{ total: 5, … }'],
  [{ order: {}, lines: [] }, '{ order, lines }'],
  [[1, 2], '[2]'],
  ['short', '"short"'],
  [{}, '{}'],
  [null, 'null'],
  ['x'.repeat(60), `"${'x'.repeat(26)}…`],
])('%j is shown on a card as %s', (value, text) => {
  expect(shortValue(value)).toBe(text)
})

test('a rehearsal begins with the example of the input schema', () => {
  const withSchema = (schema: object) => exampleInput({ input: { schema: { document: { ...schema } } } })
  expect(withSchema({ examples: [{ a: 1 }] })).toEqual({ a: 1 })
  expect(withSchema({ default: { b: 1 } })).toEqual({ b: 1 })
  expect(exampleInput(undefined)).toEqual({})
})
