import { boot } from '#src/boot.ts'

const locale = boot.locale === 'ar' ? 'ar-u-nu-latn' : 'en-GB'
const whole = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 })

/** An amount in the currency of the prices of the models, which has no name; small ones with two digits that count. */
export function costText(cost: number | null): string {
  if (cost === null) return '–'
  return cost === 0 || cost >= 1 ? whole.format(cost) : small.format(cost)
}
