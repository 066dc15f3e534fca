import { roundOfRun } from '#src/compile/machine.ts'

/** Terms of a sum that are added in about the time of a step. */
const termsPerStep = 8

/** From here on the asymptotic expansion is more precise than the integral. */
const farAway = 25

/**
 * Bessel functions by their integrals, summed with the trapezoidal rule, which is exponentially exact for the periodic one.
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 9.1.21, 9.1.22 and 9.2.5 to 9.2.10.
 */
export function besselJ(order: number, x: number): number {
  if (Number.isNaN(x)) return x
  if (order < 0) return (order % 2 === 0 ? 1 : -1) * besselJ(-order, x)
  if (x < 0) return (order % 2 === 0 ? 1 : -1) * besselJ(order, -x)
  if (x > farAway + order * order) return asymptotic(order, x).j
  const points = 64 + Math.ceil(x) + order
  let sum = 0
  for (let at = 0; at < points; at++) {
    roundOfRun(at, points, termsPerStep)
    const angle = (Math.PI * (at + 0.5)) / points
    sum += Math.cos(order * angle - x * Math.sin(angle))
  }
  return sum / points
}

export function besselY(order: number, x: number): number {
  if (Number.isNaN(x) || x < 0) return Number.NaN
  if (x === 0) return Number.NEGATIVE_INFINITY
  if (order < 0) return (order % 2 === 0 ? 1 : -1) * besselY(-order, x)
  if (x > farAway) {
    let [before, now] = [asymptotic(0, x).y, asymptotic(1, x).y]
    if (order === 0) return before
    for (let n = 1; n < order; n++) {
      roundOfRun(n - 1, order, termsPerStep)
      ;[before, now] = [now, ((2 * n) / x) * now - before]
    }
    return now
  }
  let [before, now] = [seriesY0(x), 0]
  if (order === 0) return before
  now = seriesY1(x, before)
  for (let n = 1; n < order; n++) {
    roundOfRun(n - 1, order, termsPerStep)
    ;[before, now] = [now, ((2 * n) / x) * now - before]
  }
  return now
}

const eulerGamma = 0.577_215_664_901_532_9

/** 9.1.13: the logarithm times J0, and a sum with harmonic numbers. */
function seriesY0(x: number): number {
  const quarter = (x * x) / 4
  let term = 1
  let harmonic = 0
  let sum = 0
  for (let k = 1; k < 120; k++) {
    term *= -quarter / (k * k)
    harmonic += 1 / k
    sum -= term * harmonic
  }
  return (2 / Math.PI) * ((Math.log(x / 2) + eulerGamma) * besselJ(0, x) + sum)
}

/** 9.1.16, the Wronskian: J1 Y0 - J0 Y1 = 2 / (pi x), turned around where J0 allows it, otherwise by the series for Y1. */
function seriesY1(x: number, y0: number): number {
  const j0 = besselJ(0, x)
  if (Math.abs(j0) > 0.1) return (besselJ(1, x) * y0 - 2 / (Math.PI * x)) / j0
  const half = x / 2
  let term = half
  let harmonic = 1
  let sum = term * (harmonic - 2 * eulerGamma)
  for (let k = 1; k < 120; k++) {
    term *= -(half * half) / (k * (k + 1))
    harmonic += 1 / k + 1 / (k + 1)
    sum += term * (harmonic - 2 * eulerGamma)
  }
  return (2 / Math.PI) * Math.log(half) * besselJ(1, x) - 2 / (Math.PI * x) - sum / Math.PI
}

function asymptotic(order: number, x: number): { readonly j: number; readonly y: number } {
  const mu = 4 * order * order
  let p = 1
  let q = 0
  let term = 1
  for (let k = 1; k < 30; k++) {
    const next = (term * (mu - (2 * k - 1) ** 2)) / (k * 8 * x)
    if (Math.abs(next) > Math.abs(term)) break
    term = next
    const sign = k % 4 < 2 ? 1 : -1
    if (k % 2 === 0) p += (k % 4 === 0 ? 1 : -1) * term
    else q += sign * term
  }
  const phase = x - (order / 2 + 0.25) * Math.PI
  const scale = Math.sqrt(2 / (Math.PI * x))
  return { j: scale * (p * Math.cos(phase) - q * Math.sin(phase)), y: scale * (p * Math.sin(phase) + q * Math.cos(phase)) }
}
