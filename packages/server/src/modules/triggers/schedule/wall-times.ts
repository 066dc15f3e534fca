import { Cron } from 'croner'
import { LRUCache } from 'lru-cache'
import { RRuleTemporal } from 'rrule-temporal'
import type { WallTimes } from './zoned-times.ts'

/** A schedule that cannot be used; the message continues "The schedule …". */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError'
}

/** Times of a cron expression of five or six fields. */
export function cronTimes(expression: string): WallTimes {
  const fields = expression.trim().split(/\s+/)
  const isAlias = fields.length === 1 && expression.startsWith('@')
  if (!isAlias && fields.length !== 5 && fields.length !== 6)
    throw new ScheduleError(
      `needs five or six fields (minute hour day month weekday, with seconds before them if there are six), not ${fields.length}`,
    )
  const cron = parseCron(expression)
  const hours = fields.length === 6 ? fields[2] : fields[1]
  return {
    isHourly: isAlias ? expression.trim().toLowerCase() === '@hourly' : hours === '*' || hours === '*/1',
    next: (local) => cron.nextRun(new Date(local))?.getTime(),
  }
}

function parseCron(expression: string): Cron {
  try {
    return new Cron(expression, { timezone: 'UTC', paused: true, mode: '5-or-6-parts' })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : String(cause)
    throw new ScheduleError(`is not a cron expression: ${reason}`, { cause })
  }
}

const ruleCharactersMax = 500
const countMax = 1_000
/** Periods that are searched for the next time: enough for a rule that matches once in 28 years, and a tenth of a second at most. */
const periodsMax = 5_000
const candidatesMax = 50_000
const timesPerPeriodMax = 2_000
const dayMs = 24 * 60 * 60 * 1000

/** Times of a recurrence rule of RFC 5545, from `start` on (local, such as `2026-01-31T09:00:00`). */
export function ruleTimes(rule: string, start: string, toInstant: (local: number) => number): WallTimes {
  const parts = partsOf(rule)
  const until = readUntil(parts.get('UNTIL'), toInstant)
  const rest = [...parts].filter(([name]) => name !== 'UNTIL').map(([name, value]) => `${name}=${value}`)
  const dtstart = start.replaceAll(/[-:]/g, '').replace(/\.\d+$/, '')
  const times = parseRule(`DTSTART:${dtstart}Z\nRRULE:${rest.join(';')}`)
  const frequency = parts.get('FREQ')
  const spanMs = parts.has('COUNT') ? Number.POSITIVE_INFINITY : timesPerPeriod(parts) >= denseTimes ? dayMs : 0
  return {
    isHourly:
      (frequency === 'HOURLY' || frequency === 'MINUTELY') &&
      !parts.has('BYHOUR') &&
      (frequency === 'MINUTELY' || (parts.get('INTERVAL') ?? '1') === '1'),
    next(local) {
      const found = nextOf(times, local, spanMs)
      return found !== undefined && until(found) ? found : undefined
    },
  }
}

/** Times of a rule that were made together, in order: all from `from` until before `to`, in local time. */
interface Span {
  readonly from: number
  readonly to: number
  readonly times: Float64Array
}

/** Rules with so many times in a period make those of a day together. */
const denseTimes = 8
/** Each has at most 1,440 times. */
const spans = new LRUCache<RRuleTemporal, Span>({ max: 1_000 })

/**
 * The first time after `local`. To find one, the library makes all times of a period, and of a rule with a COUNT all since its start: such times are
 * made once.
 * @param spanMs how far to make times; 0 to make one.
 */
function nextOf(rule: RRuleTemporal, local: number, spanMs: number): number | undefined {
  try {
    const span = spanMs === 0 ? undefined : spanFrom(rule, local, spanMs)
    const found = span?.times.find((time) => time > local)
    if (found !== undefined || span?.to === Number.POSITIVE_INFINITY) return found
    return rule.next(new Date(local), false)?.epochMilliseconds
  } catch {
    // The library ends a search of too many periods by an error: the rule is not due in the time that any schedule is made for.
    return undefined
  }
}

function spanFrom(rule: RRuleTemporal, local: number, spanMs: number): Span {
  const known = spans.get(rule)
  if (known !== undefined && known.from <= local && local < known.to) return known
  const span =
    spanMs === Number.POSITIVE_INFINITY
      ? wholeSpan(rule)
      : { from: local, to: local + spanMs, times: timesBetween(rule, local, local + spanMs) }
  spans.set(rule, span)
  return span
}

function timesBetween(rule: RRuleTemporal, from: number, to: number): Float64Array {
  return Float64Array.from(rule.between(new Date(from), new Date(to), true), ({ epochMilliseconds }) => epochMilliseconds)
}

/** Those that the library finds before it ends its search. */
function wholeSpan(rule: RRuleTemporal): Span {
  const times: number[] = []
  try {
    rule.all(({ epochMilliseconds }) => {
      times.push(epochMilliseconds)
      return true
    })
  } catch {
    // As in nextOf.
  }
  return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, times: Float64Array.from(times) }
}

function partsOf(rule: string): ReadonlyMap<string, string> {
  if (rule.length > ruleCharactersMax) throw new ScheduleError(`has a rule of more than ${ruleCharactersMax} characters`)
  const parts = new Map<string, string>()
  for (const part of rule
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')) {
    const match = /^([A-Z]+)=([A-Z0-9,+-]+)$/.exec(part)
    const [, name = '', value = ''] = match ?? []
    if (match === null || !partNames.has(name)) throw new ScheduleError(`has the unknown part "${part}" in its rule`)
    if (parts.has(name)) throw new ScheduleError(`has ${name} twice in its rule`)
    parts.set(name, value)
  }
  const frequency = parts.get('FREQ')
  if (frequency === undefined) throw new ScheduleError('has no FREQ in its rule')
  if (!frequencies.has(frequency)) throw new ScheduleError(`has FREQ=${frequency}; use YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY or MINUTELY`)
  for (const [name, [min, max]] of ranges)
    if (
      parts
        .get(name)
        ?.split(',')
        .some((value) => !/^\d+$/.test(value) || Number(value) < min || Number(value) > max) === true
    )
      throw new ScheduleError(`has a ${name} outside of ${min} to ${max} in its rule`)
  if (!(Number(parts.get('COUNT') ?? 1) <= countMax)) throw new ScheduleError(`has a COUNT above ${countMax}; use UNTIL`)
  if (parts.has('COUNT') && parts.has('UNTIL')) throw new ScheduleError('has both COUNT and UNTIL in its rule')
  if (timesPerPeriod(parts) > timesPerPeriodMax)
    throw new ScheduleError(`has more than ${timesPerPeriodMax} times in one period of its rule; use a shorter FREQ, such as DAILY`)
  return parts
}

/** Times that one period of a rule has at most; the library makes all of them to find the next one. */
function timesPerPeriod(parts: ReadonlyMap<string, string>): number {
  const count = (name: string) => parts.get(name)?.split(',').length
  const months = count('BYMONTH')
  const weekdays = count('BYDAY')
  const days: Readonly<Record<string, number | undefined>> = {
    YEARLY:
      count('BYYEARDAY') ??
      (parts.has('BYMONTHDAY') ? (months ?? 12) * (count('BYMONTHDAY') ?? 1) : undefined) ??
      (weekdays === undefined ? (count('BYWEEKNO') ?? months) : Math.min(366, weekdays * 53)),
    MONTHLY: count('BYMONTHDAY') ?? (weekdays === undefined ? 1 : Math.min(31, weekdays * 5)),
    WEEKLY: weekdays,
  }
  return (days[parts.get('FREQ') ?? ''] ?? 1) * (count('BYHOUR') ?? 1) * (count('BYMINUTE') ?? 1)
}

const partNames: ReadonlySet<string> = new Set(
  'FREQ INTERVAL COUNT UNTIL BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST'.split(' '),
)
const frequencies: ReadonlySet<string> = new Set(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY'])

const ranges: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['INTERVAL', [1, 10_000]],
  ['BYHOUR', [0, 23]],
  ['BYMINUTE', [0, 59]],
])

/** Whether a local time is not after UNTIL, which is a date, a local time, or with a `Z` an instant. */
function readUntil(text: string | undefined, toInstant: (local: number) => number): (local: number) => boolean {
  if (text === undefined) return () => true
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text)
  const [, year, month, day, hour = '', minute = '', second = '', utc = ''] = match ?? []
  const limit = match === null ? Number.NaN : Date.parse(`${year}-${month}-${day}T${hour || '00'}:${minute || '00'}:${second || '00'}Z`)
  if (Number.isNaN(limit)) throw new ScheduleError(`has the UNTIL "${text}", which is not a date such as 20271231 or 20271231T235959Z`)
  if (hour === '') return (local) => local < limit + dayMs
  return utc === 'Z' ? (local) => toInstant(local) <= limit : (local) => local <= limit
}

function parseRule(rruleString: string): RRuleTemporal {
  try {
    return new RRuleTemporal({ rruleString, maxIterations: periodsMax, maxCandidateEvaluations: candidatesMax, strict: true, cache: false })
  } catch (cause) {
    throw new ScheduleError(`is not a recurrence rule: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
