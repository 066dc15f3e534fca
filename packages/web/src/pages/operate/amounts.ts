import { currencyDigits } from '@millrace/contract/currency-digits'
import { m } from '#src/messages/messages.ts'

const decimal = /^\d+(?:\.\d+)?$/

/** An amount as people write it, in the minor unit of its currency: 29.00 EUR is 2900. */
export function minorUnits(text: string, currency: string): number {
  const digits = currencyDigits(currency)
  const [whole = '', fraction = ''] = text.trim().split('.')
  if (!decimal.test(text.trim()) || fraction.length > digits) throw new Error(m.desk.notAmount)
  return Number(whole + fraction.padEnd(digits, '0'))
}

/** An amount in the minor unit, as people write it. */
export function majorUnits(amount: number, currency: string): string {
  const digits = currencyDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}
