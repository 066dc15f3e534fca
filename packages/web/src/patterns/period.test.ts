import { describe, expect, test } from 'vitest'
import { inPeriod } from './period.ts'

// 2 March in Riyadh, still 1 March in UTC.
const now = new Date('2026-03-01T21:40:00Z')

describe('a period of the address', () => {
  test.each([
    ['today', '2026-03-01T21:00:00.000Z', '2026-03-02T21:00:00.000Z'],
    ['yesterday', '2026-02-28T21:00:00.000Z', '2026-03-01T21:00:00.000Z'],
    ['week', '2026-02-23T21:00:00.000Z', '2026-03-02T21:00:00.000Z'],
    ['days30', '2026-01-31T21:00:00.000Z', '2026-03-02T21:00:00.000Z'],
    ['month', '2026-02-28T21:00:00.000Z', '2026-03-02T21:00:00.000Z'],
    ['lastMonth', '2026-01-31T21:00:00.000Z', '2026-02-28T21:00:00.000Z'],
    ['lastQuarter', '2025-09-30T21:00:00.000Z', '2025-12-31T21:00:00.000Z'],
  ])('%s has whole days of the time zone of the reader, and other filters stay', (period, from, to) => {
    expect(inPeriod({ period, state: 'faulted' }, 'Asia/Riyadh', now)).toEqual({ state: 'faulted', from, to })
  })

  test('can be the last hour, up to now', () => {
    expect(inPeriod({ period: 'hour', state: 'faulted' }, 'Asia/Riyadh', now)).toEqual({
      state: 'faulted',
      from: '2026-03-01T20:40:00.000Z',
    })
  })

  test('has its last day whole, also where clocks change or skip midnight', () => {
    const days = { from: '2026-03-29', to: '2026-03-29' }
    expect(inPeriod(days, 'Europe/Berlin', now)).toEqual({ from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T22:00:00.000Z' })
    // In Cairo the clocks go from midnight to one.
    expect(inPeriod({ from: '2026-04-24' }, 'Africa/Cairo', now)).toEqual({ from: '2026-04-23T22:00:00.000Z' })
    expect(inPeriod({ to: '2026-10-31' }, 'America/New_York', now)).toEqual({ to: '2026-11-01T04:00:00.000Z' })
  })

  test('that is no date, or a time already, stays as it is', () => {
    expect(inPeriod({ from: '2026-02-31', to: '2026-03-01T00:00:00Z' }, 'UTC', now)).toEqual({
      from: '2026-02-31',
      to: '2026-03-01T00:00:00Z',
    })
  })
})
