import { expect, test } from 'vitest'
import { typedDecimal } from './typed-decimal.ts'

test.each([
  ['450', '450'],
  ['49.90', '49.90'],
  ['49,90', '49.90'],
  ['1.234,50', '1234.50'],
  ['1,234.50', '1234.50'],
  ['1 234,5', '1234.5'],
  ["1'234.50", '1234.50'],
  ['1.234.567', '1234567'],
  ['0,125', '0.125'],
  ['33,3350', '33.3350'],
  ['-2', '-2'],
  ['٤٩٫٩٠', '49.90'],
])('%s is read as %s', (typed, text) => {
  expect(typedDecimal(typed)).toEqual({ kind: 'number', text })
})

test.each(['1,500', '1.500', '33.335'])('%s is one of two numbers, which a person decides', (typed) => {
  expect(typedDecimal(typed).kind).toBe('unclear')
})

test.each(['', 'ten', '1,2,3', '1.2.3', '12,34.5', '€5'])('%s is no number', (typed) => {
  expect(typedDecimal(typed)).toEqual({ kind: 'none' })
})
