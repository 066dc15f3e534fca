import { shownZone } from '#src/values/shown-zone.ts'
import { clockAt, momentOf } from '#src/values/zone-clock.ts'

/** A time as a field for date and time has it: in the zone in which times are shown, to the minute. */
export function localTime(iso: string): string {
  return clockAt(Date.parse(iso), shownZone()).slice(0, 16).replace(' ', 'T')
}

/** The time that a field for date and time has. */
export function timeOfLocal(local: string): string {
  return new Date(momentOf(local, shownZone())).toISOString()
}
