import { afterAll, expect, test, vi } from 'vitest'

vi.mock('#src/boot.ts', () => ({ boot: { locale: 'en' } }))
const { costText } = await import('#src/models/cost-text.ts')
afterAll(() => vi.resetModules())

test('a cost is shown in the currency of the account with the digits that it has, and without one as a number', () => {
  expect(costText(3, 'EUR')).toBe('€3.00')
  expect(costText(0.6, 'EUR')).toBe('€0.60')
  expect(costText(1_234.5, 'JPY')).toBe('JP¥1,235')
  expect(costText(3, undefined)).toBe('3.00')
  expect(costText(0.6, undefined)).toBe('0.60')
})

test('a small cost keeps two digits that count, nothing is 0, and an unknown cost is a dash', () => {
  expect(costText(0.004_217, 'USD')).toBe('US$0.0042')
  expect(costText(0.004_217, undefined)).toBe('0.0042')
  expect(costText(0, 'EUR')).toBe('€0.00')
  expect(costText(null, 'EUR')).toBe('–')
})
