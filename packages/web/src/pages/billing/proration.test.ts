import { expect, test } from 'vitest'
import { prorationOf } from './proration.ts'

const period = {
  price: { amount: 2900, currency: 'EUR' },
  interval: 'month',
  state: 'active',
  currentPeriodStart: '2026-06-01T00:00:00Z',
  currentPeriodEnd: '2026-07-01T00:00:00Z',
} as const
const half = Date.parse('2026-06-16T00:00:00Z')

test('a change in the middle of a period costs half of the difference', () => {
  expect(prorationOf({ amount: 14_900, currency: 'EUR', interval: 'month' }, period, half)).toBe(6000)
})

test('a change to a lower plan leaves a credit', () => {
  expect(prorationOf({ amount: 900, currency: 'EUR', interval: 'month' }, period, half)).toBe(-1000)
})

test('a change to a year pays the whole year, less the unused part of the month', () => {
  expect(prorationOf({ amount: 29_000, currency: 'EUR', interval: 'year' }, period, half)).toBe(27_550)
})

test('a change in a trial costs nothing now', () => {
  expect(prorationOf({ amount: 14_900, currency: 'EUR', interval: 'month' }, { ...period, state: 'trialing' }, half)).toBe(0)
})

test('nothing is said about another currency', () => {
  expect(prorationOf({ amount: 14_900, currency: 'USD', interval: 'month' }, period, half)).toBeUndefined()
})
