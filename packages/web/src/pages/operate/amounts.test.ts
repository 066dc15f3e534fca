import { beforeAll, expect, test } from 'vitest'
import { loadMessages, m } from '#src/messages/messages.ts'
import { majorUnits, minorUnits } from '#src/pages/operate/amounts.ts'

beforeAll(loadMessages)

test.each([
  ['29', 'EUR', 2900, '29.00'],
  ['0.5', 'EUR', 50, '0.50'],
  ['9990', 'HUF', 999_000, '9990.00'],
  ['1490.50', 'PKR', 149_050, '1490.50'],
  ['480', 'JPY', 480, '480'],
  ['1.25', 'BHD', 1250, '1.250'],
])('a price of %s %s is %d in minor units, as the server counts them, and is shown as %s again', (text, currency, minor, shown) => {
  expect(minorUnits(text, currency)).toBe(minor)
  expect(majorUnits(minor, currency)).toBe(shown)
})

test.each([
  ['0.505', 'EUR'],
  ['480.5', 'JPY'],
  ['1,50', 'EUR'],
  ['', 'EUR'],
  ['-1', 'EUR'],
])('%s is no price in %s', (text, currency) => {
  expect(() => minorUnits(text, currency)).toThrow(m.desk.notAmount)
})
