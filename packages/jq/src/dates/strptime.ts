import { daysFromCivil, fromSeconds, toSeconds, type BrokenDown } from './calendar.ts'
import { months, weekdays } from './names.ts'

interface Parsing {
  readonly text: string
  at: number
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  yearDay: number | undefined
  century: number | undefined
  /** Whether the hour is one of twelve, and of which half of the day. */
  halves: boolean
  afternoon: boolean
}

type Reader = (state: Parsing) => boolean

/** Reads a number as glibc does: white space before it is skipped, and a digit that would lead beyond `most` belongs to what follows. */
function digits(state: Parsing, width: number, least: number, most: number): number | undefined {
  skipSpace(state)
  let value = 0
  let found = 0
  for (; found < width && isDigit(state.text.charAt(state.at)) && (found === 0 || value * 10 <= most); found++) {
    value = value * 10 + Number(state.text.charAt(state.at++))
  }
  return found === 0 || value < least || value > most ? undefined : value
}

function number(width: number, least: number, most: number, put: (state: Parsing, value: number) => void): Reader {
  return (state) => {
    const found = digits(state, width, least, most)
    if (found === undefined) return false
    put(state, found)
    return true
  }
}

/** Whether a character is a digit. */
function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

/** No name of a day or a month is longer. */
const longestName = 9

function oneOf(names: readonly string[], put: (state: Parsing, at: number) => void): Reader {
  return (state) => {
    const rest = state.text.slice(state.at, state.at + longestName).toLowerCase()
    for (const [at, name] of names.entries()) {
      for (const form of [name, name.slice(0, 3)]) {
        if (!rest.startsWith(form.toLowerCase())) continue
        state.at += form.length
        put(state, at)
        return true
      }
    }
    return false
  }
}

function skipSpace(state: Parsing): boolean {
  while (/\s/.test(state.text.charAt(state.at))) state.at++
  return true
}

/** As in `+01:30`. */
const longestZone = 6

function zone(state: Parsing): boolean {
  skipSpace(state)
  const found = /^(?:Z|[+-]\d{2}(?::?[0-5]\d)?)/.exec(state.text.slice(state.at, state.at + longestZone))?.[0]
  if (found === undefined) return false
  // The C library reads the zone and does not apply it; nor does jq.
  state.at += found.length
  return true
}

/** Any text up to the next white space, as in glibc. */
function zoneName(state: Parsing): boolean {
  skipSpace(state)
  while (state.at < state.text.length && !/\s/.test(state.text.charAt(state.at))) state.at++
  return true
}

function meridiem(state: Parsing): boolean {
  const found = state.text.slice(state.at, state.at + 2).toUpperCase()
  if (found !== 'AM' && found !== 'PM') return false
  state.afternoon = found === 'PM'
  state.at += 2
  return true
}

const weekday = oneOf(weekdays, () => undefined)
const month = oneOf(months, (state, at) => {
  state.month = at
})
const dayOfMonth = number(2, 1, 31, (state, value) => {
  state.day = value
})
const hour = number(2, 0, 23, (state, value) => {
  state.hour = value
  state.halves = false
})
/** Of the clock with twelve hours, which is the only one that a half of the day says something about. */
const hourOfHalf = number(2, 1, 12, (state, value) => {
  state.hour = value % 12
  state.halves = true
})

const readers: Readonly<Record<string, Reader | string>> = {
  a: weekday,
  A: weekday,
  b: month,
  B: month,
  h: month,
  c: '%a %b %e %H:%M:%S %Y',
  C: number(2, 0, 99, (state, value) => {
    state.century = value
  }),
  d: dayOfMonth,
  e: dayOfMonth,
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  H: hour,
  k: hour,
  I: hourOfHalf,
  l: hourOfHalf,
  j: number(3, 1, 366, (state, value) => {
    state.yearDay = value - 1
  }),
  m: number(2, 1, 12, (state, value) => {
    state.month = value - 1
  }),
  M: number(2, 0, 59, (state, value) => {
    state.minute = value
  }),
  n: skipSpace,
  t: skipSpace,
  p: meridiem,
  P: meridiem,
  r: '%I:%M:%S %p',
  R: '%H:%M',
  S: number(2, 0, 61, (state, value) => {
    state.second = value
  }),
  s: number(12, 0, 999_999_999_999, setFromEpoch),
  T: '%H:%M:%S',
  u: number(1, 1, 7, () => undefined),
  U: number(2, 0, 53, () => undefined),
  w: number(1, 0, 6, () => undefined),
  W: number(2, 0, 53, () => undefined),
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  y: number(2, 0, 99, (state, value) => {
    state.year = value < 69 ? 2000 + value : 1900 + value
  }),
  Y: (state) => {
    skipSpace(state)
    const found = /^-?\d{1,4}/.exec(state.text.slice(state.at, state.at + 5))?.[0]
    if (found === undefined) return false
    state.at += found.length
    state.year = Number(found)
    return true
  },
  z: zone,
  Z: zoneName,
  '%': (state) => literal(state, '%'),
}

function setFromEpoch(state: Parsing, seconds: number): void {
  const date = fromSeconds(seconds)
  state.year = date.year
  state.month = date.month
  state.day = date.day
  state.hour = date.hour
  state.minute = date.minute
  state.second = date.second
}

function literal(state: Parsing, character: string): boolean {
  if (state.text.charAt(state.at) !== character) return false
  state.at++
  return true
}

function read(state: Parsing, format: string): boolean {
  for (let at = 0; at < format.length; at++) {
    const character = format.charAt(at)
    if (/\s/.test(character)) skipSpace(state)
    else if (character !== '%') {
      if (!literal(state, character)) return false
    } else {
      at += /[EO]/.test(format.charAt(at + 1)) ? 2 : 1
      const letter = format.charAt(at)
      const reader = Object.hasOwn(readers, letter) ? readers[letter] : undefined
      if (reader === undefined) return false
      if (typeof reader === 'string' ? !read(state, reader) : !reader(state)) return false
    }
  }
  return true
}

/** A date with what the text says after it. */
export interface ReadDate {
  readonly date: BrokenDown
  readonly rest: string
}

/** Reads a date by a C format; `undefined` when the text does not match or anything but white space follows. */
export function parseDate(text: string, format: string): ReadDate | undefined {
  const state: Parsing = {
    text,
    at: 0,
    year: 1970,
    month: 0,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    yearDay: undefined,
    century: undefined,
    halves: false,
    afternoon: false,
  }
  if (!read(state, format)) return undefined
  const rest = text.slice(state.at)
  return rest === '' || /^[ \t-\r]/.test(rest) ? { date: settle(state), rest } : undefined
}

/** The date out of its parts, whichever of them were read. */
function settle(state: Parsing): BrokenDown {
  if (state.century !== undefined) state.year = state.century * 100 + (state.year % 100)
  if (state.halves && state.afternoon) state.hour += 12
  if (state.yearDay !== undefined) {
    const start = daysFromCivil(state.year, 0, 1)
    return fromSeconds((start + state.yearDay) * 86_400 + state.hour * 3600 + state.minute * 60 + state.second)
  }
  return fromSeconds(toSeconds(state))
}
