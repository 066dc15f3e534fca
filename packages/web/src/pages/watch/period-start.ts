const dayMs = 86_400_000

/** When a period of days up to now begins: one day is 24 hours, and several are today and whole days of the browser's calendar before it. */
export function periodStart(days: number, now = new Date()): string {
  const start = days === 1 ? new Date(now.getTime() - dayMs) : new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)
  return start.toISOString()
}
