import { describe, expect, test } from 'vitest'
import { formatNumber, parseNumber } from './number.ts'
import { parseNumberText } from './number-text.ts'

describe('numbers as jq prints them', () => {
  test.each([
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-1.5, '-1.5'],
    [0.1, '0.1'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1e17, '1e+17'],
    [1e15, '1000000000000000'],
    [1e100, '1e+100'],
    [1.5e300, '1.5e+300'],
    [123456789012, '123456789012'],
    [Number.NaN, 'null'],
    [Number.POSITIVE_INFINITY, '1.7976931348623157e+308'],
    [Number.NEGATIVE_INFINITY, '-1.7976931348623157e+308'],
  ])('%d is %s', (value, text) => {
    expect(formatNumber(value)).toBe(text)
  })
})

describe('numbers out of text', () => {
  test.each([
    ['1', 1],
    ['-1', -1],
    ['+1', 1],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['007', 7],
    ['nan', Number.NaN],
    ['-NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['1e1000', Number.POSITIVE_INFINITY],
  ])('%s is %d', (text, value) => {
    expect(parseNumberText(text)).toBe(value)
  })

  test.each(['', ' 1', '1 ', 'abc', '1a', '0x10', '--1', '1e', '.', '1_000', '１'])('%j is no number', (text) => {
    expect(parseNumberText(text)).toBeUndefined()
  })

  test('an integer that a double cannot represent keeps its digits, any other is a double', () => {
    expect(parseNumber('9007199254740993')).toBe(9007199254740993n)
    expect(parseNumber('-9007199254740993')).toBe(-9007199254740993n)
    expect(parseNumber('9007199254740992')).toBe(9007199254740992)
    expect(parseNumber('100000000000000000000')).toBe(1e20)
    expect(parseNumber('9007199254740993.5')).toBe(9007199254740994)
  })
})
