import { expect, test } from 'vitest'
import { currencyDigits } from './currency-digits.ts'

test.each([
  ['EUR', 2],
  ['HUF', 2],
  ['PKR', 2],
  ['MGA', 2],
  ['JPY', 0],
  ['ISK', 0],
  ['BHD', 3],
  ['IQD', 3],
  ['CLF', 4],
])('the minor unit of %s has %d digits behind the point, as ISO 4217 says', (currency, count) => {
  expect(currencyDigits(currency)).toBe(count)
})
