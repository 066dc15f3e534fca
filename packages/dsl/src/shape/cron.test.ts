import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cron, cronProblem, readCron } from './cron.ts'

describe('cron expressions', () => {
  test.each([
    '* * * * *',
    '0 0 * * *',
    '*/5 * * * *',
    '0-30/2 8-18 1,15 * MON-FRI',
    '59 23 31 12 7',
    '0 0 1 jan sun',
    '0 0 1 JAN-JUN,DEC *',
    '  0   6 * * 1-5  ',
    '@daily',
    '@hourly',
    '@weekly',
    '@monthly',
    '@yearly',
    '@annually',
    '@midnight',
  ])('%s is valid', (expression) => {
    expect(cronProblem(expression)).toBeUndefined()
  })

  test.each([
    ['', 'five fields, and this has 0'],
    ['* * * *', 'five fields, and this has 4'],
    ['* * * * * *', 'five fields, and this has 6'],
    ['@reboot', 'five fields, and this has 1'],
    ['CRON_TZ=Europe/Berlin 0 9 * * *', 'has no time zone'],
    ['60 * * * *', '"60" is outside of the field minute'],
    ['* 24 * * *', '"24" is outside of the field hour'],
    ['* * 0 * *', '"0" is outside of the field day of month'],
    ['* * 32 * *', '"32" is outside of the field day of month'],
    ['* * * 13 *', '"13" is outside of the field month'],
    ['* * * FOO *', '"FOO" is outside of the field month'],
    ['* * * * 8', '"8" is outside of the field day of week'],
    ['* * * * MON-FOO', '"MON-FOO" is outside of the field day of week'],
    ['30-10 * * * *', '"30-10" of the field minute runs backwards'],
    ['*/0 * * * *', 'step /0 of the field minute'],
    ['*/99 * * * *', 'step /99 of the field minute'],
    ['1, * * * *', '"" is not an entry of the field minute'],
    ['-1 * * * *', '"-1" is not an entry of the field minute'],
    ['* * L * *', '"L" is outside of the field day of month'],
    ['* * * * 5#2', '"5#2" is not an entry of the field day of week'],
    ['1.5 * * * *', '"1.5" is not an entry of the field minute'],
    ['a b c d e', '"a" is outside of the field minute'],
  ])('%j: %s', (expression, message) => {
    const problem = cronProblem(expression)
    expect(problem?.message).toContain(message)
    expect(problem?.hint).toMatch(/[.]$/)
  })
})

function read(expression: string): Cron {
  const cron = readCron(expression)
  if ('code' in cron) throw new Error(cron.message)
  return cron
}

function upTo(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

describe('the times of a cron expression', () => {
  test('a cron expression has the values of its fields', () => {
    expect(read('0-30/15 8,18 1,31 JAN-MAR MON-FRI')).toEqual({
      minutes: [0, 15, 30],
      hours: [8, 18],
      daysOfMonth: [1, 31],
      months: [1, 2, 3],
      daysOfWeek: [1, 2, 3, 4, 5],
      days: 'either',
    })
  })

  test('* stands for all values of a field', () => {
    expect(read('* * * * *')).toEqual({
      minutes: upTo(0, 59),
      hours: upTo(0, 23),
      daysOfMonth: upTo(1, 31),
      months: upTo(1, 12),
      daysOfWeek: upTo(0, 6),
      days: 'both',
    })
  })

  test.each([
    ['*/20 * * * *', 'minutes', [0, 20, 40]],
    ['5/20 * * * *', 'minutes', [5, 25, 45]],
    ['7 * * * *', 'minutes', [7]],
    ['9,3,9,1-3 * * * *', 'minutes', [1, 2, 3, 9]],
    ['0 */9 * * *', 'hours', [0, 9, 18]],
    ['0 0 */10 * *', 'daysOfMonth', [1, 11, 21, 31]],
    ['0 0 * */5 *', 'months', [1, 6, 11]],
    ['0 0 * dec,Jan *', 'months', [1, 12]],
    ['0 0 * * 7', 'daysOfWeek', [0]],
    ['0 0 * * 0,7', 'daysOfWeek', [0]],
    ['0 0 * * 5-7', 'daysOfWeek', [0, 5, 6]],
    ['0 0 * * sun', 'daysOfWeek', [0]],
    ['0 0 * * */2', 'daysOfWeek', [0, 2, 4, 6]],
    ['0 0 * * */7', 'daysOfWeek', [0]],
    ['0 0 * * 6/1', 'daysOfWeek', [0, 6]],
  ] as const)('%s: %s are %j', (expression, field, values) => {
    expect(read(expression)[field]).toEqual(values)
  })

  test.each([
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
    ['  0   6 * * 1-5  ', '0 6 * * 1-5'],
  ])('%j is %j', (short, long) => {
    expect(read(short)).toEqual(read(long))
  })

  test.each([
    ['0 0 13 * *', 'both'],
    ['0 0 * * FRI', 'both'],
    ['0 0 13 * FRI', 'either'],
    ['0 0 */2 * FRI', 'both'],
    ['0 0 13 * */2', 'both'],
  ])('%s asks for %s of its days', (expression, days) => {
    expect(read(expression).days).toBe(days)
  })
})

describe('cron expressions that never come', () => {
  test.each(['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *', '* * 30-31 FEB *', '0 0 31 2 */2', '@never'])(
    '%s is an error',
    (expression) => {
      expect(cronProblem(expression)?.code).toBe(expression === '@never' ? 'invalid_cron' : 'impossible_cron')
    },
  )

  test.each(['0 0 29 2 *', '0 0 31 2 MON', '0 0 31 2,3 *', '0 0 28-31 2 *', '0 0 31 * *', '0 0 29 2 */2', '0 0 30 4 *'])(
    '%s occurs',
    (expression) => {
      expect(cronProblem(expression)).toBeUndefined()
    },
  )

  test('the message truncates a long expression', () => {
    expect(cronProblem(`${'0,'.repeat(1000)}0 0 31 2 *`)?.message.length).toBeLessThan(130)
  })

  test('an expression is impossible exactly when no day of 28 years matches', () => {
    const days = fc.oneof(fc.constant('*'), fc.integer({ min: 27, max: 31 }).map(String), fc.constantFrom('30-31', '*/30', '29,31'))
    const months = fc.oneof(fc.constant('*'), fc.constantFrom('2', '4', '2,4', '2-3', '6/5', 'FEB'))
    const weekdays = fc.oneof(fc.constant('*'), fc.constantFrom('1', '*/3', 'SAT,SUN'))
    fc.assert(
      fc.property(days, months, weekdays, (day, month, weekday) => {
        const fits = calendar.some((date) => fitsDay(date, day, month, weekday))
        expect(cronProblem(`0 0 ${day} ${month} ${weekday}`) === undefined).toBe(fits)
      }),
    )
  })
})

/** Every weekday meets every date within 28 years, 29 February included. */
const calendar = Array.from({ length: 28 * 365 + 7 }, (_, index) => new Date(Date.UTC(2000, 0, 1 + index)))

/** Read anew from the text, field by field, for what the property above draws. */
function fitsDay(date: Date, day: string, month: string, weekday: string): boolean {
  const among = (written: string, min: number, max: number, value: number) =>
    written.split(',').some((entry) => {
      const [range = '', step] = entry.replace('FEB', '2').replace('SAT', '6').replace('SUN', '0').split('/')
      const [low = '', high = step === undefined ? low : String(max)] = range === '*' ? [String(min), String(max)] : range.split('-')
      return value >= Number(low) && value <= Number(high) && (value - Number(low)) % Number(step ?? 1) === 0
    })
  if (!among(month, 1, 12, date.getUTCMonth() + 1)) return false
  const [byDate, byWeekday] = [among(day, 1, 31, date.getUTCDate()), among(weekday, 0, 6, date.getUTCDay())]
  return day.startsWith('*') || weekday.startsWith('*') ? byDate && byWeekday : byDate || byWeekday
}
