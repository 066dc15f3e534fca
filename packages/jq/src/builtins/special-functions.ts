/**
 * Lanczos coefficients, g = 7, nine terms.
 * Source: P. Godfrey, "A note on the computation of the convergent Lanczos complex Gamma approximation", 2001.
 */
const lanczos: readonly number[] = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1, -176.615_029_162_140_6,
  12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6, 1.505_632_735_149_311_6e-7,
]

function lanczosSum(x: number): number {
  return lanczos.reduce((sum, coefficient, at) => (at === 0 ? coefficient : sum + coefficient / (x + at)), 0)
}

const factorialMax = 170

/** The gamma function; exact for integers. */
export function gamma(x: number): number {
  if (Number.isInteger(x)) {
    if (x <= 0) return x === 0 ? 1 / x : Number.NaN
    if (x > factorialMax + 1) return Number.POSITIVE_INFINITY
    let product = 1
    for (let factor = 2; factor < x; factor++) product *= factor
    return product
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x))
  const base = x - 1 + 7.5
  return Math.sqrt(2 * Math.PI) * base ** (x - 0.5) * Math.exp(-base) * lanczosSum(x - 1)
}

/** The logarithm of the absolute value of gamma, with the sign of gamma. */
export function lgamma(x: number): readonly [number, number] {
  if (Number.isNaN(x)) return [x, 1]
  if (!Number.isFinite(x) || (Number.isInteger(x) && x <= 0)) return [Number.POSITIVE_INFINITY, 1]
  if (x === 1 || x === 2) return [0, 1]
  if (x < 0.5) {
    const sine = Math.sin(Math.PI * x)
    return [Math.log(Math.PI / Math.abs(sine)) - lgamma(1 - x)[0], sine < 0 ? -1 : 1]
  }
  const base = x - 1 + 7.5
  return [0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(lanczosSum(x - 1)), 1]
}

/** The error function by its series; it converges for every argument, and fast where it is used. */
function erfSeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; n < 200 && Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
    term *= (-x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

/** The complement for large arguments by its continued fraction, evaluated from the inside out. */
function erfcFraction(x: number): number {
  let fraction = 0
  for (let n = 120; n > 0; n--) fraction = n / 2 / (x + fraction)
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction))
}

/** Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.5 and 7.1.14. */
export function erf(x: number): number {
  if (Number.isNaN(x)) return x
  const size = Math.abs(x)
  return Math.sign(x) * (size < 2 ? erfSeries(size) : 1 - (size > 27 ? 0 : erfcFraction(size)))
}

export function erfc(x: number): number {
  if (x < 0.5) return 1 - erf(x)
  if (x < 2) return 1 - erfSeries(x)
  return x > 27 ? 0 : erfcFraction(x)
}
