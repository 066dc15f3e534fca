import type { Cron } from '#src/shape/cron.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import { scheduleOf } from './schedule-of.ts'

/** When `schedule.cron` of a definition starts it. */
export interface CronStart {
  readonly cron: string
  /** Cron expressions of definitions are in UTC; triggers can have other zones. */
  readonly timeZone: 'UTC'
  /** The next start after now, RFC 3339. */
  readonly nextAt: string
}

/** The next start by `schedule.cron` of a valid definition, if it has one. */
export function cronStartOf(definition: Pick<Definition, 'schedule'>, nowMs: number): CronStart | undefined {
  for (const trigger of scheduleOf(definition)) {
    const next = trigger.kind === 'cron' ? nextCronTime(trigger.cron, nowMs) : undefined
    if (trigger.kind === 'cron' && next !== undefined)
      return { cron: trigger.expression, timeZone: 'UTC', nextAt: new Date(next).toISOString().replace('.000Z', 'Z') }
  }
  return undefined
}

const dayMs = 86_400_000
/** A 29 February on a given weekday may be 40 years away. */
const daysMax = 41 * 366

/** The first time of a cron expression after an instant, in UTC. */
function nextCronTime({ minutes, hours, daysOfMonth, months, daysOfWeek, days }: Cron, afterMs: number): number | undefined {
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
