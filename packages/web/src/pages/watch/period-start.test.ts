import { expect, test } from 'vitest'
import { periodStart } from './period-start.ts'

const evening = new Date(2026, 2, 2, 22, 40)

test('several days are today and whole days before it', () => {
  expect(periodStart(7, evening)).toBe(new Date(2026, 1, 24).toISOString())
})

test('one day is the last 24 hours', () => {
  expect(periodStart(1, evening)).toBe(new Date(2026, 2, 1, 22, 40).toISOString())
})
