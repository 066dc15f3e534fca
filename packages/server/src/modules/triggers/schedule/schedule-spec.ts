/** When a schedule is due, as it is stored. */
export type ScheduleSpec =
  | { readonly kind: 'cron'; readonly expression: string; readonly timeZone: string }
  | { readonly kind: 'interval'; readonly everyMs: number; readonly fromMs: number }
  | { readonly kind: 'rrule'; readonly rule: string; readonly start: string; readonly timeZone: string }
  | { readonly kind: 'date'; readonly at: string; readonly timeZone: string }
  /** A time after the end of the execution that it started last. */
  | { readonly kind: 'after'; readonly afterMs: number }

/** What happens to due times that passed while no process ran or while the installation was too slow. */
export type MissedPolicy = 'skip' | 'once' | 'all'
/** What happens at a due time while the previous execution runs. */
export type OverlapPolicy = 'allow' | 'skip' | 'queue' | 'cancel'

/** The zone in which the times of a schedule are shown. */
export function zoneOf(spec: ScheduleSpec): string {
  return 'timeZone' in spec ? spec.timeZone : 'UTC'
}
