import { expect, test } from 'vitest'
import { amountText, forecastAt, isLimited, noLimits, periodsAt, reachedLimits, type SpendingLimits } from './spending-limits.ts'

const at = (text: string) => Date.parse(text)

test('a period is a calendar month or a day of UTC, also in a leap year and at the turn of a year', () => {
  const ends = (text: string) => {
    const { month, day } = periodsAt(at(text))
    return [month.start, month.end, day.start, day.end].map((date) => date.toISOString().slice(0, 13))
  }
  expect(ends('2028-02-29T23:59:59.999Z')).toEqual(['2028-02-01T00', '2028-03-01T00', '2028-02-29T00', '2028-03-01T00'])
  expect(ends('2026-12-31T12:00:00Z')).toEqual(['2026-12-01T00', '2027-01-01T00', '2026-12-31T00', '2027-01-01T00'])
  expect(ends('2026-11-01T00:00:00Z')).toEqual(['2026-11-01T00', '2026-12-01T00', '2026-11-01T00', '2026-11-02T00'])
})

test('a limit is reached from its share on, the month is named before the day, and what has no limit is never reached', () => {
  const limits: SpendingLimits = {
    ...noLimits,
    month: { costMicros: 1_000, tokens: undefined },
    day: { costMicros: 100, tokens: 50 },
  }
  const used = (costMicros: number, tokens: number) => ({ month: { costMicros, tokens: 10 ** 9 }, day: { costMicros, tokens } })
  const named = (percent: number, costMicros: number, tokens: number) =>
    reachedLimits(limits, used(costMicros, tokens), percent).map(({ period, unit, limit }) => `${period} ${unit} ${limit}`)
  expect(named(80, 79, 39)).toEqual([])
  expect(named(80, 80, 40)).toEqual(['day costMicros 100', 'day tokens 50'])
  expect(named(100, 99, 49)).toEqual([])
  expect(named(100, 1_000, 50)).toEqual(['month costMicros 1000', 'day costMicros 100', 'day tokens 50'])
  expect(reachedLimits(noLimits, used(10 ** 12, 10 ** 12), 1)).toEqual([])
})

test('an account has limits as soon as one of the four is set', () => {
  expect(isLimited(noLimits)).toBe(false)
  expect(isLimited({ ...noLimits, warnPercent: 50, currency: 'EUR' })).toBe(false)
  for (const period of ['month', 'day'] as const)
    for (const unit of ['costMicros', 'tokens'] as const)
      expect(isLimited({ ...noLimits, [period]: { ...noLimits[period], [unit]: 1 } })).toBe(true)
})

test('the forecast of a month continues what was used, and has none on the first day', () => {
  const used = { costMicros: 3_000, tokens: 90 }
  expect(forecastAt(at('2026-11-01T23:59:59Z'), used)).toBeUndefined()
  expect(forecastAt(at('2026-11-11T00:00:00Z'), used)).toEqual({ costMicros: 9_000, tokens: 270 })
  expect(forecastAt(at('2026-11-30T23:59:59Z'), used)).toEqual({ costMicros: 3_000, tokens: 90 })
})

test('an amount is written with its currency, and a small one with two digits that count', () => {
  expect(amountText('tokens', 4_000, 'EUR')).toBe('4000 tokens')
  expect(amountText('costMicros', 12_500_000, 'EUR')).toBe('12.50 EUR')
  expect(amountText('costMicros', 600_000, undefined)).toBe('0.60')
  expect(amountText('costMicros', 4_217, 'USD')).toBe('0.0042 USD')
  expect(amountText('costMicros', 0, 'USD')).toBe('0.00 USD')
})
