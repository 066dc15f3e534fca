import { describe, expect, test } from 'vitest'
import { timeScale } from './time-scale.ts'

const day = 86_400_000

describe('the scale of a timeline', () => {
  test('work without idle time is linear from edge to edge', () => {
    const scale = timeScale([
      { from: 1000, to: 2000 },
      { from: 2000, to: 3000 },
    ])
    expect([1000, 2000, 3000].map((time) => scale.at(time))).toEqual([0, 0.5, 1])
    expect(scale.folds).toEqual([])
    expect(scale.busyMs).toBe(2000)
  })

  test('a wait of days is folded, and the work around it keeps its room', () => {
    const scale = timeScale([
      { from: 0, to: 1000 },
      { from: 2 * day, to: 2 * day + 1000 },
    ])
    expect(scale.folds).toEqual([{ at: expect.closeTo(0.465), width: 0.07, ms: 2 * day - 1000 }])
    expect(scale.at(1000)).toBeCloseTo(0.465)
    expect(scale.at(2 * day)).toBeCloseTo(0.535)
    expect(scale.at(2 * day + 1000)).toBeCloseTo(1)
    expect(scale.busyMs).toBe(2000)
  })

  test('many folds leave most of the width for the work', () => {
    const scale = timeScale(Array.from({ length: 30 }, (_, index) => ({ from: index * day, to: index * day + 1000 })))
    expect(scale.folds).toHaveLength(29)
    expect(scale.folds.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(0.4)
    expect(scale.at(29 * day + 1000)).toBeCloseTo(1)
  })

  test('stretches at the same time count once', () => {
    expect(
      timeScale([
        { from: 0, to: 3000 },
        { from: 1000, to: 2000 },
      ]).busyMs,
    ).toBe(3000)
  })

  test('a run that has not begun has a scale, too', () => {
    expect(timeScale([]).at(5)).toBe(0)
    expect(timeScale([{ from: 5, to: 5 }]).at(5)).toBe(0)
  })
})
