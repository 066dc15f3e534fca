import { share } from './money.ts'
import { monthsAfter, type Term } from './period.ts'

/** A price that was paid, or is to be paid, for a period. */
export interface PricedPeriod {
  readonly price: bigint
  readonly start: Date
  readonly end: Date
}

export interface Proration {
  /** Net amount for the unused part of the old plan; not negative. */
  readonly unused: bigint
  /** Net amount of the new plan. */
  readonly charge: bigint
  readonly period: { readonly start: Date; readonly end: Date }
}

/**
 * A change of plan at a time within a period, to the second. With the same term the period stays, and the new plan costs its share of the
 * remaining seconds. With another term a new period begins now and is paid whole. Each amount is rounded to the nearest minor unit, a half
 * away from zero.
 */
export function prorate(
  old: PricedPeriod,
  wanted: { readonly price: bigint; readonly term: Term; readonly sameTerm: boolean },
  now: Date,
): Proration {
  const whole = secondsBetween(old.start, old.end)
  const elapsed = secondsBetween(old.start, now)
  const rest = elapsed >= whole ? 0n : elapsed <= 0n ? whole : whole - elapsed
  const unused = whole === 0n ? 0n : share(old.price, rest, whole)
  if (wanted.sameTerm) {
    const charge = whole === 0n ? 0n : share(wanted.price, rest, whole)
    return { unused, charge, period: { start: old.start, end: old.end } }
  }
  return { unused, charge: wanted.price, period: { start: now, end: monthsAfter(now, wanted.term === 'year' ? 12 : 1) } }
}

/** Whole seconds; a part of a second counts for the earlier one. */
function secondsBetween(from: Date, to: Date): bigint {
  return BigInt(Math.floor(to.getTime() / 1000) - Math.floor(from.getTime() / 1000))
}
