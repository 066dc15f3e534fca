import { durationMs } from '#src/duration.ts'
import { type Cron, readCron } from '#src/shape/cron.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import type { Duration } from '#src/shape/data-shapes.ts'
import type { EventConsumptionStrategy, EventReadMode } from '#src/shape/event-shapes.ts'

/** One trigger of a schedule; `pointer` is the JSON Pointer to its property. */
export type ScheduleTrigger =
  /** At a fixed interval. */
  | { readonly kind: 'every'; readonly pointer: string; readonly everyMs: number }
  /** At the times of a cron expression in a time zone. */
  | { readonly kind: 'cron'; readonly pointer: string; readonly expression: string; readonly cron: Cron; readonly timeZone: string }
  /** A time after the end of the previous execution. */
  | { readonly kind: 'after'; readonly pointer: string; readonly afterMs: number }
  /** By events. */
  | { readonly kind: 'on'; readonly pointer: string; readonly strategy: EventConsumptionStrategy; readonly read: EventReadMode }

/** The triggers of a valid definition in this order: `every`, `cron`, `after`, `on`; each at most once. */
export function scheduleOf({ document, schedule = {} }: Pick<Definition, 'document' | 'schedule'>): readonly ScheduleTrigger[] {
  const { every, cron: expression, after, on, read = 'data' } = schedule
  const triggers: ScheduleTrigger[] = []
  if (every !== undefined) triggers.push({ kind: 'every', pointer: '/schedule/every', everyMs: millisecondsOf(every) })
  if (expression !== undefined) {
    const timeZone = document.metadata?.timeZone ?? 'UTC'
    triggers.push({ kind: 'cron', pointer: '/schedule/cron', expression, cron: cronOf(expression), timeZone })
  }
  if (after !== undefined) triggers.push({ kind: 'after', pointer: '/schedule/after', afterMs: millisecondsOf(after) })
  if (on !== undefined) triggers.push({ kind: 'on', pointer: '/schedule/on', strategy: on, read })
  return triggers
}

function millisecondsOf(interval: Duration): number {
  const milliseconds = durationMs(interval)
  if (milliseconds === undefined)
    throw new RangeError(`${JSON.stringify(interval)} is not an interval: the definition has not been validated.`)
  return milliseconds
}

function cronOf(expression: string): Cron {
  const read = readCron(expression)
  if ('code' in read) throw new RangeError(`${read.message} The definition has not been validated.`)
  return read
}
