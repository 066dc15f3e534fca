import { expect, test } from 'vitest'
import { valueOf } from './columns.ts'

test.each([
  ['7', 7],
  ['-2.5', -2.5],
  ['0', 0],
  ['true', true],
  ['false', false],
  ['007', '007'],
  ['1.50', '1.50'],
  ['-0', '-0'],
  ['+49 30 1', '+49 30 1'],
  ['12345678901234567', '12345678901234567'],
  ['1e5', '1e5'],
  ['', ''],
])('the cell %j of a spreadsheet stands for %j', (text, value) => {
  expect(valueOf(text)).toBe(value)
})
