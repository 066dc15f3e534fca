import { afterAll, expect, test, vi } from 'vitest'

vi.mock('#src/boot.ts', () => ({ boot: { locale: 'en' } }))
const { ago, bucketLabel, day, exactTime, money, readableNumber, rowTime, showTimesIn } = await import('#src/values/format.ts')
afterAll(() => vi.resetModules())

/** A time of November 2026, whose 28th is a Saturday, where the browser is. */
const at = (date: number, hour: number, minute = 0) => new Date(2026, 10, date, hour, minute)

test.each([
  [at(30, 8), 'in 2 days'],
  [at(30, 0, 5), 'in 2 days'],
  [at(29, 20, 45), 'tomorrow'],
  [at(29, 20, 35), 'in 24 hr'],
  [at(28, 22, 40), 'in 2 hr'],
  [at(27, 0, 5), 'yesterday'],
  [at(26, 23, 55), '2 days ago'],
])('of %s, a person reads on Saturday at 20:40: %s', (time, words) => {
  expect(ago(time.toISOString(), at(28, 20, 40).getTime())).toBe(words)
})

test('times are those of the zone that a person has chosen, and dates are of no zone', () => {
  const evening = '2026-11-28T20:30:00Z'
  showTimesIn('Asia/Tokyo')
  expect([exactTime(evening), day(evening), day('2026-11-28')]).toEqual([
    '29 Nov 2026, 05:30:00 GMT+9',
    '29 November 2026',
    '28 November 2026',
  ])
  expect([rowTime(evening, Date.parse('2026-11-29T10:00:00Z')), rowTime(evening, Date.parse('2026-11-28T10:00:00Z'))]).toEqual([
    '05:30:00',
    '29 Nov, 05:30',
  ])
  expect([bucketLabel('2026-11-28T15:00:00Z'), bucketLabel(evening)]).toEqual(['29 Nov', '05:30'])
  expect(ago(evening, Date.parse('2026-11-30T14:00:00Z'))).toBe('yesterday')
  showTimesIn('America/Los_Angeles')
  expect([exactTime(evening), day(evening), day('2026-11-28')]).toEqual([
    '28 Nov 2026, 12:30:00 GMT-8',
    '28 November 2026',
    '28 November 2026',
  ])
  showTimesIn('Atlantis/Capital')
  const here = exactTime(evening)
  showTimesIn(undefined)
  expect(exactTime(evening)).toBe(here)
})

test.each([
  [3529.4117647058824, '3529.41'],
  [0.1 + 0.2, '0.3'],
  [0.00012345678, '0.0001235'],
  [19.9999, '19.9999'],
  [4200, '4200'],
  [1e21, '1e+21'],
])('the number %s of a request is shown as %s', (value, text) => {
  expect(readableNumber(value)).toBe(text)
})

test.each([
  [2900, 'EUR', '€29.00'],
  [999_000, 'HUF', 'HUF\u00a09,990.00'],
  [480, 'JPY', 'JP¥480'],
  [1250, 'BHD', 'BHD\u00a01.250'],
  ['1490.5', 'PKR', 'PKR\u00a01,490.50'],
])('%s of %s is shown as %s: a number is in the minor unit, as the server counts it', (amount, currency, text) => {
  expect(money(amount, currency)).toBe(text)
})
