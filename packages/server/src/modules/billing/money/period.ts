export type Term = 'month' | 'year'

/** The anchor of accounts without a subscription: the first of the month in UTC. */
export const calendar = new Date('2020-01-01T00:00:00Z')

/**
 * The `count`th month after an anchor, at the time of day of the anchor in UTC. In a month without the day of the anchor it is the last day:
 * periods from 31 January begin on 28 or 29 February, 31 March, 30 April.
 */
export function monthsAfter(anchor: Date, count: number): Date {
  const year = anchor.getUTCFullYear()
  const month = anchor.getUTCMonth() + count
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const time = anchor.getTime() - Date.UTC(year, anchor.getUTCMonth(), anchor.getUTCDate())
  return new Date(Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + time)
}

/** The end of the period of an anchor that begins at `start`. */
export function periodEnd(anchor: Date, start: Date, term: Term): Date {
  return monthsAfter(anchor, monthsBetween(anchor, start) + (term === 'year' ? 12 : 1))
}

/** The month of an anchor that contains a time: its start and its end, exclusive. */
export function monthAround(anchor: Date, at: Date): { readonly start: Date; readonly end: Date } {
  const count = monthsBetween(anchor, at)
  return { start: monthsAfter(anchor, count), end: monthsAfter(anchor, count + 1) }
}

/** Whole months from the anchor to a time, negative before it. */
function monthsBetween(anchor: Date, at: Date): number {
  const estimate = (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth()
  return monthsAfter(anchor, estimate) <= at ? estimate : estimate - 1
}
