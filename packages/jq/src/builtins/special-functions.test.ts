import { describe, expect, test } from 'vitest'
import { besselJ, besselY } from './bessel.ts'
import { erf, erfc, gamma, lgamma } from './special-functions.ts'

describe('special functions against values of published tables', () => {
  test.each([
    [1, 1],
    [5, 24],
    [0.5, Math.sqrt(Math.PI)],
    [-0.5, -2 * Math.sqrt(Math.PI)],
    [11, 3_628_800],
  ])('gamma(%d) is %d', (x, value) => {
    expect(gamma(x) / value).toBeCloseTo(1, 12)
  })

  test.each([
    [10, Math.log(362_880), 1],
    [100, 359.1342053695754, 1],
    [-0.5, Math.log(2 * Math.sqrt(Math.PI)), -1],
  ])('lgamma(%d) is %d with its sign', (x, value, sign) => {
    const [logarithm, signOf] = lgamma(x)
    expect(logarithm).toBeCloseTo(value, 10)
    expect(signOf).toBe(sign)
  })

  test.each([
    [0, 0],
    [0.5, 0.5204998778130465],
    [1, 0.8427007929497149],
    [2, 0.9953222650189527],
  ])('erf(%d) is %d, odd, and one with erfc', (x, value) => {
    expect(erf(x)).toBeCloseTo(value, 12)
    expect(erf(-x)).toBeCloseTo(-value, 12)
    expect(erf(x) + erfc(x)).toBeCloseTo(1, 12)
  })

  test.each([
    [0, 1, 0.7651976865579666],
    [0, 10, -0.2459357644513483],
    [1, 1, 0.4400505857449335],
    [1, 20, 0.06683312417584991],
  ])('J%i(%d) is %d', (order, x, value) => {
    expect(besselJ(order, x)).toBeCloseTo(value, 7)
  })

  test.each([
    [0, 1, 0.08825696421567697],
    [1, 1, -0.7812128213002887],
    [0, 10, 0.05567116728359939],
  ])('Y%i(%d) is %d', (order, x, value) => {
    expect(besselY(order, x)).toBeCloseTo(value, 7)
  })
})
