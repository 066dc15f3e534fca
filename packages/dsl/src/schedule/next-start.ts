import type { Cron } from '#src/shape/cron.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import { scheduleOf } from './schedule-of.ts'
import { offsetIn } from './time-zone.ts'

/** When `schedule.cron` of a definition starts it. */
export interface CronStart {
  readonly cron: string
  /** A name of the IANA database: `document.metadata.timeZone`, else UTC. */
  readonly timeZone: string
  /** The next start after now, RFC 3339. */
  readonly nextAt: string
}

/** The next start by `schedule.cron` of a valid definition, if it has one. */
export function cronStartOf(definition: Pick<Definition, 'document' | 'schedule'>, nowMs: number): CronStart | undefined {
  for (const trigger of scheduleOf(definition)) {
    if (trigger.kind !== 'cron') continue
    const { cron, expression, timeZone } = trigger
    const next = timeZone === 'UTC' ? nextShown(cron, nowMs) : nextInZone(cron, { timeZone, isHourly: isOfEveryHour(expression) }, nowMs)
    if (next !== undefined) return { cron: expression, timeZone, nextAt: new Date(next).toISOString().replace('.000Z', 'Z') }
  }
  return undefined
}

const dayMs = 86_400_000
/** A 29 February on a given weekday may be 40 years away. */
const daysMax = 41 * 366

/** The first time of a cron expression that a clock shows after another one: both as milliseconds since the epoch, as if the clock were in UTC. */
function nextShown({ minutes, hours, daysOfMonth, months, daysOfWeek, days }: Cron, afterMs: number): number | undefined {
  const today = Math.floor(afterMs / dayMs) * dayMs
  for (let n = 0; n <= daysMax; n++) {
    const day = new Date(today + n * dayMs)
    if (!months.includes(day.getUTCMonth() + 1)) continue
    const [ofMonth, ofWeek] = [daysOfMonth.includes(day.getUTCDate()), daysOfWeek.includes(day.getUTCDay())]
    if (days === 'both' ? !(ofMonth && ofWeek) : !(ofMonth || ofWeek)) continue
    for (const hour of hours)
      for (const minute of minutes) {
        const time = day.getTime() + (hour * 60 + minute) * 60_000
        if (time > afterMs) return time
      }
  }
  return undefined
}

/** Clocks are set by no more than this, except where a whole day was left out. */
const shiftMsMax = 3 * 3_600_000

interface CronZone {
  readonly timeZone: string
  /** Whether times that are repeated when the clock is set back are due twice. */
  readonly isHourly: boolean
}

/** The first instant after another one at which a clock in a zone shows a time of a cron expression, by the policy of triggers for daylight saving. */
function nextInZone(cron: Cron, { timeZone, isHourly }: CronZone, afterMs: number): number | undefined {
  const offsetAt = offsetIn(timeZone)
  let found: number | undefined
  let shown = nextShown(cron, afterMs + offsetAt(afterMs) - shiftMsMax)
  // What a clock shows later may be earlier where the clock is set back.
  while (shown !== undefined && (found === undefined || shown <= found + offsetAt(found) + shiftMsMax)) {
    for (const instant of instantsOf(shown, offsetAt, isHourly)) if (instant > afterMs && instant < (found ?? Infinity)) found = instant
    shown = nextShown(cron, shown)
  }
  return found
}

/** Whether the field of hours says every hour. */
function isOfEveryHour(expression: string): boolean {
  const [minute = '', hour] = expression.trim().split(/\s+/)
  return minute === '@hourly' || hour === '*' || hour === '*/1'
}

/** The instants at which what a clock shows is due: one, two in an hour that is repeated if times of every hour are, and the end of a gap that skips it. */
function instantsOf(shown: number, offsetAt: (instantMs: number) => number, hourly: boolean): readonly number[] {
  const [before, after] = [offsetAt(shown - dayMs), offsetAt(shown + dayMs)]
  const instants = [...new Set([before, after])].map((offset) => shown - offset).filter((instant) => instant + offsetAt(instant) === shown)
  if (instants.length === 0) return [endOfGap(shown - after, shown - before, offsetAt)]
  return hourly ? instants : [Math.min(...instants)]
}

/** The instant at which a clock is set forward: after `low`, and `high` at the latest. */
function endOfGap(low: number, high: number, offsetAt: (instantMs: number) => number): number {
  const later = offsetAt(high)
  while (high - low > 1_000) {
    const middle = low + Math.floor((high - low) / 2_000) * 1_000
    if (offsetAt(middle) === later) high = middle
    else low = middle
  }
  return high
}
