import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { durationMs, parseDuration } from './duration.ts'

const day = 86_400_000

describe('ISO 8601 durations', () => {
  test.each([
    ['PT0S', 0],
    ['PT1S', 1000],
    ['PT0.5S', 500],
    ['PT1.0005S', 1001],
    ['PT1M', 60_000],
    ['PT1.5H', 5_400_000],
    ['P1D', day],
    ['P1W', 7 * day],
    ['P1M', 30 * day],
    ['P1Y', 365 * day],
    ['P1DT12H', 1.5 * day],
    ['P1Y2M3W4DT5H6M7.008S', (365 + 60 + 21 + 4) * day + 5 * 3_600_000 + 6 * 60_000 + 7008],
    ['PT36H', 1.5 * day],
  ])('%s is %i ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.each([
    '',
    'P',
    'PT',
    '30',
    '30s',
    'PT30',
    'pt30s',
    'P-1D',
    '-P1D',
    'P1H',
    'PT1D',
    'PT5S5M',
    'PT.5S',
    ' PT1S',
    'PT1S ',
    'P1DT',
    '${ .x }',
  ])('%j is not a duration', (text) => {
    expect(durationMs(text)).toBeUndefined()
    expect(() => parseDuration(text)).toThrow(RangeError)
  })

  test('a duration that is too long to be counted exactly is refused', () => {
    expect(durationMs('P99999999999999Y')).toBeUndefined()
    expect(durationMs({ days: Number.MAX_SAFE_INTEGER })).toBeUndefined()
  })
})

describe('durations by parts', () => {
  test('the parts add up', () => {
    expect(parseDuration({ days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 })).toBe(day + 2 * 3_600_000 + 3 * 60_000 + 4000 + 5)
  })

  test.each([
    ['no part', {}],
    ['an unknown part', { weeks: 1 }],
    ['a fraction', { seconds: 0.5 }],
    ['a negative part', { seconds: -1 }],
    ['text', { seconds: '1' }],
    ['nothing', null],
    ['a list', [1]],
    ['a number', 30],
    ['a part of the prototype', { toString: 1 }],
  ])('%s is not a duration', (_, value) => {
    expect(durationMs(value)).toBeUndefined()
  })

  test('parts and ISO 8601 agree', () => {
    const part = fc.nat({ max: 1000 })
    fc.assert(
      fc.property(part, part, part, part, (days, hours, minutes, seconds) => {
        expect(parseDuration(`P${days}DT${hours}H${minutes}M${seconds}S`)).toBe(parseDuration({ days, hours, minutes, seconds }))
      }),
    )
  })
})

test('the message of a refused duration says what to write', () => {
  expect(() => parseDuration('5 minutes')).toThrow('"5 minutes" is not a duration; write PT30S or { seconds: 30 }.')
})
