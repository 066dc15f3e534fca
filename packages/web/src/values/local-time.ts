import { shownZone } from '#src/values/shown-zone.ts'
import { clockAt, momentOf } from '#src/values/zone-clock.ts'

/** A time as a field for date and time has it: in the zone in which times are shown, with its seconds if it has some. */
export function localTime(iso: string): string {
  return withoutZeroSeconds(clockAt(Date.parse(iso), shownZone()).replace(' ', 'T'))
}

/** A local time as a field for date and time has it: `2026-12-01T09:00` for `2026-12-01T09:00:00`. */
export function withoutZeroSeconds(local: string): string {
  return local.replace(/(T\d\d:\d\d):00$/, '$1')
}

/** The time that a field for date and time has. */
export function timeOfLocal(local: string): string {
  return new Date(momentOf(local, shownZone())).toISOString()
}
