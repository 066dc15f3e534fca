import { expect, test } from 'vitest'
import { nextClockChange } from '#src/values/zone-clock.ts'

const changeAfter = (zone: string, from: string) => {
  const change = nextClockChange(zone, Date.parse(from))
  return change === undefined ? undefined : new Date(change).toISOString()
}

test.each([
  ['Europe/Berlin', '2026-11-30T12:00:00Z', '2027-03-28T01:00:00.000Z'],
  ['Europe/Berlin', '2027-03-28T01:00:00Z', '2027-10-31T01:00:00.000Z'],
  ['America/New_York', '2026-11-30T12:00:00Z', '2027-03-14T07:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-11-30T12:00:00Z', '2027-04-03T15:00:00.000Z'],
  ['Asia/Riyadh', '2026-11-30T12:00:00Z', undefined],
])('the clocks of %s after %s change next at %s', (zone, from, expected) => {
  expect(changeAfter(zone, from)).toBe(expected)
})
