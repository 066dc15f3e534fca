import type { ScheduleSpec } from './schedule-spec.ts'
import { cronTimes, ruleTimes, ScheduleError } from './wall-times.ts'
import { segmentAt } from './zone.ts'
import { nextInZone, type WallTimes } from './zoned-times.ts'

/** The first due time after an instant; undefined when there is no further one. Milliseconds since the epoch. */
export type NextDue = (after: number) => number | undefined

const compiledMax = 20_000
const compiled = new Map<string, NextDue>()

/** Compiles a schedule. Throws ScheduleError for one that cannot be used. Those used last are cached: 10,000 may be due in one minute. */
export function dueTimesOf(spec: ScheduleSpec): NextDue {
  const key = JSON.stringify(spec)
  const known = compiled.get(key)
  if (known !== undefined) return known
  const next = compile(spec)
  const oldest = compiled.size >= compiledMax ? compiled.keys().next().value : undefined
  if (oldest !== undefined) compiled.delete(oldest)
  compiled.set(key, next)
  return next
}

/** The next due times after an instant, `limit` at most. */
export function nextDueTimes(next: NextDue, after: number, limit: number): readonly number[] {
  const times: number[] = []
  let cursor = after
  while (times.length < limit) {
    const time = next(cursor)
    if (time === undefined) break
    times.push(time)
    cursor = time
  }
  return times
}

function compile(spec: ScheduleSpec): NextDue {
  switch (spec.kind) {
    case 'cron':
      return inZone(cronTimes(spec.expression), spec.timeZone)
    case 'rrule':
      return inZone(
        ruleTimes(spec.rule, spec.start, (local) => local - segmentAt(spec.timeZone, local).offsetMs),
        spec.timeZone,
      )
    case 'date':
      return inZone(singleTime(parseLocal(spec.at)), spec.timeZone)
    case 'interval':
      return intervalTimes(spec.everyMs, spec.fromMs)
    case 'after':
      // From when it is enabled. Later times depend on executions: plan-after.ts.
      return (after) => after + spec.afterMs
  }
}

function inZone(times: WallTimes, zone: string): NextDue {
  return (after) => nextInZone(times, zone, after)
}

function singleTime(at: number): WallTimes {
  return { isHourly: false, next: (local) => (local < at ? at : undefined) }
}

function intervalTimes(everyMs: number, fromMs: number): NextDue {
  return (after) => (after < fromMs ? fromMs : fromMs + (Math.floor((after - fromMs) / everyMs) + 1) * everyMs)
}

/** A local time such as `2026-01-31T09:00:00`, as if it were UTC. */
export function parseLocal(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.slice(0, 16)))
    throw new ScheduleError(`has the local time "${text}", which does not exist; write it as 2026-01-31T09:00:00`)
  return time
}
