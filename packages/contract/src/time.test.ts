import { expect, test } from 'vitest'
import { Duration, Timestamp } from './time.ts'

test.each(['PT15M', 'P1D', 'P2W', 'P1DT12H', 'PT0.5S', 'PT1H30M10S'])('%s is a duration', (text) => {
  expect(Duration.safeParse(text).success).toBe(true)
})

test.each(['P', 'PT', 'P1DT', '1h', 'P1Y', 'P1M', 'PT1.5H', '-PT1H', 'PT1H ', 'pt1h'])('%s is no duration of fixed length', (text) => {
  expect(Duration.safeParse(text).success).toBe(false)
})

test('a time without its zone, or in another one, is refused', () => {
  expect(Timestamp.safeParse('2026-01-31T09:30:00Z').success).toBe(true)
  expect(Timestamp.safeParse('2026-01-31T09:30:00').success).toBe(false)
  expect(Timestamp.safeParse('2026-01-31T09:30:00+01:00').success).toBe(false)
  expect(Timestamp.safeParse('2026-02-30T09:30:00Z').success).toBe(false)
})
