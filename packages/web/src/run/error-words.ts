import type { TimelineEntry } from '#src/run/use-run.ts'
import { ownOrder } from '#src/values/format.ts'

/** Errors of the definition itself: their status is always the same, and says nothing to a person. */
const withoutStatus = /\/errors\/(?:configuration|validation|expression|timeout|runtime)$/

/** An error in a few words: its title, after the status of the service that gave it. */
export function errorWords({ type, status, title = '' }: Pick<NonNullable<TimelineEntry['error']>, 'type' | 'status' | 'title'>): string {
  if (title === '') return String(status)
  return ownOrder(withoutStatus.test(type) ? title : `${status} ${title}`)
}
