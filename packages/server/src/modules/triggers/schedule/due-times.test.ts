import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { RRuleTemporal } from 'rrule-temporal'
import fc from 'fast-check'
import { describe, expect, inject, test, vi } from 'vitest'
import { dueTimesOf, nextDueTimes } from './due-times.ts'
import type { ScheduleSpec } from './schedule-spec.ts'
import { localText, segmentAt } from './zone.ts'

const cron = (expression: string, timeZone = 'America/New_York'): ScheduleSpec => ({ kind: 'cron', expression, timeZone })
const rrule = (rule: string, start: string, timeZone = 'America/New_York'): ScheduleSpec => ({ kind: 'rrule', rule, start, timeZone })
const locals = (spec: ScheduleSpec, from: string, count: number) =>
  nextDueTimes(dueTimesOf(spec), Date.parse(from) - 1, count).map((time) => localText('timeZone' in spec ? spec.timeZone : 'UTC', time))

const from = Date.UTC(2020, 0, 1)
const to = Date.UTC(2037, 11, 31)

/** The transitions of a zone from 2020 to 2037. */
function transitionsOf(zone: string) {
  const found = []
  for (let segment = segmentAt(zone, from); segment.to < to; segment = segmentAt(zone, segment.to))
    found.push({ at: segment.to, before: segment.offsetMs, after: segmentAt(zone, segment.to).offsetMs })
  return found
}

const allZones = Intl.supportedValuesOf('timeZone')
/** `--mode deep` tests each zone; otherwise one of those that change at the same times by the same offsets, since a schedule knows nothing else of its zone. */
const zones = inject('deep') ? allZones : [...new Map(allZones.map((zone) => [JSON.stringify(transitionsOf(zone)), zone])).values()]

const hourMs = 3_600_000
const two = (value: number) => String(value).padStart(2, '0')

describe('daylight saving', () => {
  test('in every zone, a daily time in a gap is due once at its end, and one in an overlap once at its first occurrence', () => {
    let checked = 0
    for (const timeZone of zones)
      for (const { at, before, after } of transitionsOf(timeZone)) {
        // The middle of what is skipped or repeated, in whole minutes.
        const local = new Date(Math.floor((at + before / 2 + after / 2) / 60_000) * 60_000)
        const [hour, minute, day] = [local.getUTCHours(), local.getUTCMinutes(), local.toISOString().slice(0, 10)]
        const expected = after > before ? at : local.getTime() - before
        const specs = [
          cron(`${minute} ${hour} * * *`, timeZone),
          rrule('FREQ=DAILY', `2019-12-30T${two(hour)}:${two(minute)}:00`, timeZone),
          { kind: 'date', at: `${day}T${two(hour)}:${two(minute)}:00`, timeZone } as const,
        ]
        for (const spec of specs) {
          const due = nextDueTimes(dueTimesOf(spec), at - 12 * hourMs, 3).filter((time) => time < at + 6 * hourMs)
          expect({ timeZone, kind: spec.kind, at: new Date(at), due }).toEqual({
            timeZone,
            kind: spec.kind,
            at: new Date(at),
            due: [expected],
          })
          checked++
        }
      }
    expect(checked).toBeGreaterThan(inject('deep') ? 5_000 : 1_000)
  })

  test('in every zone, a schedule of every quarter of an hour is due every 15 minutes through each transition', () => {
    for (const timeZone of zones) {
      const [transition] = transitionsOf(timeZone)
      if (transition === undefined) continue
      const { at } = transition
      for (const spec of [cron('*/15 * * * *', timeZone), rrule('FREQ=MINUTELY;INTERVAL=15', '2019-12-30T00:00:00', timeZone)]) {
        const due = nextDueTimes(dueTimesOf(spec), at - 2 * hourMs - 1, 16)
        const steps = due.slice(1).map((time, index) => (time - (due[index] ?? 0)) / 60_000)
        expect({ timeZone, kind: spec.kind, steps }).toEqual({ timeZone, kind: spec.kind, steps: Array.from({ length: 15 }, () => 15) })
      }
    }
  })

  test('an hourly schedule is due in both hours of an overlap, and at one of several hours once', () => {
    expect(locals(cron('0 * * * *'), '2026-11-01T04:00:00Z', 4)).toEqual([
      '2026-11-01T00:00:00-04:00',
      '2026-11-01T01:00:00-04:00',
      '2026-11-01T01:00:00-05:00',
      '2026-11-01T02:00:00-05:00',
    ])
    expect(locals(cron('0 0-3 * * *'), '2026-11-01T04:00:00Z', 4)).toEqual([
      '2026-11-01T00:00:00-04:00',
      '2026-11-01T01:00:00-04:00',
      '2026-11-01T02:00:00-05:00',
      '2026-11-01T03:00:00-05:00',
    ])
  })
})

describe('cron', () => {
  test('random expressions agree with a second implementation', () => {
    const field = (min: number, max: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min, max }).map(String),
        fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
        fc.integer({ min: 2, max: Math.max(2, max - 1) }).map((step) => `*/${step}`),
        fc.uniqueArray(fc.integer({ min, max }), { minLength: 2, maxLength: 4 }).map((values) => values.join(',')),
      )
    const expressions = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6))
    fc.assert(
      fc.property(expressions, fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true }), (fields, start) => {
        const next = dueTimesOf(cron(fields.join(' '), 'UTC'))(start.getTime())
        expect(next).toBe(slowNext(fields, start.getTime()))
      }),
      { numRuns: inject('deep') ? 10_000 : 500 },
    )
  })

  test('an expression that is due on no day has no next time', () => {
    expect(dueTimesOf(cron('0 0 31 2 *'))(from)).toBeUndefined()
  })
})

/** The second implementation: looks at every day, then at every minute of the first that fits. */
function slowNext([minutes = '', hours = '', days = '', months = '', weekdays = '']: readonly string[], after: number): number | undefined {
  const fits = (field: string, value: number, min: number) =>
    field.split(',').some((part) => {
      const [range = '', step = '1'] = part.split('/')
      const [low = min, high = low] = range === '*' ? [min, Number.POSITIVE_INFINITY] : range.split('-').map(Number)
      return value >= low && value <= high && (value - low) % Number(step) === 0
    })
  const dayMs = 24 * hourMs
  for (let day = Math.floor(after / dayMs) * dayMs; day < after + 3_000 * dayMs; day += dayMs) {
    const date = new Date(day)
    const byDay = fits(days, date.getUTCDate(), 1)
    const byWeekday = fits(weekdays, date.getUTCDay(), 0)
    const either = days === '*' || weekdays === '*' ? byDay && byWeekday : byDay || byWeekday
    if (!either || !fits(months, date.getUTCMonth() + 1, 1)) continue
    for (let minute = 0; minute < 24 * 60; minute++) {
      const time = day + minute * 60_000
      if (time > after && fits(hours, Math.floor(minute / 60), 0) && fits(minutes, minute % 60, 0)) return time
    }
  }
  return undefined
}

describe('recurrence rules', () => {
  const start = '1997-09-02T09:00:00'
  // Section 3.8.5.3 of RFC 5545.
  test.each([
    ['daily for 10 occurrences', 'FREQ=DAILY;COUNT=10', start, '0902 0903 0904 0905 0906 0907 0908 0909 0910 0911'],
    ['every 10 days, 5 occurrences', 'FREQ=DAILY;INTERVAL=10;COUNT=5', start, '0902 0912 0922 1002 1012'],
    [
      'weekly for 5 weeks on Tuesday and Thursday',
      'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
      start,
      '0902 0904 0909 0911 0916 0918 0923 0925 0930 1002',
    ],
    [
      'until with a time in UTC',
      'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH',
      start,
      '0902 0904 0909 0911 0916 0918 0923 0925 0930 1002',
    ],
    ['monthly on the first Friday', 'FREQ=MONTHLY;COUNT=4;BYDAY=1FR', '1997-09-05T09:00:00', '0905 1003 1107 1205'],
    ['the second-to-last Monday', 'FREQ=MONTHLY;COUNT=4;BYDAY=-2MO', '1997-09-22T09:00:00', '0922 1020 1117 1222'],
    ['the first and last day of the month', 'FREQ=MONTHLY;COUNT=6;BYMONTHDAY=1,-1', '1997-09-30T09:00:00', '0930 1001 1031 1101 1130 1201'],
    ['the third Tuesday, Wednesday or Thursday', 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3', '1997-09-04T09:00:00', '0904 1007 1106'],
    ['the second-to-last weekday', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=4', '1997-09-29T09:00:00', '0929 1030 1127 1230'],
    ['Friday the 13th', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2', '1998-02-13T09:00:00', '0213 0313'],
    ['yearly on a Monday of week 20', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3', '1997-05-12T09:00:00', '0512 0511 0517'],
    ['the first, 100th and 200th day of the year', 'FREQ=YEARLY;COUNT=4;BYYEARDAY=1,100,200', '1997-01-01T09:00:00', '0101 0410 0719 0101'],
    ['Thursdays in March', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=4', '1997-03-13T09:00:00', '0313 0320 0327 0305'],
    [
      'election day',
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3',
      '1996-11-05T09:00:00',
      '1105 1107 1102',
    ],
  ])('the example of RFC 5545: %s', (_name, rule, begin, expected) => {
    const due = nextDueTimes(dueTimesOf(rrule(rule, begin)), Date.UTC(1996, 0, 1), 20)
    expect(
      due
        .map((time) => localText('America/New_York', time))
        .map((text) => text.slice(5, 7) + text.slice(8, 10))
        .join(' '),
    ).toBe(expected)
    expect(new Set(due.map((time) => localText('America/New_York', time).slice(11, 19)))).toEqual(new Set(['09:00:00']))
  })

  test.each([
    'FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=HOURLY;BYSETPOS=366;BYHOUR=3',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=1,2,3,4,5,6,7,8;BYMINUTE=1,2,3,4,5,6,7,8,9,10,11,12,13',
    'FREQ=DAILY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11',
  ])('a rule that never fires is found out in bounded time: %s', (rule) => {
    const begun = startProcessorTime()
    expect(dueTimesOf(rrule(rule, '1970-01-01T00:00:00'))(from)).toBeUndefined()
    // Processor time, which the load of the machine does not change much.
    expect(begun()).toBeLessThan(5_000)
  })

  test.each([
    'FREQ=SECONDLY',
    'COUNT=3',
    'FREQ=DAILY;COUNT=1001',
    'FREQ=DAILY;FREQ=DAILY',
    'FREQ=DAILY;X=1',
    'FREQ=DAILY;BYHOUR=99',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=DAILY;INTERVAL=99999',
    'FREQ=DAILY;BYSECOND=1',
  ])('the rule is refused: %s', (rule) => {
    expect(() => dueTimesOf(rrule(rule, start))).toThrow(expect.objectContaining({ name: 'ScheduleError' }))
  })
})

test('an interval counts from its start and knows no daylight saving', () => {
  const next = dueTimesOf({ kind: 'interval', everyMs: 90_000, fromMs: 1_000 })
  expect([next(0), next(1_000), next(90_999), next(91_000)]).toEqual([1_000, 91_000, 91_000, 181_000])
})

test.each([
  ['FREQ=DAILY;INTERVAL=30;COUNT=1000;BYHOUR=0', 'all'],
  [`FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour).join(',')};BYMINUTE=0,15,30,45`, 'between'],
] as const)('the times of %s are made once, not for each of them', (rule, method) => {
  const made = vi.spyOn(RRuleTemporal.prototype, method)
  try {
    const times = nextDueTimes(
      dueTimesOf({ kind: 'rrule', rule, start: '1970-01-01T00:00:00', timeZone: 'Africa/Nairobi' }),
      Date.UTC(2026, 0, 1),
      90,
    )
    expect(times).toHaveLength(90)
    expect(made).toHaveBeenCalledTimes(1)
  } finally {
    made.mockRestore()
  }
})
