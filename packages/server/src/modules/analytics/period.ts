import { Fault } from '@millrace/contract'
import { Temporal } from 'temporal-polyfill'

export type Interval = 'hour' | 'day' | 'week' | 'month'

export interface PeriodRequest {
  readonly from: Date | undefined
  readonly to: Date | undefined
  readonly zone: string
  readonly interval: Interval | undefined
  readonly nowMs: number
}

/** A period of time with its buckets. Times are milliseconds since the epoch, multiples of 15 minutes. */
export interface Period {
  readonly from: number
  readonly to: number
  readonly interval: Interval
  /** Starts of the buckets; each ends where the next one starts, the last one at `to`. */
  readonly starts: readonly number[]
}

/** A piece of time that is one or several whole parts of a length; `bucket` is the index of the bucket that it belongs to. */
export interface Piece {
  readonly minutes: number
  readonly from: number
  readonly to: number
  readonly bucket: number
}

const minuteMs = 60_000
const quarterMs = 15 * minuteMs
const dayMs = 24 * 60 * minuteMs
const daysDefault = 30
const daysMax = 1_100
const bucketsMax = 1_000

/**
 * The period of a request: its bounds are moved outwards to the next quarter of an hour. Without bounds it is the last 30 days, and begins with a
 * local day. Fault `request_invalid` for an unknown zone, or a period that is empty, too long, or has too many buckets.
 */
export function periodOf({ from, to, zone, interval: wanted, nowMs }: PeriodRequest): Period {
  const end = Math.ceil((to?.getTime() ?? nowMs) / quarterMs) * quarterMs
  const start = from === undefined ? localDay(end - daysDefault * dayMs, zone) : Math.floor(from.getTime() / quarterMs) * quarterMs
  // Checks the zone, whatever the bounds.
  localDay(start, zone)
  if (start >= end) throw invalid('/to', 'Must be later than `from`.')
  if (end - start > daysMax * dayMs) throw invalid('/from', `The period may have at most ${daysMax} days.`)
  const interval = wanted ?? intervalFor(end - start)
  return { from: start, to: end, interval, starts: startsOf({ from: start, to: end, zone, interval }) }
}

/** The period of the same length before another one, as one bucket. */
export function periodBefore({ from, to, interval }: Period): Period {
  const start = from - (to - from)
  return { from: start, to: from, interval, starts: [start] }
}

function intervalFor(lengthMs: number): Interval {
  if (lengthMs <= 3 * dayMs) return 'hour'
  if (lengthMs <= 93 * dayMs) return 'day'
  return lengthMs <= 366 * dayMs ? 'week' : 'month'
}

/** The first bucket starts with the period; each other one with an hour, a day, a Monday or a month of the zone. */
function startsOf({ from, to, zone, interval }: Pick<Period, 'from' | 'to' | 'interval'> & { readonly zone: string }): readonly number[] {
  const starts = [from]
  let next = after(floor(Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone), interval), interval)
  while (next.epochMilliseconds < to) {
    if (next.epochMilliseconds > (starts.at(-1) ?? from)) starts.push(next.epochMilliseconds)
    if (starts.length > bucketsMax) throw invalid('/interval', `The period has more than ${bucketsMax} of these. Choose a longer interval.`)
    next = after(next, interval)
  }
  return starts
}

function floor(time: Temporal.ZonedDateTime, interval: Interval): Temporal.ZonedDateTime {
  if (interval === 'hour') return time.round({ smallestUnit: 'hour', roundingMode: 'floor' })
  const day = time.startOfDay()
  if (interval === 'day') return day
  return interval === 'week' ? day.subtract({ days: day.dayOfWeek - 1 }).startOfDay() : day.with({ day: 1 }).startOfDay()
}

function after(time: Temporal.ZonedDateTime, interval: Interval): Temporal.ZonedDateTime {
  if (interval === 'hour') return time.add({ hours: 1 })
  // A day may begin later than at midnight, where a transition skips it.
  const days = interval === 'day' ? { days: 1 } : interval === 'week' ? { weeks: 1 } : { months: 1 }
  return time.toPlainDate().add(days).toZonedDateTime(time.timeZoneId)
}

function localDay(ms: number, zone: string): number {
  try {
    return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).startOfDay().epochMilliseconds
  } catch (cause) {
    throw invalid('/zone', 'Must be the name of an IANA time zone, such as Europe/Berlin.', cause)
  }
}

/** In minutes: 64 days, 16 days, 4 days, a day, an hour, a quarter of an hour. */
const lengths: readonly number[] = [92_160, 23_040, 5760, 1440, 60, 15]

/** Cuts the buckets of a period into as few pieces as the parts of time allow. */
export function piecesOf({ starts, to }: Pick<Period, 'starts' | 'to'>): readonly Piece[] {
  return starts.flatMap((start, bucket) => cut(start, starts[bucket + 1] ?? to, lengths).map((piece) => ({ ...piece, bucket })))
}

function cut(from: number, to: number, [minutes, ...shorter]: readonly number[]): readonly Omit<Piece, 'bucket'>[] {
  if (minutes === undefined || from >= to) return []
  const ms = minutes * minuteMs
  const [first, last] = [Math.ceil(from / ms) * ms, Math.floor(to / ms) * ms]
  if (first >= last) return cut(from, to, shorter)
  return [...cut(from, first, shorter), { minutes, from: first, to: last }, ...cut(last, to, shorter)]
}

function invalid(pointer: string, detail: string, cause?: unknown): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail, in: 'query' }], ...(cause === undefined ? {} : { cause }) })
}
