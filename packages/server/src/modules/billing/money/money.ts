import { currencyDigits } from '@millrace/contract'
import type { AmountRule } from '#modules/payments/index.ts'

/** An amount in minor units for people: `EUR 12.30`, `JPY 480`, `BHD 1.250`. */
export function moneyText(amount: bigint, currency: string): string {
  return `${currency} ${decimalText(amount, currency)}`
}

/** An amount in minor units as a decimal number: `12.30`, `-480`, `1.250`. */
export function decimalText(amount: bigint, currency: string): string {
  const digits = currencyDigits(currency)
  const text = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  return `${amount < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${text.slice(-digits)}`}`
}

/** `amount × numerator ÷ denominator`, rounded to the nearest minor unit; a half is rounded away from zero. */
export function share(amount: bigint, numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n || numerator < 0n) throw new Error('a share needs a positive denominator and no negative numerator')
  const product = amount * numerator
  const magnitude = product < 0n ? -product : product
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return product < 0n ? -rounded : rounded
}

/**
 * What is charged of a total of which `wanted` is not paid by credit: a multiple of the step and not below the least charge. Less credit is used where
 * that is needed, and never more than the total is charged. A total between two steps is rounded down, in favour of the customer. A total
 * below the least charge stays as it is, and is refused.
 */
export function chargeOf(wanted: bigint, total: bigint, { step, least }: AmountRule): bigint {
  if (wanted <= 0n) return 0n
  const enough = wanted < least && total >= least ? least : wanted
  const up = ((enough + step - 1n) / step) * step
  return up <= total ? up : total - (total % step)
}

/** The tax on a net amount, rounded once on the sum of an invoice. */
export function taxOn(net: bigint, basisPoints: number): bigint {
  return share(net, BigInt(basisPoints), 10_000n)
}
