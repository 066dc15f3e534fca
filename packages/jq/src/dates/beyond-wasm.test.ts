import { describe, expect, test } from 'vitest'
import { compile } from '#src/index.ts'

// jq-wasm is built with a C library that lacks these or has them wrong; the expected values are those of the C standard and of POSIX.
describe('conversions of strftime that the C library of jq-wasm does not have', () => {
  test.each([
    ['the hour with a space', '%k', 1_425_599_621, '23'],
    ['an early hour with a space', '%k', 0, ' 0'],
    ['the hour of twelve with a space', '%l', 1_425_599_621, '11'],
    ['midnight as the hour of twelve', '%l', 0, '12'],
    ['the zone', '%Z', 0, 'GMT'],
  ])('%s', (_name, format, seconds, text) => {
    expect(compile(`strftime("${format}")`).first(seconds)).toBe(text)
  })
})

describe('conversions of strptime that the C library of jq-wasm has wrong', () => {
  test.each([
    ['noon', '%Y-%m-%d %I:%M %p', '2015-03-05 12:00 PM', '2015-03-05T12:00:00Z'],
    ['midnight', '%Y-%m-%d %I:%M %p', '2015-03-05 12:00 AM', '2015-03-05T00:00:00Z'],
    ['the hour before the half of the day', '%Y-%m-%d %p %I', '2015-03-05 PM 01', '2015-03-05T13:00:00Z'],
    ['the day of the year', '%Y %j', '2015 064', '2015-03-05T00:00:00Z'],
    ['the last day of a leap year', '%Y %j', '2016 366', '2016-12-31T00:00:00Z'],
    ['seconds since the epoch', '%s', '1425599621', '2015-03-05T23:53:41Z'],
    ['a zone', '%Y-%m-%d %Z', '2015-03-05 UTC', '2015-03-05T00:00:00Z'],
  ])('%s', (_name, format, text, date) => {
    expect(compile(`strptime("${format}") | mktime | todate`).first(text)).toBe(date)
  })
})

describe('what native jq does and jq-wasm does not', () => {
  test.each<[string, string, unknown]>([
    [
      'a day after the end of its month is one of the next',
      '[2024, 0, 31, 0, 0, 0, 0, 0] | .[1] += 1 | strftime("%Y-%m-%d %a %j")',
      '2024-03-02 Sat 062',
    ],
    ['the same in a date that is written whole', '[2024, 1, 30] | todate', '2024-03-01T00:00:00Z'],
    ['an hour after the end of its day is one of the next', '[2024, 0, 1, 25, 61, 61] | todate', '2024-01-02T02:02:01Z'],
    ['white space before a number is skipped', '86400 * 4 | strftime("%e %b %Y") | strptime("%e %b %Y") | mktime', 345_600],
    ['a digit that leads beyond the largest number is of what follows', '"935" | strptime("%H%M") | .[3:5]', [9, 35]],
    ['Z is a zone', '"2024-01-02T03:04:05Z" | strptime("%Y-%m-%dT%H:%M:%S%z") | mktime', 1_704_164_645],
    [
      'a zone may have no minutes, or a colon before them',
      '["+01", "+0100", "-01:30"] | map(strptime("%z") | mktime) | unique | length',
      1,
    ],
    ['a half of the day says nothing about an hour of twenty-four', '"11:00:00 PM" | strptime("%H:%M:%S %p") | .[3]', 11],
    ['nor does one where the last hour is one of twenty-four', '"10 11 PM" | strptime("%I %H %p") | .[3]', 11],
    ['any name of a zone is read', '"2015 CEST" | strptime("%Y %Z") | .[0]', 2_015],
  ])('%s', (_name, program, output) => {
    expect(compile(program).first(null)).toEqual(output)
  })

  test.each(['"x" | strptime("%z")', '"+1" | strptime("%z")', '"+01:99" | strptime("%z")', '"45" | strptime("%d")'])(
    '%s fails',
    (program) => {
      expect(() => compile(program).first(null)).toThrow('does not match format')
    },
  )
})

describe('the clock', () => {
  const clock = (): number => 1_425_599_621_678

  test.each([
    ['now is its seconds', 'now', 1_425_599_621.678],
    ['now is a number that dates take', 'now | todate', '2015-03-05T23:53:41Z'],
    ['now is the same for a clock that stands', 'now == now', true],
    ['localtime is UTC', 'now | localtime | mktime', 1_425_599_621],
    ['strflocaltime is UTC', 'now | strflocaltime("%H:%M %Z")', '23:53 UTC'],
    ['strflocaltime takes a broken down time', 'now | gmtime | strflocaltime("%Y")', '2015'],
  ])('%s', (_name, program, output) => {
    expect(compile(program, { clock }).first(null)).toEqual(output)
  })

  test('is asked at every now', () => {
    let at = 0
    expect(compile('[now, now, now]', { clock: () => (at += 1_000) }).first(null)).toEqual([1, 2, 3])
  })

  test('is not asked by a program that has no now', () => {
    const never = (): number => {
      throw new Error('asked')
    }
    expect(compile('0 | todate', { clock: never }).first(null)).toBe('1970-01-01T00:00:00Z')
  })

  test.each([
    ['now', 'clock-required'],
    ['localtime', 'clock-required'],
    ['strflocaltime("%Y")', 'clock-required'],
    ['def f: now; 1', undefined],
  ])('without it %s is %s', (program, code) => {
    let found: unknown
    try {
      compile(program)
    } catch (error) {
      found = error instanceof Error && 'code' in error ? error.code : error
    }
    // A definition that is never called is not examined.
    expect(found).toBe(code)
  })
})
