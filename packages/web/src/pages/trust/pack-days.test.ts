import { describe, expect, test } from 'vitest'
import { packWords as words } from '#src/messages/en/pack.ts'
import { daysOfPeriod, problemsOf } from './pack-days.ts'

// 2 March in Riyadh, still 1 March in UTC.
const now = new Date('2026-03-01T21:40:00Z')
const zone = 'Asia/Riyadh'

describe('the days of an evidence pack', () => {
  test('of a period are those of the calendar of the person', () => {
    expect(daysOfPeriod('month', zone, now)).toEqual({ from: '2026-03-01', to: '2026-03-02' })
    expect(daysOfPeriod('lastQuarter', zone, now)).toEqual({ from: '2025-10-01', to: '2025-12-31' })
    expect(daysOfPeriod('', zone, now)).toEqual({ from: '', to: '' })
  })

  test.each([
    [{ from: '2026-02-03', to: '2026-02-01' }, { to: words.reversed }],
    [{ from: '2026-03-03', to: '2026-03-04' }, { from: words.notBegun }],
    [{ from: '2026-03-02', to: '' }, { to: words.needsEnd }],
    [{ from: '2026-03-01', to: '' }, undefined],
    [{ from: '2026-03-02', to: '2026-03-02' }, undefined],
    [{ from: '', to: '2026-02-01' }, undefined],
  ])('%j have their mistake named at the field', (days, problems) => {
    expect(problemsOf(days, words, zone, now)).toEqual(problems)
  })
})
