import type { Keyword } from '#schema/rule.ts'
import { numberOf } from './given.ts'

export const numberKeywords: Readonly<Record<string, Keyword>> = {
  minimum: bound('minimum', 'at least', (value, limit) => value >= limit),
  maximum: bound('maximum', 'at most', (value, limit) => value <= limit),
  exclusiveMinimum: bound('exclusiveMinimum', 'greater than', (value, limit) => value > limit),
  exclusiveMaximum: bound('exclusiveMaximum', 'less than', (value, limit) => value < limit),
  multipleOf: (given, node, { number }) => {
    const divisor = numberOf(given, node, 'multipleOf')
    if (divisor <= 0) node.refuse('multipleOf', 'greater than 0')
    number.push((value, run, _seen, at) => {
      run.charge(10)
      return isMultiple(value, divisor) || (at !== undefined && run.report(at, `must be a multiple of ${divisor}, but is ${value}`))
    })
  },
}

function bound(keyword: string, words: string, accepts: (value: number, limit: number) => boolean): Keyword {
  return (given, node, { number }) => {
    const limit = numberOf(given, node, keyword)
    number.push(
      (value, run, _seen, at) =>
        accepts(value, limit) || (at !== undefined && run.report(at, `must be ${words} ${limit}, but is ${value}`)),
    )
  }
}

/** Whether a number is a multiple of another as the two are written: 0.3 is one of 0.1. */
function isMultiple(value: number, divisor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const one = decimalOf(value)
  const other = decimalOf(divisor)
  const shift = one.exponent - other.exponent
  if (shift >= 0) return (one.digits * 10n ** BigInt(shift)) % other.digits === 0n
  return one.digits % (other.digits * 10n ** BigInt(-shift)) === 0n
}

function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toString().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
