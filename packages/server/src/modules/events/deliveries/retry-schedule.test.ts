import { describe, expect, test } from 'vitest'
import { attemptsMax, retryDelayAfter, retryAfterMsOf } from './retry-schedule.ts'

const hour = 3_600_000
const pauses = (chance: number) =>
  Array.from({ length: attemptsMax - 1 }, (_, index) => retryDelayAfter(index + 1, undefined, chance)).filter(
    (pause) => pause !== undefined,
  )

describe('delays between attempts', () => {
  test('the delays between attempts grow and add up to about a day', () => {
    const found = pauses(0.5)
    expect(found).toHaveLength(attemptsMax - 1)
    expect(found).toEqual(found.toSorted((one, other) => one - other))
    const sum = found.reduce((total, pause) => total + pause, 0)
    expect(sum).toBeGreaterThan(22 * hour)
    expect(sum).toBeLessThan(28 * hour)
  })

  test('the jitter of a delay is at most a fifth', () => {
    const [least, middle, most] = [pauses(0), pauses(0.5), pauses(1)]
    for (const [index, pause] of middle.entries()) {
      expect(least[index]).toBeCloseTo(pause * 0.8)
      expect(most[index]).toBeCloseTo(pause * 1.2)
    }
  })

  test('no delay follows the last attempt', () => {
    expect(retryDelayAfter(attemptsMax, undefined, 0.5)).toBeUndefined()
    expect(retryDelayAfter(attemptsMax, hour, 0.5)).toBeUndefined()
    expect(retryDelayAfter(attemptsMax + 5, undefined, 0.5)).toBeUndefined()
  })

  test('Retry-After can lengthen a delay up to a day, and never shortens it', () => {
    expect(retryDelayAfter(1, hour, 0.5)).toBe(hour)
    expect(retryDelayAfter(attemptsMax - 1, 1000, 0.5)).toBe(10 * hour)
    expect(retryDelayAfter(1, 1000 * hour, 0.5)).toBe(24 * hour)
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')

  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('"%s" is read', (header, ms) => {
    expect(retryAfterMsOf(header, now)).toBe(ms)
  })

  test.each([undefined, '', 'soon', '-5', '1.5', '99999999999999999999', '2026-03-01', 'Foo, nonsense'])(
    'the invalid Retry-After %s is ignored',
    (header) => {
      expect(retryAfterMsOf(header, now)).toBeUndefined()
    },
  )
})
