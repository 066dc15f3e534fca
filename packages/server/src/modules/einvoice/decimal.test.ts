import { describe, expect, test } from 'vitest'
import { decimal, divide, parseDecimal, round, roundHalfUp, sum, toShortText, toText } from './decimal.ts'

describe('a decimal', () => {
  test.each([
    ['2.345', 2, '2.35'],
    ['-2.345', 2, '-2.35'],
    ['2.344', 2, '2.34'],
    ['0.5', 0, '1'],
    ['-0.5', 0, '-1'],
    ['7', 2, '7.00'],
  ])('%s is rounded commercially to %i decimals: %s', (text, scale, rounded) => {
    expect(toText(round(decimal(text), scale), scale)).toBe(rounded)
  })

  test.each([
    ['2.5', '3'],
    ['-2.5', '-2'],
    ['-2.51', '-3'],
    ['-0.4', '0'],
    ['0.49', '0'],
  ])('%s is rounded half up as by XPath: %s', (text, rounded) => {
    expect(toText(roundHalfUp(decimal(text), 0))).toBe(rounded)
  })

  test('is exact where floating point is not', () => {
    expect(toShortText(sum([decimal('0.1'), decimal('0.2')]))).toBe('0.3')
    expect(toText(divide(decimal('1'), decimal('3'), 6), 6)).toBe('0.333333')
  })

  test.each(['', '.', '1e3', '1,5', 'NaN', '--1'])('is not read from "%s"', (text) => {
    expect(parseDecimal(text)).toBeUndefined()
  })
})
