import { expect, test } from 'vitest'
import { fromStripe, stripeRule, toStripe } from './stripe-amounts.ts'

test.each([
  [1234n, 'EUR', 1234],
  [500n, 'JPY', 500],
  [5n, 'ISK', 500],
  [5n, 'UGX', 500],
  [500_00n, 'MGA', 500],
  [500_01n, 'MGA', undefined],
  [5120n, 'KWD', 5120],
  [5124n, 'KWD', undefined],
  [1045n, 'HUF', 1045],
])('%d minor units of %s are %d for Stripe', (amount, currency, units) => {
  expect(toStripe(amount, currency)).toBe(units)
  if (units !== undefined) expect(fromStripe(units, currency)).toBe(amount)
})

test.each([
  ['EUR', 1n, 50n],
  ['JPY', 1n, 50n],
  ['BHD', 10n, 10n],
  ['MGA', 100n, 100n],
  ['XAF', 1n, 1n],
])('%s is charged in steps of %d from %d on', (currency, step, least) => {
  expect(stripeRule(currency)).toEqual({ step, least })
})
