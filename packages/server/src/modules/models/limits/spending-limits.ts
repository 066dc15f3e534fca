import { amountOf } from '#modules/models/micros.ts'

/** Cost in millionths of the currency of the prices, and tokens, sent and returned. */
export interface Spending {
  readonly costMicros: number
  readonly tokens: number
}

/** The most that may be used in a period; undefined for no limit. */
export interface PeriodLimit {
  readonly costMicros: number | undefined
  readonly tokens: number | undefined
}

/** What an account lets its models cost, by the choice of its administrators. */
export interface SpendingLimits {
  readonly month: PeriodLimit
  readonly day: PeriodLimit
  /** Percent of a limit at which administrators are notified. */
  readonly warnPercent: number
  /** Of the prices, as ISO 4217; undefined if the account does not say. */
  readonly currency: string | undefined
}

/** What an account has used of all models. */
export interface SpendingNow {
  readonly month: Spending
  readonly day: Spending
  /** What the models of the installation cost on the day. */
  readonly installationCostMicros: number
}

export type LimitPeriod = 'month' | 'day'
export const limitPeriods = ['month', 'day'] as const satisfies readonly LimitPeriod[]
export const spendingUnits = ['costMicros', 'tokens'] as const satisfies readonly (keyof Spending)[]

export const warnPercentDefault = 80
export const noLimits: SpendingLimits = {
  month: { costMicros: undefined, tokens: undefined },
  day: { costMicros: undefined, tokens: undefined },
  warnPercent: warnPercentDefault,
  currency: undefined,
}

export const isLimited = (limits: SpendingLimits): boolean =>
  limitPeriods.some((period) => spendingUnits.some((unit) => limits[period][unit] !== undefined))

interface Bounds {
  readonly start: Date
  readonly end: Date
}

/** The calendar month and the day (UTC) of a time. */
export function periodsAt(atMs: number): Readonly<Record<LimitPeriod, Bounds>> {
  const at = new Date(atMs)
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return {
    month: { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) },
    day: { start: new Date(Date.UTC(year, month, day)), end: new Date(Date.UTC(year, month, day + 1)) },
  }
}

/** As `2026-01-31`. */
export const dateOf = (at: Date): string => at.toISOString().slice(0, 10)

/** A limit of which a share is used. */
export interface ReachedLimit {
  readonly period: LimitPeriod
  readonly unit: keyof Spending
  readonly limit: number
  readonly used: number
}

/** The limits of which at least `percent` are used, those of the month first. */
export function reachedLimits(limits: SpendingLimits, used: Pick<SpendingNow, LimitPeriod>, percent: number): readonly ReachedLimit[] {
  return limitPeriods.flatMap((period) =>
    spendingUnits.flatMap((unit) => {
      const limit = limits[period][unit]
      const amount = used[period][unit]
      return limit !== undefined && amount * 100 >= limit * percent ? [{ period, unit, limit, used: amount }] : []
    }),
  )
}

export const plus = (one: Spending, other: Spending): Spending => ({
  costMicros: one.costMicros + other.costMicros,
  tokens: one.tokens + other.tokens,
})

const dayMs = 24 * 60 * 60 * 1000

/** What the month of a time will have used if it continues as it was; undefined on its first day. */
export function forecastAt(atMs: number, { costMicros, tokens }: Spending): Spending | undefined {
  const { start, end } = periodsAt(atMs).month
  const passed = atMs - start.getTime()
  if (passed < dayMs) return undefined
  const factor = (end.getTime() - start.getTime()) / passed
  return { costMicros: Math.round(costMicros * factor), tokens: Math.round(tokens * factor) }
}

/** An amount for a sentence, such as `12.50 EUR` and `4000 tokens`. */
export function amountText(unit: keyof Spending, amount: number, currency: string | undefined): string {
  if (unit === 'tokens') return `${amount} tokens`
  const cost = amountOf(amount)
  const units = cost === 0 || cost >= 1 ? cost.toFixed(2) : cost.toPrecision(2)
  return currency === undefined ? units : `${units} ${currency}`
}
