import { durationMs } from '@millrace/dsl'
import type { Messages } from '#src/messages/messages.ts'

/** When something is due: one of its members beside the zone. */
export interface Due {
  readonly cron?: string | undefined
  /** An ISO 8601 duration, or the members of one. */
  readonly every?: unknown
  /** A duration as `every`, after the end of the run before. */
  readonly after?: unknown
  /** A local time without an offset. */
  readonly at?: string | undefined
  readonly timeZone?: string | undefined
}

type Texts = Messages['schedules']

/** A schedule in words, such as "weekdays at 09:00 (Europe/Berlin)"; undefined for a form that is not usual. */
export function scheduleWords({ cron, every, after, at, timeZone }: Due, texts: Texts): string | undefined {
  const inZone = (words: string) => (timeZone === undefined ? words : texts.inZone(words, timeZone))
  if (cron !== undefined) {
    const parts = (nicknames.get(cron.trim()) ?? cron.trim()).split(/\s+/)
    const words = parts.length === 5 ? timesWords(parts, texts) : undefined
    return intervalWords(parts, texts) ?? (words === undefined ? undefined : inZone(words))
  }
  if (at !== undefined) {
    const form = new Intl.DateTimeFormat(texts.language, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' })
    return inZone(texts.once(form.format(Date.parse(`${at.slice(0, 19)}Z`))))
  }
  const length = lengthWords(every ?? after, texts)
  return length === undefined ? undefined : every === undefined ? texts.after(length) : texts.every(length)
}

/** With a capital letter, where it begins a line. */
export const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

const nicknames: ReadonlyMap<string, string> = new Map([
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** Times that follow each other at one distance, in any zone. */
function intervalWords([minute = '', ...rest]: readonly string[], texts: Texts): string | undefined {
  if (rest.join(' ') !== '* * * *') return undefined
  const step = stepOf(minute, 60)
  if (step !== undefined) return texts.every(unitWords(step, 'minute', texts))
  if (!isNumber(minute)) return undefined
  return Number(minute) === 0 ? texts.every(unitWords(1, 'hour', texts)) : texts.hourly(Number(minute))
}

/** Times of the clock, on the days that the other fields say. */
function timesWords([minute = '', hour = '', date = '', month = '', weekday = '']: readonly string[], texts: Texts): string | undefined {
  if (month !== '*' || !isNumber(minute)) return undefined
  const isDaily = date === '*' && weekday === '*'
  const step = hour === '*' ? undefined : stepOf(hour, 24)
  if (step !== undefined) return isDaily && Number(minute) === 0 ? texts.every(unitWords(step, 'hour', texts)) : undefined
  const hours = hour.split(',')
  if (!hours.every(isNumber)) return undefined
  const times = list(
    hours.map((one) => `${one.padStart(2, '0')}:${minute.padStart(2, '0')}`),
    texts,
  )
  if (isDaily) return texts.daily(times)
  if (weekday === '*') return isNumber(date) ? texts.monthly(Number(date), times) : undefined
  const days = date === '*' ? daysOf(weekday) : undefined
  if (days === undefined) return undefined
  if (days.join('') === '12345') return texts.weekdays(times)
  return texts.weekly(list(dayNames(days, texts), texts), times)
}

/** The names of days of the week, from 0 for Sunday. */
export function dayNames(days: readonly number[], { language }: Texts): readonly string[] {
  const form = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
  return days.map((day) => form.format(aSunday + day * dayMs))
}

const dayMs = 86_400_000
const aSunday = Date.UTC(2026, 0, 4)

const isNumber = (field: string) => /^\d{1,2}$/.test(field)

const list = (parts: readonly string[], { language }: Texts) => new Intl.ListFormat(language).format(parts)

/** How far the values of a field are apart, if that is the same across its end. */
function stepOf(field: string, size: number): number | undefined {
  const step = field === '*' ? 1 : Number(/^\*\/(?<step>\d{1,2})$/.exec(field)?.groups?.['step'])
  return size % step === 0 ? step : undefined
}

const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** The days of the week in a list of days and ranges, from 0 for Sunday. */
function daysOf(field: string): readonly number[] | undefined {
  const days = field.split(',').flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split('-').map(dayOf)
    return from <= to ? Array.from({ length: to - from + 1 }, (_, index) => (from + index) % 7) : [Number.NaN]
  })
  return days.some(Number.isNaN) ? undefined : days
}

function dayOf(written: string): number {
  const named = weekdayNames.indexOf(written.toUpperCase())
  return named === -1 ? (/^[0-7]$/.test(written) ? Number(written) : Number.NaN) : named
}

const units = [
  ['day', dayMs],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** A duration in its largest whole unit; undefined for months and years, which people do not count in days. */
function lengthWords(duration: unknown, texts: Texts): string | undefined {
  const ms = typeof duration === 'string' && /^P[^T]*[YM]/.test(duration) ? 0 : (durationMs(duration) ?? 0)
  const found = units.find(([, size]) => ms > 0 && ms % size === 0)
  return found === undefined ? undefined : unitWords(ms / found[1], found[0], texts)
}

function unitWords(count: number, unit: (typeof units)[number][0], { language }: Texts): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
