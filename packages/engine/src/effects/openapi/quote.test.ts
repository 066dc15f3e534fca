import { expect, test } from 'vitest'
import { quote, quoteAll } from './quote.ts'

test.each([
  ['a', '"a"'],
  ['', '""'],
  ['two\nlines', '"two\\nlines"'],
  ['a "quote"', '"a \\"quote\\""'],
  ['\u0000', '"\\u0000"'],
])('%j is one line in a message', (text, shown) => {
  expect(quote(text)).toBe(shown)
})

test('a text of 200 characters is shown whole, a longer one in part', () => {
  expect(quote('x'.repeat(200))).toBe(`"${'x'.repeat(200)}"`)
  expect(quote('x'.repeat(201))).toBe(`"${'x'.repeat(200)}…"`)
})

test('of many the first thirty are shown, and how many are left', () => {
  const names = Array.from({ length: 31 }, (_, index) => `n${index}`)
  expect(quoteAll(names.slice(0, 2))).toBe('"n0", "n1"')
  expect(quoteAll(names.slice(0, 30))).toMatch(/"n29"$/)
  expect(quoteAll(names)).toMatch(/"n29" and 1 more$/)
  expect(quoteAll([])).toBe('')
})
