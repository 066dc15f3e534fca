import { clockAt, momentOf } from '#src/values/zone-clock.ts'

/** Quick choices of a period, as the address of a page has them. */
export const periods = ['today', 'yesterday', 'week', 'days30', 'month', 'lastMonth', 'lastQuarter'] as const
/** A period that ends now, for lists of what has just happened. */
export const lastHour = 'hour' as const
export type PeriodName = (typeof periods)[number] | typeof lastHour

type Search = Readonly<Record<string, string>>

/** The first and the last day of a period, as dates; without one it has no bound. */
export interface Days {
  readonly first: string | undefined
  readonly last: string | undefined
}

/**
 * The search of an address in the words of an operation: the days of a period as times, from the begin of the first day to the end of the last one.
 * @param zone in which the days begin and end, as a name of the IANA time zone database.
 */
export function inPeriod(search: Search, zone: string, now = new Date()): Search {
  const { period, from: _from, to: _to, ...query } = search
  if (period === lastHour) return { ...query, from: new Date(now.getTime() - hourMs).toISOString() }
  const { first, last } = daysOf(search, zone, now)
  return {
    ...query,
    ...(first === undefined ? {} : { from: timeOf(first, 0, zone) }),
    ...(last === undefined ? {} : { to: timeOf(last, 1, zone) }),
  }
}

/** The days that an address asks for: those of its quick choice, or from its first to its last one. */
export function daysOf({ period, from, to }: Search, zone: string, now = new Date()): Days {
  const today = dayAt(now.getTime(), zone)
  const month = `${today.slice(0, 7)}-01`
  const quick: Readonly<Record<string, Days | undefined>> = {
    today: { first: today, last: today },
    yesterday: { first: later(today, -1), last: later(today, -1) },
    week: { first: later(today, -6), last: today },
    days30: { first: later(today, -29), last: today },
    month: { first: month, last: today },
    lastMonth: { first: `${later(month, -1).slice(0, 7)}-01`, last: later(month, -1) },
    lastQuarter: quarterBefore(today),
  }
  return quick[period ?? ''] ?? { first: from, last: to }
}

/** The whole quarter before that of a day. */
function quarterBefore(today: string): Days {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const begin = Date.UTC(year, month - 1 - ((month - 1) % 3), 1)
  const last = later(new Date(begin).toISOString().slice(0, 10), -1)
  return { first: `${last.slice(0, 5)}${String(Number(last.slice(5, 7)) - 2).padStart(2, '0')}-01`, last }
}

/** When the calendar's day began that was some days ago. */
export function dayBegin(daysAgo: number, zone: string, now = new Date()): string {
  return timeOf(dayAt(now.getTime(), zone), -daysAgo, zone)
}

/** The begin of a day, some days later. A text that is no date stays as it is, and is refused by the operation. */
function timeOf(date: string, days: number, zone: string): string {
  return isDate(date) ? new Date(momentOf(`${later(date, days)}T00:00`, zone)).toISOString() : date
}

/** Whether a text is a date of the calendar, such as 2026-01-31. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && later(text, 0) === text
}

const dayMs = 86_400_000
const hourMs = 3_600_000

function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10)
}

const dayAt = (time: number, zone: string): string => clockAt(time, zone).slice(0, 10)
