import { grow, scan, workOfRun, type Machine } from '#src/compile/machine.ts'
import { fromSeconds, toSeconds, type BrokenDown } from '#src/dates/calendar.ts'
import { formatDate } from '#src/dates/strftime.ts'
import { parseDate } from '#src/dates/strptime.ts'
import { JqError } from '#src/errors.ts'
import { raise } from '#src/values/describe.ts'
import { isArray, isNumeric, toNumber, type Value } from '#src/values/value.ts'
import { value, type NativeTable } from './native.ts'

/** A broken down time is an array of year, month, day, hours, minutes, seconds, weekday and day of the year. */
function toValue(date: BrokenDown): readonly Value[] {
  return [date.year, date.month, date.day, date.hour, date.minute, date.second, date.weekday, date.yearDay]
}

function fromValue(input: Value, complaint: string): BrokenDown {
  if (!isArray(input)) return raise(complaint)
  const parts = input
    .slice(0, 8)
    .map((part) => (isNumeric(part) && !Number.isNaN(toNumber(part)) ? Math.trunc(toNumber(part)) : raise(complaint)))
  const [year = 1900, month = 0, day = 0, hour = 0, minute = 0, second = 0, weekday = 0, yearDay = 0] = parts
  const given: BrokenDown = { year, month, day, hour, minute, second, weekday, yearDay }
  const seconds = toSeconds(given)
  // The C library normalises parts that are out of their range, unless the year does not fit.
  return Math.abs(seconds) <= secondsMax ? fromSeconds(seconds) : given
}

/** The furthest second that the calendar is asked for, about the year 285 million. */
const secondsMax = 9e15

/** The cost of a conversion between seconds and a date. */
const calendarSteps = 2

function gmtime(name: string, input: Value): BrokenDown {
  workOfRun(calendarSteps)
  if (!isNumeric(input)) return raise(`${name}() requires numeric inputs`)
  const seconds = toNumber(input)
  // C turns NaN into the epoch and then adds the fraction of the seconds, which is NaN again.
  if (Number.isNaN(seconds)) return { ...fromSeconds(0), second: seconds }
  if (!(Math.abs(seconds) <= secondsMax)) return raise(`${name}() cannot represent this number as a date`)
  return fromSeconds(seconds)
}

function mktime(input: Value): Value {
  if (!isArray(input)) return raise('mktime requires array inputs')
  workOfRun(calendarSteps)
  const seconds = toSeconds(fromValue(input, 'mktime requires parsed datetime inputs'))
  // The C library returns the same value for this moment as for a failure.
  return seconds === -1 ? raise('invalid gmtime representation') : seconds
}

/** The bound of a letter of a format, in characters and in time. */
const conversionSize = 24

/** The name in C of the zone of a date in UTC, and of the local zone if that is UTC. */
type ZoneName = 'GMT' | 'UTC'

function strftime(machine: Machine, name: string, zone: ZoneName, input: Value, format: Value): Value {
  const complaint = `${name} requires parsed datetime inputs`
  if (!isNumeric(input) && !isArray(input)) return raise(complaint)
  const moment = isNumeric(input) ? gmtime('gmtime', input) : undefined
  if (typeof format !== 'string') return raise(`${name} requires a string format`)
  const date = moment ?? fromValue(input, complaint)
  if (Number.isNaN(date.second)) return raise(complaint)
  grow(machine, format.length * conversionSize)
  return formatDate(date, format, zone)
}

function strptime(machine: Machine, input: Value, format: Value): Value {
  if (typeof input !== 'string' || typeof format !== 'string') return raise('strptime/1 requires string inputs and arguments')
  scan(machine, (input.length + format.length) * conversionSize)
  const found = parseDate(input, format)
  if (found === undefined) throw new JqError(`date "${input}" does not match format "${format}"`)
  // The rest after the date is one more element if it begins with white space.
  return found.rest === '' ? toValue(found.date) : [...toValue(found.date), found.rest]
}

/** Dates in UTC. `localtime` and its like take UTC for the local zone, so that a program gives the same everywhere. */
export const dateNatives: NativeTable = {
  'gmtime/0': value((_machine, input) => toValue(gmtime('gmtime', input))),
  'localtime/0': value((_machine, input) => toValue(gmtime('localtime', input))),
  'mktime/0': value((_machine, input) => mktime(input)),
  'strftime/1': value((machine, input, format) => strftime(machine, 'strftime/1', 'GMT', input, format)),
  'strflocaltime/1': value((machine, input, format) => strftime(machine, 'strflocaltime/1', 'UTC', input, format)),
  'strptime/1': value((machine, input, format) => strptime(machine, input, format)),
  'now/0': value((machine) => (machine.now === undefined ? raise('now needs a clock') : machine.now() / 1000)),
}
