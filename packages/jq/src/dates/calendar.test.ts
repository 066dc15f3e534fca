import { describe, expect, test } from 'vitest'
import { daysFromCivil, fromSeconds, isoWeek, toSeconds } from './calendar.ts'
import { formatDate } from './strftime.ts'
import { parseDate } from './strptime.ts'

/** One instant in every few weeks of a long time, leap years of every kind among them. */
const instants = Array.from({ length: 2_000 }, (_none, at) => Math.trunc(-60_000_000_000 + at * 97_531_357.9))

describe('the calendar', () => {
  test('days are counted from the epoch, months from zero, and a month too many is one of the next year', () => {
    expect(daysFromCivil(1970, 0, 1)).toBe(0)
    expect(daysFromCivil(2000, 2, 1) - daysFromCivil(2000, 1, 28)).toBe(2)
    expect(daysFromCivil(1900, 2, 1) - daysFromCivil(1900, 1, 28)).toBe(1)
    expect(daysFromCivil(1999, 12, 1)).toBe(daysFromCivil(2000, 0, 1))
  })

  test('seconds survive the way to a date and back', () => {
    for (const seconds of instants) expect(toSeconds(fromSeconds(seconds))).toBe(seconds)
  })

  test('it agrees with the calendar of the host', () => {
    for (const seconds of instants) {
      const host = new Date(seconds * 1000)
      const day = fromSeconds(seconds)
      expect([day.year, day.day, day.hour, day.minute, day.weekday]).toEqual([
        host.getUTCFullYear(),
        host.getUTCDate(),
        host.getUTCHours(),
        host.getUTCMinutes(),
        host.getUTCDay(),
      ])
    }
  })

  test.each([
    ['2024-12-30', 2025, 1],
    ['2023-01-01', 2022, 52],
    ['2020-12-31', 2020, 53],
    ['2021-01-03', 2020, 53],
    ['2021-01-04', 2021, 1],
    ['2015-06-15', 2015, 25],
  ])('%s lies in week %i-W%i', (date, year, week) => {
    expect(isoWeek(fromSeconds(Date.parse(`${date}T00:00:00Z`) / 1000))).toEqual({ year, week })
  })
})

describe('formats of dates', () => {
  const date = fromSeconds(Date.parse('2015-03-05T23:51:47Z') / 1000)

  test.each([
    ['%Y-%m-%dT%H:%M:%SZ', '2015-03-05T23:51:47Z'],
    ['%A, %B %d, %Y', 'Thursday, March 05, 2015'],
    ['%a %b %e', 'Thu Mar  5'],
    ['%j', '064'],
    ['%I %p', '11 PM'],
    ['%y %C', '15 20'],
    ['%%', '%'],
    ['%D %T %R', '03/05/15 23:51:47 23:51'],
    ['%s', '1425599507'],
    ['plain', 'plain'],
  ])('%s gives %s', (format, text) => {
    expect(formatDate(date, format)).toBe(text)
  })

  test.each(['%Y-%m-%dT%H:%M:%SZ', '%d %B %Y %T', '%a, %d %b %Y %H:%M:%S', '%s'])('%s is read as it is written', (format) => {
    const parsed = parseDate(formatDate(date, format), format)
    expect(parsed === undefined ? undefined : toSeconds(parsed.date)).toBe(1425599507)
  })

  test.each([
    ['2015-13-05', '%Y-%m-%d'],
    ['2015-03-32', '%Y-%m-%d'],
    ['Fooday', '%A'],
    ['25:00', '%H:%M'],
    ['2015', '%Y-%m'],
    ['', '%d'],
  ])('%s is not of the format %s', (text, format) => {
    expect(parseDate(text, format)).toBeUndefined()
  })
})
