/** A date as jq's broken down time has it: month from 0, day of month from 1, weekday from Sunday 0, day of year from 0. */
export interface BrokenDown {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  /** With its fraction. */
  readonly second: number
  readonly weekday: number
  readonly yearDay: number
}

const daySeconds = 86_400

/**
 * Days from 1970-01-01 in the proleptic Gregorian calendar; months and days outside their range carry over.
 * Source: H. Hinnant, "chrono-compatible low-level date algorithms", days_from_civil.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  const carried = year + Math.floor(month / 12)
  const monthInYear = ((month % 12) + 12) % 12
  const shifted = monthInYear < 2 ? carried - 1 : carried
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((monthInYear + 10) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The inverse: civil_from_days of the same source. */
function civilFromDays(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = (shiftedMonth + 2) % 12
  const year = yearOfEra + era * 400 + (month < 2 ? 1 : 0)
  return { year, month, day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1 }
}

/** Seconds since the epoch to a date in UTC. */
export function fromSeconds(seconds: number): BrokenDown {
  // jq cuts the number to whole seconds towards zero and adds the fraction above the second below it.
  const whole = Math.trunc(seconds)
  const days = Math.floor(whole / daySeconds)
  const rest = whole - days * daySeconds
  const { year, month, day } = civilFromDays(days)
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor((rest % 3600) / 60),
    second: (rest % 60) + (seconds - Math.floor(seconds)),
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysFromCivil(year, 0, 1),
  }
}

/** A date in UTC to whole seconds since the epoch; every part may be out of its range. */
export function toSeconds(date: Pick<BrokenDown, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>): number {
  return daysFromCivil(date.year, date.month, date.day) * daySeconds + date.hour * 3600 + date.minute * 60 + date.second
}

/** ISO 8601 week and the year that it belongs to. */
export function isoWeek(date: Pick<BrokenDown, 'year' | 'weekday' | 'yearDay'>): { readonly year: number; readonly week: number } {
  const monday = (date.weekday + 6) % 7
  const week = Math.floor((date.yearDay - monday + 10) / 7)
  if (week < 1) return { year: date.year - 1, week: weeksIn(date.year - 1) }
  return week > weeksIn(date.year) ? { year: date.year + 1, week: 1 } : { year: date.year, week }
}

function weeksIn(year: number): number {
  const firstWeekday = (((daysFromCivil(year, 0, 1) + 4) % 7) + 7) % 7
  const isLeap = daysFromCivil(year + 1, 0, 1) - daysFromCivil(year, 0, 1) === 366
  return firstWeekday === 4 || (firstWeekday === 3 && isLeap) ? 53 : 52
}
