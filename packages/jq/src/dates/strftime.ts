import { isoWeek, toSeconds, type BrokenDown } from './calendar.ts'
import { months, weekdays } from './names.ts'

function pad(number: number, width: number, filler = '0'): string {
  const text = String(Math.abs(number)).padStart(width, filler)
  return number < 0 ? `-${text}` : text
}

function hour12(hour: number): number {
  return hour % 12 === 0 ? 12 : hour % 12
}

type Conversion = (date: BrokenDown, zone: string) => string

/** The conversions of C's strftime in the POSIX locale and in UTC. */
const conversions: Readonly<Record<string, Conversion>> = {
  a: (date) => (weekdays[date.weekday] ?? '').slice(0, 3),
  A: (date) => weekdays[date.weekday] ?? '',
  b: (date) => (months[date.month] ?? '-').slice(0, 3),
  h: (date) => (months[date.month] ?? '-').slice(0, 3),
  B: (date) => months[date.month] ?? '-',
  c: (date) => formatDate(date, '%a %b %e %H:%M:%S %Y'),
  C: (date) => pad(Math.floor(date.year / 100), 2),
  d: (date) => pad(date.day, 2),
  D: (date) => formatDate(date, '%m/%d/%y'),
  e: (date) => pad(date.day, 2, ' '),
  F: (date) => formatDate(date, '%Y-%m-%d'),
  g: (date) => pad(isoWeek(date).year % 100, 2),
  G: (date) => pad(isoWeek(date).year, 4),
  H: (date) => pad(date.hour, 2),
  I: (date) => pad(hour12(date.hour), 2),
  j: (date) => pad(date.yearDay + 1, 3),
  k: (date) => pad(date.hour, 2, ' '),
  l: (date) => pad(hour12(date.hour), 2, ' '),
  m: (date) => pad(date.month + 1, 2),
  M: (date) => pad(date.minute, 2),
  n: () => '\n',
  p: (date) => (date.hour < 12 ? 'AM' : 'PM'),
  P: (date) => (date.hour < 12 ? 'am' : 'pm'),
  r: (date) => formatDate(date, '%I:%M:%S %p'),
  R: (date) => formatDate(date, '%H:%M'),
  s: (date) => String(toSeconds({ ...date, second: Math.trunc(date.second) })),
  S: (date) => pad(Math.trunc(date.second), 2),
  t: () => '\t',
  T: (date) => formatDate(date, '%H:%M:%S'),
  u: (date) => String(date.weekday === 0 ? 7 : date.weekday),
  U: (date) => pad(Math.floor((date.yearDay + 7 - date.weekday) / 7), 2),
  V: (date) => pad(isoWeek(date).week, 2),
  w: (date) => String(date.weekday),
  W: (date) => pad(Math.floor((date.yearDay + 7 - ((date.weekday + 6) % 7)) / 7), 2),
  x: (date) => formatDate(date, '%m/%d/%y'),
  X: (date) => formatDate(date, '%H:%M:%S'),
  y: (date) => pad(((date.year % 100) + 100) % 100, 2),
  Y: (date) => (date.year >= 0 && date.year < 1000 ? pad(date.year, 4) : String(date.year)),
  z: () => '+0000',
  Z: (_date, zone) => zone,
  '%': () => '%',
}

/** Writes a date by a C format; `zone` is the name of its zone. */
export function formatDate(date: BrokenDown, format: string, zone = 'GMT'): string {
  return format.replace(/%[EO]?([^])/g, (whole, letter: string) =>
    Object.hasOwn(conversions, letter) ? (conversions[letter]?.(date, zone) ?? '') : whole,
  )
}
