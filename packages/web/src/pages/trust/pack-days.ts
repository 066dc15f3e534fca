import type { packWords } from '#src/messages/en/pack.ts'
import { dayBegin, daysOf, isDate, type PeriodName } from '#src/patterns/period.ts'

/** Periods that auditors ask for. */
export const packPeriods = ['month', 'lastMonth', 'lastQuarter'] as const satisfies readonly PeriodName[]

interface PackDays {
  readonly from: string
  readonly to: string
}

/** The days of a period in a time zone. */
export function daysOfPeriod(period: string, zone: string, now = new Date()): PackDays {
  const { first = '', last = '' } = daysOf({ period }, zone, now)
  return { from: first, to: last }
}

/** What is wrong with the days of the form, by field; undefined if nothing is. */
export function problemsOf({ from, to }: PackDays, words: typeof packWords, zone: string, now = new Date()) {
  if (!isDate(from)) return undefined
  const today = daysOf({ period: 'today' }, zone, now).last ?? ''
  if (from > today) return { from: words.notBegun }
  if (isDate(to)) return from > to ? { to: words.reversed } : undefined
  // Without a last day the period ends with yesterday, in UTC.
  const days = (Date.parse(today) - Date.parse(from)) / 86_400_000
  const end = `${now.toISOString().slice(0, 10)}T00:00:00.000Z`
  return dayBegin(days, zone, now) >= end ? { to: words.needsEnd } : undefined
}
