import { boot } from '#src/boot.ts'

const locale = boot.locale === 'ar' ? 'ar-u-nu-latn' : 'en-GB'
const smallBelow = 0.1
const small = { maximumSignificantDigits: 2 } as const
const whole = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

/** What calls of models cost, in the currency of their prices where the account names it; small amounts with two digits that count. */
export function costText(cost: number | null, currency: string | undefined): string {
  if (cost === null) return '–'
  const digits = cost === 0 || cost >= smallBelow ? (currency === undefined ? whole : {}) : small
  const money = currency === undefined ? {} : ({ style: 'currency', currency } as const)
  return new Intl.NumberFormat(locale, { ...money, ...digits }).format(cost)
}
