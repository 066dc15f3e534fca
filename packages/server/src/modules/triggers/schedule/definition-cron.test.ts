import { cronStartOf } from '@millrace/dsl'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueTimesOf } from './due-times.ts'

const document = { dsl: '1.0.3', namespace: 't', name: 's', version: '1.0.0' }
/** Northern and southern summer time, a shift of half an hour, a shift at midnight, no shift, and Morocco, which sets its clocks back for Ramadan. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Casablanca',
]
const fields = fc.tuple(
  fc.constantFrom('0', '30', '59', '*/15'),
  fc.constantFrom('0', '1', '2', '3', '23', '*', '*/6', '0-23', '*/1'),
  fc.constantFrom('*', '1', '29', '31'),
  fc.constantFrom('*', '3', '10'),
  fc.constantFrom('*', 'SUN', 'MON-FRI'),
)
/** Half of the instants are within two days of a change of clocks in 2026. */
const changes = [
  '2026-02-15',
  '2026-03-08',
  '2026-03-22',
  '2026-03-29',
  '2026-04-05',
  '2026-09-06',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
].map((day) => Date.parse(`${day}T00:00:00Z`))
const nearby = fc
  .tuple(fc.constantFrom(...changes), fc.integer({ min: -48 * 60, max: 48 * 60 }))
  .map(([at, minutes]) => at + minutes * 60_000 + 17_000)
const anytime = fc.integer({ min: Date.parse('2025-01-01T00:00:00Z'), max: Date.parse('2031-01-01T00:00:00Z') })

test('what a definition with a time zone announces as its next start is when its trigger is due', () => {
  const property = fc.property(fields, fc.constantFrom(...zones), fc.oneof(nearby, anytime), (parts, timeZone, now) => {
    const cron = parts.join(' ')
    const due = dueTimesOf({ kind: 'cron', expression: cron, timeZone })(now)
    const start = cronStartOf({ document: { ...document, metadata: { timeZone } }, schedule: { cron } }, now)
    expect(start === undefined ? undefined : Date.parse(start.nextAt)).toBe(due)
    expect(start?.timeZone ?? timeZone).toBe(timeZone)
  })
  fc.assert(property, { numRuns: 400 })
})
