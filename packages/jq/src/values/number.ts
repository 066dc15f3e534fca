/**
 * Prints a number as jq 1.8 does: shortest digits that read back, decimal notation while the point is at most
 * fifteen places behind the digits or four zeros before them, otherwise an exponent of at least two digits.
 * NaN prints as `null`, an infinity as the largest double.
 */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && value > -1e15 && value < 1e15) return Object.is(value, -0) ? '-0' : String(value)
  if (Number.isNaN(value)) return 'null'
  // Here the host writes numbers as jq does.
  const size = Math.abs(value)
  if (size >= 1e-4 && size < 1e15) return String(value)
  const finite = value === Infinity ? Number.MAX_VALUE : value === -Infinity ? -Number.MAX_VALUE : value
  const sign = finite < 0 ? '-' : ''
  const [mantissa = '', exponentText = '0'] = Math.abs(finite).toExponential().split('e')
  const digits = mantissa.replace('.', '')
  return sign + layout(digits, Number(exponentText) + 1)
}

/** Puts the decimal point: `point` is how many digits stand before it. */
function layout(digits: string, point: number): string {
  if (point <= -4 || point > digits.length + 15) {
    const exponent = point - 1
    const size = String(Math.abs(exponent)).padStart(2, '0')
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    return `${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length)
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

const integerDigitsMax = 4096

/** Reads a JSON number, keeping an integer that a double cannot represent as a `bigint`. */
export function parseNumber(text: string): number | bigint {
  const value = Number(text)
  if (Number.isSafeInteger(value) || text.length < 16 || text.length > integerDigitsMax || !/^-?\d+$/.test(text)) return value
  const exact = BigInt(text)
  return Number.isFinite(value) && BigInt(value) === exact ? value : exact
}
