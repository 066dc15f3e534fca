import { expect, test } from 'vitest'
import { fold, tsqueryOf } from './fold.ts'

test('accents, case and punctuation do not matter for search', () => {
  expect(fold('  Überweisung — Order-Intake, «Ça va»! فاتورة 42')).toBe('uberweisung order intake ca va فاتورة 42')
})

test('a query is made of words only, so that no text is an operator of PostgreSQL', () => {
  expect(tsqueryOf("a & !b | 'c':* <-> (d")).toBe('a & b & c & d:*')
  expect(tsqueryOf('&!|*()')).toBeUndefined()
})
