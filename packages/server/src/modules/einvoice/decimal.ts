/** An exact decimal number: `digits` times ten to the power of minus `scale`. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

export const zero: Decimal = { digits: 0n, scale: 0 }

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?$/

/** Reads the lexical form of xs:decimal; `undefined` for any other text. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = '', whole = '', fraction = ''] = pattern.exec(text.trim()) ?? []
  if (whole === '' && fraction === '') return undefined
  const digits = BigInt(`${whole}${fraction}`)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

/** For texts that a schema has checked. */
export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text)
  if (parsed === undefined) throw new Error(`${JSON.stringify(text)} is not a decimal number.`)
  return parsed
}

function atScale({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale)
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { digits: atScale(a, scale) + atScale(b, scale), scale }
}

export function negate({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale }
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b))
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(add, zero)
}

/** Negative, zero or positive, as for sorting. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const difference = atScale(a, scale) - atScale(b, scale)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** Rounds commercially: half away from zero. */
export function round(value: Decimal, scale: number): Decimal {
  return divide(value, { digits: 1n, scale: 0 }, scale)
}

/** Divides, and rounds half away from zero. */
export function divide(a: Decimal, b: Decimal, scale: number): Decimal {
  const common = Math.max(a.scale, b.scale)
  const numerator = atScale(a, common) * 10n ** BigInt(scale)
  const denominator = atScale(b, common)
  const negative = numerator < 0n !== denominator < 0n
  const [n, d] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator]
  const quotient = (2n * n + d) / (2n * d)
  return { digits: negative ? -quotient : quotient, scale }
}

/** Rounds half up, to positive infinity, as the function `round` of XPath does. */
export function roundHalfUp({ digits, scale }: Decimal, wanted: number): Decimal {
  if (scale <= wanted) return { digits, scale }
  const unit = 10n ** BigInt(scale - wanted)
  const shifted = 2n * digits + unit
  const quotient = shifted / (2n * unit)
  return { digits: shifted < 0n && shifted % (2n * unit) !== 0n ? quotient - 1n : quotient, scale: wanted }
}

/** Writes the number with exactly `scale` decimals; it must not have more. */
export function toText(value: Decimal, scale = value.scale): string {
  const digits = atScale(value, scale)
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const end = text.length - scale
  return `${digits < 0n ? '-' : ''}${text.slice(0, end)}${scale === 0 ? '' : `.${text.slice(end)}`}`
}

/** Writes the number without zeros at its end. */
export function toShortText(value: Decimal): string {
  const text = toText(value)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
