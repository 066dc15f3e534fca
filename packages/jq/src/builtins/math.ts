import { describe, raise } from '#src/values/describe.ts'
import { isNumeric, toNumber, type Value } from '#src/values/value.ts'
import { erf, erfc, gamma, lgamma } from './special-functions.ts'
import { work } from '#src/compile/machine.ts'
import { besselJ, besselY } from './bessel.ts'
import { value, type NativeTable, type ValueNative } from './native.ts'

function number(input: Value): number {
  return isNumeric(input) ? toNumber(input) : raise(`${describe(input)} number required`)
}

function unary(compute: (x: number) => number, steps = 0): ValueNative {
  if (steps === 0) return value((_machine, input) => compute(number(input)))
  return value((machine, input) => {
    work(machine, steps)
    return compute(number(input))
  })
}

/** A Bessel function of a given order, which C takes as an integer. */
function bessel(compute: (order: number, x: number) => number): ValueNative {
  return value((machine, _input, a, b) => {
    const order = Math.trunc(number(a))
    const x = number(b)
    work(machine, besselSteps)
    return Number.isFinite(order) ? compute(order, x) : Number.NaN
  })
}

/** The cost of a Bessel function, besides the terms that it adds. */
const besselSteps = 6

function binary(compute: (x: number, y: number) => number): ValueNative {
  return value((_machine, _input, a, b) => compute(number(a), number(b)))
}

/** The square of a number in two parts, the second what the first lacks. */
function squared(x: number): readonly [high: number, low: number] {
  const split = x * 134_217_729
  const high = x - split + split
  const low = x - high
  const square = x * x
  return [square, high * high - square + 2 * high * low + low * low]
}

/** The square root of the sum of two squares as the C library musl rounds it; the host's own is off in the last digit. */
function hypotenuse(a: number, b: number): number {
  const [x, y] = [Math.max(Math.abs(a), Math.abs(b)), Math.min(Math.abs(a), Math.abs(b))]
  if (Math.abs(a) === Infinity || Math.abs(b) === Infinity) return Infinity
  if (Number.isNaN(x) || y === 0 || y < x * 2 ** -64) return x + y
  const scale = x > 2 ** 510 ? 2 ** 700 : y < 2 ** -450 ? 2 ** -700 : 1
  const [highX, lowX] = squared(x / scale)
  const [highY, lowY] = squared(y / scale)
  return scale * Math.sqrt(lowY + lowX + highY + highX)
}

/** To the nearest integer, halves away from zero. */
function round(x: number): number {
  return Number.isInteger(x) ? x : Math.sign(x) * Math.floor(Math.abs(x) + 0.5)
}

/** To the nearest integer, halves to even. */
function roundEven(x: number): number {
  const floor = Math.floor(x)
  const rest = x - floor
  if (rest < 0.5) return floor
  return rest > 0.5 || floor % 2 !== 0 ? floor + 1 : floor
}

/** As musl's exp10: an exact power for the whole part, and the rest by a power of two. */
function exp10(x: number): number {
  const whole = Math.trunc(x)
  if (!(Math.abs(whole) < 16)) return 10 ** x
  const power = Number(`1e${whole}`)
  return x === whole ? power : 2 ** (3.321928094887362 * (x - whole)) * power
}

/** A fraction in [0.5, 1) and an exponent of two that make up `x`. */
function frexp(x: number): readonly [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0]
  const scaled = Math.abs(x) < 2 ** -1022 ? x * 2 ** 54 : x
  const bias = scaled === x ? 0 : 54
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(scaled))) + 1)
  let fraction = scaled * 2 ** -exponent
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2
    exponent--
  }
  while (Math.abs(fraction) >= 1) {
    fraction /= 2
    exponent++
  }
  return [fraction, exponent - bias]
}

function modf(x: number): readonly [number, number] {
  const whole = Math.trunc(x)
  const fraction = Math.abs(x) === Infinity ? 0 : x - whole
  return [fraction === 0 && x < 0 ? -0 : fraction, whole]
}

function ldexp(x: number, exponent: number): number {
  if (x === 0) return x
  // Two factors, since one may be out of range where the product is not.
  const half = Math.trunc(Math.max(-2200, Math.min(2200, exponent)) / 2)
  return x * 2 ** half * 2 ** (Math.trunc(Math.max(-2200, Math.min(2200, exponent))) - half)
}

/** The exponent is a double here, and a fraction of one means nothing. */
function scalb(x: number, exponent: number): number {
  if (Math.abs(exponent) === Infinity) return exponent > 0 ? x * exponent : x === 0 ? x : x / -exponent
  return Number.isInteger(exponent) ? ldexp(x, exponent) : Number.NaN
}

function logb(x: number): number {
  if (x === 0) return -Infinity
  return Number.isFinite(x) ? frexp(x)[1] - 1 : Math.abs(x)
}

function significand(x: number): number {
  return x === 0 || !Number.isFinite(x) ? x : frexp(x)[0] * 2
}

function remainder(x: number, y: number): number {
  if (y === 0 || !Number.isFinite(x) || Number.isNaN(y)) return Number.NaN
  return Number.isFinite(y) ? x - y * roundEven(x / y) : x
}

const bits = new DataView(new ArrayBuffer(8))

function nextAfter(x: number, towards: number): number {
  if (Number.isNaN(x) || Number.isNaN(towards)) return Number.NaN
  if (x === towards) return towards
  if (x === 0) return towards > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE
  bits.setFloat64(0, x)
  bits.setBigInt64(0, bits.getBigInt64(0) + (x < towards === x > 0 ? 1n : -1n))
  return bits.getFloat64(0)
}

function minimum(x: number, y: number): number {
  if (Number.isNaN(x)) return y
  return Number.isNaN(y) ? x : Math.min(x, y)
}

function maximum(x: number, y: number): number {
  if (Number.isNaN(x)) return y
  return Number.isNaN(y) ? x : Math.max(x, y)
}

function pow(x: number, y: number): number {
  // C says 1 where JavaScript says NaN.
  return x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y
}

function copySign(x: number, y: number): number {
  return (y < 0 || Object.is(y, -0)) === (x < 0 || Object.is(x, -0)) ? x : -x
}

/** jq's view of the C mathematics library. */
export const mathNatives: NativeTable = {
  'floor/0': unary(Math.floor),
  'ceil/0': unary(Math.ceil),
  'trunc/0': unary(Math.trunc),
  'round/0': unary(round),
  'rint/0': unary(roundEven),
  'nearbyint/0': unary(roundEven),
  'sqrt/0': unary(Math.sqrt),
  'cbrt/0': unary(Math.cbrt),
  'fabs/0': unary(Math.abs),
  'sin/0': unary(Math.sin),
  'cos/0': unary(Math.cos),
  'tan/0': unary(Math.tan),
  'asin/0': unary(Math.asin),
  'acos/0': unary(Math.acos),
  'atan/0': unary(Math.atan),
  'sinh/0': unary(Math.sinh),
  'cosh/0': unary(Math.cosh),
  'tanh/0': unary(Math.tanh),
  'asinh/0': unary(Math.asinh),
  'acosh/0': unary(Math.acosh),
  'atanh/0': unary(Math.atanh),
  'exp/0': unary(Math.exp),
  'exp2/0': unary((x) => 2 ** x),
  'exp10/0': unary(exp10),
  'expm1/0': unary(Math.expm1),
  'log/0': unary(Math.log),
  'log2/0': unary(Math.log2),
  'log10/0': unary(Math.log10),
  'log1p/0': unary(Math.log1p),
  'logb/0': unary(logb),
  'significand/0': unary(significand),
  'gamma/0': unary((x) => lgamma(x)[0]),
  'lgamma/0': unary((x) => lgamma(x)[0]),
  'tgamma/0': unary(gamma),
  'lgamma_r/0': value((_machine, input) => lgamma(number(input))),
  'erf/0': unary(erf),
  'erfc/0': unary(erfc),
  'j0/0': unary((x) => besselJ(0, x), besselSteps),
  'j1/0': unary((x) => besselJ(1, x), besselSteps),
  'y0/0': unary((x) => besselY(0, x), besselSteps),
  'y1/0': unary((x) => besselY(1, x), besselSteps),
  'frexp/0': value((_machine, input) => frexp(number(input))),
  'modf/0': value((_machine, input) => modf(number(input))),
  'pow/2': binary(pow),
  'atan2/2': binary(Math.atan2),
  'fmod/2': binary((x, y) => x % y),
  'fmin/2': binary(minimum),
  'fmax/2': binary(maximum),
  'fdim/2': binary((x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : Math.max(x - y, 0))),
  'hypot/2': binary(hypotenuse),
  'drem/2': binary(remainder),
  'remainder/2': binary(remainder),
  'ldexp/2': binary(ldexp),
  'scalb/2': binary(scalb),
  'scalbln/2': binary(ldexp),
  'nextafter/2': binary(nextAfter),
  'nexttoward/2': binary(nextAfter),
  'copysign/2': binary(copySign),
  'jn/2': bessel(besselJ),
  'yn/2': bessel(besselY),
  'fma/3': value((_machine, _input, a, b, c) => number(a) * number(b) + number(c)),
}
