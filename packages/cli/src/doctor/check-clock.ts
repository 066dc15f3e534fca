import { formatDuration } from '#terminal/duration.ts'
import { fail, type Finding, ok, warn } from './check.ts'

const name = 'Clock'

/** This release did not exist before; a clock that says so has not been set. */
const earliestMs = Date.UTC(2026, 0, 1)
const driftMsMax = 5_000

/** @param databaseMs the time of the database at the same moment; undefined when it could not be asked. */
export function checkClock(nowMs: number, databaseMs: number | undefined): Finding {
  const now = new Date(nowMs).toISOString()
  const remedy = 'Let the system set its clock by NTP (timedatectl set-ntp true).'
  if (nowMs < earliestMs) return fail(name, `shows ${now}, which is in the past; tokens and timers would not work.`, remedy)
  if (databaseMs === undefined) return ok(name, now)
  const driftMs = Math.abs(nowMs - databaseMs)
  if (driftMs <= driftMsMax) return ok(name, `${now}, as the database's`)
  return warn(name, `${now}, ${formatDuration(driftMs)} from that of the database.`, `${remedy} Do so on both machines.`)
}
