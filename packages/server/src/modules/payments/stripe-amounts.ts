import type { AmountRule } from './provider.ts'

/** How Stripe writes amounts where it differs from the minor units of ISO 4217 (https://docs.stripe.com/currencies). */
interface Deviation {
  /** Units of Stripe in one of ours. */
  readonly times?: bigint
  /** Units of ours in one of Stripe. */
  readonly per?: bigint
}

/** ISK and UGX have no decimals, and Stripe takes them with two; MGA is the other way round. */
const deviations: Readonly<Record<string, Deviation>> = { ISK: { times: 100n }, UGX: { times: 100n }, MGA: { per: 100n } }

/** Three decimals, of which the last one has to be 0. */
const threeDecimals: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** The least that Stripe charges in a currency in which it also pays out, in our minor units. For others it depends on the exchange rate. */
const least: Readonly<Record<string, bigint>> = {
  AED: 200n,
  AUD: 50n,
  BGN: 100n,
  BRL: 50n,
  CAD: 50n,
  CHF: 50n,
  CZK: 1500n,
  DKK: 250n,
  EUR: 50n,
  GBP: 30n,
  HKD: 400n,
  HUF: 17_500n,
  INR: 50n,
  JPY: 50n,
  MXN: 1000n,
  MYR: 200n,
  NOK: 300n,
  NZD: 50n,
  PLN: 200n,
  RON: 200n,
  SEK: 300n,
  SGD: 50n,
  THB: 1000n,
  USD: 50n,
}

/** What Stripe can charge. */
export function stripeRule(currency: string): AmountRule {
  const step = deviations[currency]?.per ?? (threeDecimals.has(currency) ? 10n : 1n)
  return { step, least: least[currency] ?? step }
}

/** An amount in our minor units as Stripe takes it; undefined for one that it cannot charge. */
export function toStripe(amount: bigint, currency: string): number | undefined {
  const { times = 1n, per = 1n } = deviations[currency] ?? {}
  return amount % stripeRule(currency).step === 0n ? Number((amount * times) / per) : undefined
}

/** An amount of Stripe in our minor units. */
export function fromStripe(amount: number, currency: string): bigint {
  const { times = 1n, per = 1n } = deviations[currency] ?? {}
  return (BigInt(amount) * per) / times
}
