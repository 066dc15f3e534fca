import { expect, test } from 'vitest'
import { preferredLocale } from './preferred-locale.ts'

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['ar-EG,ar;q=0.9,en;q=0.8', 'ar'],
  ['en;q=0.5, ar;q=0.9', 'ar'],
  ['fr, ar;q=0.3', 'ar'],
  ['fr;q=1, en;q=0.4, ar;q=0.3', 'en'],
  ['ar;q=0, fr', 'en'],
  ['AR', 'ar'],
  ['de, *;q=0.5, ar;q=0.1', 'en'],
  ['ar;q=many', 'en'],
])('a reader with %j gets %s', (header, locale) => {
  expect(preferredLocale(header)).toBe(locale)
})
