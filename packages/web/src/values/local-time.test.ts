import { afterAll, expect, test } from 'vitest'
import { localTime, timeOfLocal } from './local-time.ts'
import { setShownZone } from './shown-zone.ts'

afterAll(() => void setShownZone(undefined))

test.each([
  ['Asia/Tokyo', '2026-11-28T20:40', '2026-11-28T11:40:00.000Z'],
  ['America/New_York', '2026-07-01T00:15', '2026-07-01T04:15:00.000Z'],
  ['UTC', '2026-07-01T04:15:30', '2026-07-01T04:15:30.000Z'],
  // Shown twice: the first time.
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
])('a field for date and time in %s has %s for %s', (zone, local, time) => {
  setShownZone(zone)
  expect([timeOfLocal(local), localTime(time)]).toEqual([time, local])
})

test('a time that the clocks skip is that after the gap', () => {
  setShownZone('Europe/Berlin')
  expect(localTime(timeOfLocal('2026-03-29T02:30'))).toBe('2026-03-29T03:30')
})
