import { afterAll, expect, test, vi } from 'vitest'

vi.mock('#src/boot.ts', () => ({ boot: { locale: 'ar' } }))
const { duration, exactTime, ownOrder, showTimesIn } = await import('#src/values/format.ts')
afterAll(() => vi.resetModules())

test('Arabic durations and times have Arabic units, and texts beside them do not reorder them', () => {
  showTimesIn('UTC')
  expect([duration(59), duration(59, '+'), duration(126_000)]).toEqual([
    '\u{2067}59 ملي ث\u2069',
    '\u2067\u200e+59 ملي ث\u2069',
    '\u{2067}2 د 6 ث\u2069',
  ])
  expect(exactTime('2026-11-30T03:56:24Z')).toMatch(/^\u2067.*03:56:24 UTC\u2069$/)
  expect(ownOrder('403 Address not allowed')).toBe('\u2068403 Address not allowed\u2069')
})
