import { dayBegin } from '#src/patterns/period.ts'

/** When a period of days up to now begins: one day is 24 hours, and several are today and whole days of the calendar before it. */
export function periodStart(days: number, zone: string, now = new Date()): string {
  return days === 1 ? new Date(now.getTime() - 86_400_000).toISOString() : dayBegin(days - 1, zone, now)
}
