import { Fault } from '@millrace/contract'
import { durationMs, isTimeZone } from '@millrace/dsl'
import type { ScheduleSettings } from './model.ts'
import type { MissedPolicy, OverlapPolicy, ScheduleSpec } from './schedule/schedule-spec.ts'

/** A schedule as a request gives it. */
export interface GivenSchedule {
  readonly cron?: string | undefined
  readonly every?: string | undefined
  readonly after?: string | undefined
  readonly from?: string | undefined
  readonly rrule?: string | undefined
  readonly start?: string | undefined
  readonly at?: string | undefined
  readonly timeZone: string
  readonly missed: MissedPolicy
  readonly missedMax: number
  readonly overlap: OverlapPolicy
}

/** A schedule that was checked, with its next due time. */
export interface ReadSchedule {
  readonly settings: ScheduleSettings
  readonly next: (after: number) => number | undefined
}

const intervalMsMin = 1_000
const intervalMsMax = 366 * 24 * 60 * 60 * 1000
const kinds = ['cron', 'every', 'after', 'rrule', 'at'] as const

/** Reads a schedule. Fault `schedule_invalid` with a pointer for one that cannot be used or is never due. */
export async function readSchedule(given: GivenSchedule, nowMs: number, pointer = '/schedule'): Promise<ReadSchedule> {
  const { dueTimesOf } = await import('./schedule/due-times.ts')
  const named = kinds.filter((kind) => given[kind] !== undefined)
  const [kind] = named
  if (kind === undefined || named.length > 1) throw invalid(pointer, 'Must have exactly one of cron, every, after, rrule and at.')
  if (!isTimeZone(given.timeZone))
    throw invalid(`${pointer}/timeZone`, `"${given.timeZone}" is not a name of the IANA time zone database, such as Europe/Berlin.`)
  if (kind !== 'rrule' && given.start !== undefined) throw invalid(`${pointer}/start`, 'Belongs to rrule.')
  if (kind !== 'every' && given.from !== undefined) throw invalid(`${pointer}/from`, 'Belongs to every.')
  const spec = specOf(given, nowMs, pointer)
  const settings: ScheduleSettings = { spec, missed: given.missed, missedMax: given.missedMax, overlap: given.overlap }
  try {
    const next = dueTimesOf(spec)
    if (next(nowMs - 1) === undefined) throw invalid(`${pointer}/${kind}`, kind === 'at' ? 'Is in the past.' : 'Is never due from now on.')
    return { settings, next }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ScheduleError') throw error
    throw invalid(`${pointer}/${kind}`, `The schedule ${error.message}.`, error)
  }
}

function specOf(given: GivenSchedule, nowMs: number, pointer: string): ScheduleSpec {
  const { cron, every, after, from, rrule, start, at, timeZone } = given
  if (cron !== undefined) return { kind: 'cron', expression: cron, timeZone }
  if (at !== undefined) return { kind: 'date', at, timeZone }
  if (rrule !== undefined) {
    if (start === undefined) throw invalid(`${pointer}/start`, 'Is required with rrule, such as 2026-01-31T09:00:00.')
    if (!/^(?:19[7-9]\d|2[01]\d\d)-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(start) || Number.isNaN(Date.parse(`${start}Z`)))
      throw invalid(`${pointer}/start`, 'Must be a local time such as 2026-01-31T09:00:00.')
    return { kind: 'rrule', rule: rrule, start, timeZone }
  }
  if (after !== undefined) return { kind: 'after', afterMs: intervalMs(after, `${pointer}/after`) }
  const everyMs = intervalMs(every ?? '', `${pointer}/every`)
  return { kind: 'interval', everyMs, fromMs: from === undefined ? Math.floor(nowMs / 1000) * 1000 + everyMs : Date.parse(from) }
}

function intervalMs(text: string, pointer: string): number {
  const ms = durationMs(text) ?? Number.NaN
  if (!(ms >= intervalMsMin && ms <= intervalMsMax)) throw invalid(pointer, 'Must be from PT1S to P366D.')
  return ms
}

function invalid(pointer: string, detail: string, cause?: Error): Fault {
  return new Fault('schedule_invalid', { errors: [{ pointer, detail }], ...(cause === undefined ? {} : { cause }) })
}
