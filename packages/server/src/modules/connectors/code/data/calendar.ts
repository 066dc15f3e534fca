import { type Json, type JsonObject, textOf } from '@millrace/engine'
import { Temporal } from 'temporal-polyfill'
import { DataError } from './data-error.ts'

type Zoned = Temporal.ZonedDateTime

const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const

/** `date.parse`: a text in the form of a pattern. */
export function parseDate({ text, pattern, timeZone }: JsonObject): Json {
  const given = textOf(text) ?? ''
  const names: string[] = []
  const expression = partsOf(textOf(pattern) ?? '').map((part) => {
    if ('literal' in part) return part.literal.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
    const group = read[part.token]
    if (group === undefined) throw new DataError(`"${part.token}" cannot be read; use ${Object.keys(read).join(', ')}.`)
    names.push(part.token)
    return `(${group})`
  })
  const match = new RegExp(`^${expression.join('')}$`).exec(given.trim())
  if (match === null) throw new DataError(`The text does not have the form "${textOf(pattern) ?? ''}".`)
  const values = new Map(names.map((name, index) => [name, match[index + 1] ?? '']))
  const number = (...tokens: string[]) =>
    Number(tokens.map((token) => values.get(token)).find((value) => value !== undefined) ?? Number.NaN)
  const [year, short] = [number('yyyy'), number('yy')]
  const hour = number('HH', 'H', 'hh', 'h')
  const isHalf = values.has('hh') || values.has('h')
  if (isHalf && (hour < 1 || hour > 12)) throw new DataError('The hour of a pattern with h is 1 to 12.')
  const afternoon = (values.get('a') ?? '').toLowerCase() === 'pm'
  const parts = {
    year: Number.isNaN(year) ? 2000 + short : year,
    month: number('MM', 'M'),
    day: number('dd', 'd'),
    hour: or(isHalf ? (hour % 12) + (afternoon ? 12 : 0) : hour, 0),
    minute: or(number('mm', 'm'), 0),
    second: or(number('ss', 's'), 0),
    millisecond: or(number('SSS'), 0),
  }
  if (Number.isNaN(parts.year) || Number.isNaN(parts.month) || Number.isNaN(parts.day))
    throw new DataError('A pattern has year, month and day.')
  return timed(checked(() => Temporal.PlainDateTime.from(parts, { overflow: 'reject' }).toZonedDateTime(zoneOf(timeZone))))
}

/** `date.format`. */
export function formatDate({ time, pattern, timeZone, locale }: JsonObject): Json {
  const zoned = zonedOf(time, timeZone, '/time')
  const language = textOf(locale) ?? 'en'
  const written = partsOf(textOf(pattern) ?? '').map((part) => {
    if ('literal' in part) return part.literal
    const form = write[part.token]
    if (form === undefined) throw new DataError(`"${part.token}" cannot be written; use ${Object.keys(write).join(', ')}.`)
    return checked(() => form(zoned, language))
  })
  return { text: written.join('') }
}

/** `date.add`: in the calendar of the time zone, so that a day has 23 or 25 hours when the clocks change. */
export function addToDate({ time, duration, timeZone }: JsonObject): Json {
  const zoned = zonedOf(time, timeZone, '/time')
  return timed(checked(() => zoned.add(Temporal.Duration.from(textOf(duration) ?? ''))))
}

/** `date.difference`. */
export function differenceOfDates({ from, to, unit, timeZone }: JsonObject): Json {
  const [begin, end] = [zonedOf(from, timeZone, '/from'), zonedOf(to, timeZone, '/to')]
  const name = units.find((candidate) => candidate === unit) ?? 'days'
  const largestUnit = name
  const duration = checked(() => begin.until(end, { largestUnit, smallestUnit: name }))
  return { value: checked(() => begin.until(end, { largestUnit }).total({ unit: name, relativeTo: begin })), duration: duration.toString() }
}

function zonedOf(given: Json | undefined, zone: Json | undefined, pointer: string): Zoned {
  const text = (textOf(given) ?? '').trim()
  const timeZone = zoneOf(zone)
  try {
    return /(?:Z|[+-]\d\d:?(?:\d\d)?)(?:\[.*\])?$/i.test(text.slice(10))
      ? Temporal.Instant.from(text).toZonedDateTimeISO(timeZone)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone)
  } catch {
    throw new DataError(`${pointer} is not a time of ISO 8601, such as 2026-11-24T09:30:00Z.`)
  }
}

function zoneOf(given: Json | undefined): string {
  const name = textOf(given) ?? 'UTC'
  try {
    return Temporal.Now.zonedDateTimeISO(name).timeZoneId
  } catch {
    throw new DataError(`"${name.slice(0, 100)}" is not a time zone. Use a name such as Asia/Bahrain.`)
  }
}

function checked<T>(compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    throw new DataError(error instanceof Error ? error.message : 'It is not a date.')
  }
}

function timed(zoned: Zoned): Json {
  const text = zoned.toString({ timeZoneName: 'never', smallestUnit: zoned.millisecond === 0 ? 'second' : 'millisecond' })
  return { time: text.replace(/\+00:00$/, 'Z'), timestamp: zoned.epochMilliseconds }
}

const or = (value: number, other: number): number => (Number.isNaN(value) ? other : value)

type Part = { readonly literal: string } | { readonly token: string }

/** Runs of one letter are tokens, text in apostrophes and all other characters stay as they are. */
function partsOf(pattern: string): readonly Part[] {
  return Array.from(pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/g), ([all, quoted, letter]): Part => {
    if (quoted !== undefined) return { literal: quoted === '' ? "'" : quoted.replaceAll("''", "'") }
    return letter === undefined ? { literal: all } : { token: all }
  })
}

const [one, two] = [String.raw`\d{1,2}`, String.raw`\d{2}`]
const read: Readonly<Record<string, string>> = {
  yyyy: String.raw`\d{4}`,
  yy: two,
  MM: two,
  M: one,
  dd: two,
  d: one,
  HH: two,
  H: one,
  hh: two,
  h: one,
  mm: two,
  m: one,
  ss: two,
  s: one,
  SSS: String.raw`\d{3}`,
  a: '[AaPp][Mm]',
}

const padded = (value: number, width: number): string => String(value).padStart(width, '0')
const named = (options: Intl.DateTimeFormatOptions) => (zoned: Zoned, locale: string) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: zoned.timeZoneId }).format(zoned.epochMilliseconds)

const write: Readonly<Record<string, (zoned: Zoned, locale: string) => string>> = {
  yyyy: ({ year }) => padded(year, 4),
  yy: ({ year }) => padded(year % 100, 2),
  MMMM: named({ month: 'long' }),
  MMM: named({ month: 'short' }),
  MM: ({ month }) => padded(month, 2),
  M: ({ month }) => String(month),
  dd: ({ day }) => padded(day, 2),
  d: ({ day }) => String(day),
  EEEE: named({ weekday: 'long' }),
  EEE: named({ weekday: 'short' }),
  HH: ({ hour }) => padded(hour, 2),
  H: ({ hour }) => String(hour),
  hh: ({ hour }) => padded(hour % 12 || 12, 2),
  h: ({ hour }) => String(hour % 12 || 12),
  mm: ({ minute }) => padded(minute, 2),
  m: ({ minute }) => String(minute),
  ss: ({ second }) => padded(second, 2),
  s: ({ second }) => String(second),
  SSS: ({ millisecond }) => padded(millisecond, 3),
  a: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  xxx: ({ offset }) => offset,
  ww: ({ weekOfYear }) => padded(weekOfYear ?? 0, 2),
  D: ({ dayOfYear }) => String(dayOfYear),
}
