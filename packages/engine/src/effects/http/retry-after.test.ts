import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test.each([
  ['120', 120_000],
  ['0', 0],
  [' 5 ', 5_000],
  ['1.5', 1_500],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
  ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
])('%j is %d ms', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected)
})

test.each([[undefined], [''], ['soon'], ['-5'], ['1e3'], ['tomorrow: noon']])('%j says nothing', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined()
})

test('an absurd wait is still a number for a timer', () => {
  expect(parseRetryAfter('9'.repeat(400), now)).toBe(Number.MAX_SAFE_INTEGER)
})
