import { expect, test } from 'vitest'
import { cellValue, decimalOf, kindOf, numberIn, type Row, valueIn } from './columns.ts'
import { csvLines } from './csv-lines.ts'

test.each([
  ['7', '.', 7],
  ['-2.5', '.', -2.5],
  ['89.00', '.', 89],
  ['1,234.50', '.', 1234.5],
  ['1,234', '.', 1234],
  ['89,90', ',', 89.9],
  ['1.234,5', ',', 1234.5],
  ['0', ',', 0],
  ['89,90', '.', undefined],
  ['1.234.5', ',', undefined],
  ['007', '.', undefined],
  ['+49', '.', undefined],
  ['1e5', '.', undefined],
  ['1234567890123456', '.', undefined],
  ['', '.', undefined],
] as const)('the text %j with the decimal sign %j stands for the number %j', (text, decimal, number) => {
  expect(numberIn(text, decimal)).toBe(number)
})

test('a column has numbers only if all of its filled cells are numbers', () => {
  expect(kindOf(['89.00', '', '7'], '.')).toBe('number')
  expect(kindOf(['89.00', 'on request'], '.')).toBe('text')
  expect(kindOf(['01234', '50667'], '.')).toBe('text')
  expect(kindOf(['true', 'false'], '.')).toBe('boolean')
  expect(kindOf(['', ''], '.')).toBe('text')
  expect(cellValue('89.00', 'text', '.')).toBe('89.00')
})

test('the decimal sign of a file is the one with which most cells are numbers', () => {
  expect(decimalOf(['89,90', '1.234,00', '7', 'Größe 40'])).toBe(',')
  expect(decimalOf(['89.90', '7'])).toBe('.')
  expect(decimalOf(['none'])).toBe('.')
})

test('a column of a file may have any name, and a line need not have it', () => {
  const { columns, lines } = csvLines('id,__proto__,constructor\na,1,2\nb\n')
  expect(columns).toEqual(['id', '__proto__', 'constructor'])
  expect(lines.map((line) => columns.map((name) => line[name]))).toEqual([
    ['a', '1', '2'],
    ['b', undefined, undefined],
  ])
})

test('a row without a column has no value of a member that every object has', () => {
  const columns: Row['columns'] = JSON.parse('{ "__proto__": 1 }')
  expect(['__proto__', 'constructor'].map((name) => valueIn(columns, name))).toEqual([1, undefined])
  expect(valueIn({}, '__proto__')).toBeUndefined()
})
