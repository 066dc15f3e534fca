/** How often a schedule by the clock is due; `own` is any cron expression. */
export const repeats = ['workdays', 'daily', 'weekly', 'monthly', 'hourly', 'quarterly', 'own'] as const
export type Repeat = (typeof repeats)[number]

/** The names of the days of the week in cron expressions. */
export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const

/** A cron expression as a person fills it in. */
export interface ClockFields {
  readonly repeat: Repeat
  /** Of the clock, as 08:30. */
  readonly time: string
  /** Names of days, of a weekly schedule. */
  readonly days: readonly string[]
  /** Of the month, of a monthly schedule. */
  readonly date: string
}

const fresh = { time: '09:00', days: ['MON'], date: '1' } as const

/** The fields of a cron expression; `own` for one that they cannot show. */
export function clockOf(cron: string): ClockFields {
  if (cron === '0 * * * *') return { ...fresh, repeat: 'hourly' }
  if (cron === '*/15 * * * *') return { ...fresh, repeat: 'quarterly' }
  const [, minute = '', hour = '', date = '', named = ''] = /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|[A-Z,-]+)$/.exec(cron) ?? []
  const found = { ...fresh, time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` }
  const given = ((): ClockFields => {
    if (named === 'MON-FRI') return { ...found, repeat: 'workdays' }
    if (named !== '*') return { ...found, repeat: 'weekly', days: named.split(',') }
    return date === '*' ? { ...found, repeat: 'daily' } : { ...found, repeat: 'monthly', date }
  })()
  // Only what becomes the same expression again is shown by the fields.
  return cronOf(given, cron) === cron && hour !== '' ? given : { ...fresh, repeat: 'own' }
}

/** The cron expression of the fields; of `own`, that which was written. Undefined while a field is missing. */
export function cronOf({ repeat, time, days, date }: ClockFields, written: string): string | undefined {
  if (repeat === 'own') return written
  if (repeat === 'hourly') return '0 * * * *'
  if (repeat === 'quarterly') return '*/15 * * * *'
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(time) ?? []
  if (hour === undefined) return undefined
  const at = `${Number(minute)} ${Number(hour)}`
  if (repeat === 'workdays') return `${at} * * MON-FRI`
  if (repeat === 'daily') return `${at} * * *`
  if (repeat === 'monthly') return /^\d{1,2}$/.test(date) ? `${at} ${Number(date)} * *` : undefined
  const chosen = weekdays.filter((day) => days.includes(day))
  return chosen.length === 0 ? undefined : `${at} * * ${chosen.join(',')}`
}
