interface Price {
  readonly amount: number
  readonly currency: string
  readonly interval: 'month' | 'year'
}

interface Period {
  readonly price: { readonly amount: number; readonly currency: string } | null
  readonly interval: 'month' | 'year' | null
  readonly state: string
  readonly currentPeriodStart: string
  readonly currentPeriodEnd: string | null
}

/**
 * What a change now costs, net in the minor unit: the new price for the remaining time less the unused part of the old one; negative when a credit is left.
 * Undefined where it cannot be said in advance. The server calculates again, to the second.
 */
export function prorationOf(
  next: Price,
  { price, interval, state, currentPeriodStart, currentPeriodEnd }: Period,
  now: number,
): number | undefined {
  if (state === 'trialing') return 0
  if (price === null || currentPeriodEnd === null || price.currency !== next.currency) return undefined
  const from = Date.parse(currentPeriodStart)
  const until = Date.parse(currentPeriodEnd)
  const rest = Math.min(1, Math.max(0, (until - now) / (until - from)))
  // A change between month and year begins a new period, which is paid whole.
  const wanted = interval === next.interval ? next.amount * rest : next.amount
  return Math.round(wanted - price.amount * rest)
}
