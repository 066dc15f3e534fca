import { expect, test } from 'vitest'
import { periodStart } from './period-start.ts'

/** In Tokyo it is the morning of March 3. */
const now = new Date('2026-03-02T22:40:00Z')

test('several days are today and whole days before it, in the time zone of the person', () => {
  expect(periodStart(7, 'Asia/Tokyo', now)).toBe('2026-02-24T15:00:00.000Z')
  expect(periodStart(7, 'Europe/Berlin', now)).toBe('2026-02-23T23:00:00.000Z')
})

test('one day is the last 24 hours', () => {
  expect(periodStart(1, 'Asia/Tokyo', now)).toBe('2026-03-01T22:40:00.000Z')
})
