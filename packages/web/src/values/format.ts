import { currencyDigits } from '@millrace/contract/currency-digits'
import { boot } from '#src/boot.ts'
import { setShownZone, shownZone } from '#src/values/shown-zone.ts'

const locale = boot.locale === 'ar' ? 'ar-u-nu-latn' : 'en-GB'
const clockParts = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const

/** The forms of times, in a time zone; without one in that of the browser. */
function formsIn(zone: string | undefined) {
  const form = (options: Intl.DateTimeFormatOptions, language = locale) => new Intl.DateTimeFormat(language, { ...options, timeZone: zone })
  return {
    clock: form(clockParts),
    dayAndClock: form({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    whole: form({ dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' }),
    precise: form({ ...clockParts, fractionalSecondDigits: 3 }),
    dayOnly: form({ day: 'numeric', month: 'short' }),
    wholeDay: form({ dateStyle: 'long' }),
    // As Sweden writes them: 2026-01-31 08:30.
    plain: form({ dateStyle: 'short', timeStyle: 'short' }, 'sv-SE'),
  }
}

let forms = formsIn(undefined)

/** Shows times in the zone that a person has chosen; without one, or where the browser does not know it, in that of the browser. */
export function showTimesIn(zone: string | undefined): void {
  if (setShownZone(zone)) forms = formsIn(shownZone())
}

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })

export const exactTime = (iso: string): string => apart(forms.whole.format(new Date(iso)))

const wallParts = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const
const wall = new Intl.DateTimeFormat(locale, wallParts)
const wallToTheSecond = new Intl.DateTimeFormat(locale, { ...wallParts, second: '2-digit' })

/** A time as the clock on the wall of its own zone shows it; seconds where asked for. */
export const wallTime = (local: string, seconds = false): string =>
  (seconds ? wallToTheSecond : wall).format(new Date(`${local.slice(0, 19)}Z`))

/** The clock with milliseconds. */
export const preciseTime = (ms: number): string => forms.precise.format(ms)

/** The time of a row: the clock today, the day before that. */
export function rowTime(iso: string, now = Date.now()): string {
  const date = new Date(iso)
  return calendarDay(now) === calendarDay(date.getTime()) ? forms.clock.format(date) : forms.dayAndClock.format(date)
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['hour', 3600],
  ['minute', 60],
]

/** "2 min ago", "in 3 hr"; from 24 hours on, the days of the calendar. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Math.abs(seconds) >= 86_400) return relative.format(calendarDay(Date.parse(iso)) - calendarDay(now), 'day')
  const found = units.find(([, size]) => Math.abs(seconds) >= size)
  return found === undefined ? relative.format(Math.round(seconds), 'second') : relative.format(Math.round(seconds / found[1]), found[0])
}

/** The number of the day that the calendar shows. */
function calendarDay(time: number): number {
  return Date.parse(forms.plain.format(time).slice(0, 10)) / 86_400_000
}

/** "320 ms", "8.2 s", "2 min 6 s", "2 d 4 h". @param sign before it, such as of a distance. */
export function duration(ms: number, sign = ''): string {
  // After the mark the sign stays before its number.
  return apart(`${sign === '' || boot.locale !== 'ar' ? '' : '\u200e'}${sign}${durationText(ms)}`)
}

/** A duration that may not be known. */
export const durationOr = (ms: number | null): string => (ms === null ? '–' : duration(ms))

/** Numbers and words of Arabic that what stands beside them does not reorder. */
function apart(text: string): string {
  return boot.locale === 'ar' ? `\u2067${text}\u2069` : text
}

/** A text of any language that keeps its own order in a text from right to left. */
export function ownOrder(text: string): string {
  return boot.locale === 'ar' ? `\u2068${text}\u2069` : text
}

const unitWords =
  boot.locale === 'ar' ? { ms: 'ملي ث', s: 'ث', min: 'د', h: 'س', d: 'يوم' } : { ms: 'ms', s: 's', min: 'min', h: 'h', d: 'd' }

/** Number and unit stay in their order in a text from right to left. */
function isolated(text: string): string {
  return boot.locale === 'ar' ? `\u2066${text}\u2069` : text
}

function durationText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ${unitWords.ms}`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} ${unitWords.s}`
  const seconds = Math.round(ms / 1000)
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), unitWords.d],
    [Math.floor(seconds / 3600) % 24, unitWords.h],
    [Math.floor(seconds / 60) % 60, unitWords.min],
    [seconds % 60, unitWords.s],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

export function bytes(count: number): string {
  if (count < 1024) return isolated(`${count} B`)
  const kilo = count / 1024
  if (kilo < 1024) return isolated(`${kilo.toFixed(1)} KB`)
  const mega = kilo / 1024
  return isolated(mega < 1024 ? `${mega.toFixed(1)} MB` : `${(mega / 1024).toFixed(1)} GB`)
}

const plainNumber = new Intl.NumberFormat(locale)
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

const decimalsMax = 4

/** A number of some data for reading: one with more than four decimals has two, or four digits that count if it is below 1. */
export function readableNumber(value: number): string {
  const whole = String(value)
  if ((/\.(?<decimals>\d+)$/.exec(whole)?.groups?.['decimals']?.length ?? 0) <= decimalsMax) return whole
  return String(Math.abs(value) < 1 ? Number(value.toPrecision(4)) : Number(value.toFixed(2)))
}

export const number = (value: number): string => plainNumber.format(value)
export const percent = (value: number | null): string => (value === null ? '–' : share.format(value))

/** The begin of a bucket: its day, or its hour if it is no midnight. */
export function bucketLabel(iso: string): string {
  const date = new Date(iso)
  return forms.plain.format(date).slice(11, 13) === '00' ? forms.dayOnly.format(date) : forms.clock.format(date).slice(0, 5)
}

const calendarDate = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

/** The day of a time, or a date such as 2026-01-31. */
export const day = (iso: string): string => (iso.length === 10 ? calendarDate : forms.wholeDay).format(new Date(iso))

/** An amount of money, with as many digits as its currency has. */
export function money(amount: number | string, currency: string): string {
  const digits = currencyDigits(currency)
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(typeof amount === 'number' ? amount / 10 ** digits : Number(amount))
}
