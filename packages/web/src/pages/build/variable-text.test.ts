import { expect, test } from 'vitest'
import { variableText } from './variable-text.ts'

test.each([
  ['text', 'hello', 'hello'],
  ['text', '', ''],
  ['number', 5, '5'],
  ['boolean', false, 'false'],
  ['json', { a: [1] }, '{"a":[1]}'],
  ['json', '5', '"5"'],
  ['json', 'hello', '"hello"'],
  ['json', null, 'null'],
  ['secret', undefined, ''],
] as const)('a variable of the kind %s with the value %j shows %s, which is read as the same value', (kind, value, text) => {
  expect(variableText({ kind, value })).toBe(text)
  if (kind === 'json') expect(JSON.parse(text)).toEqual(value)
})
