import { afterAll, expect, test, vi } from 'vitest'

vi.mock('#src/boot.ts', () => ({ boot: { locale: 'en' } }))
const { ago } = await import('#src/values/format.ts')
afterAll(() => vi.resetModules())

/** A time of November 2026, whose 28th is a Saturday, where the browser is. */
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute)

test.each([
  [at(30, 8), 'in 2 days'],
  [at(30, 0, 5), 'in 2 days'],
  [at(29, 20, 45), 'tomorrow'],
  [at(29, 20, 35), 'in 24 hr'],
  [at(28, 22, 40), 'in 2 hr'],
  [at(27, 0, 5), 'yesterday'],
  [at(26, 23, 55), '2 days ago'],
])('of %s, a person reads on Saturday at 20:40: %s', (time, words) => {
  expect(ago(time.toISOString(), at(28, 20, 40).getTime())).toBe(words)
})
