import { expect, test } from 'vitest'
import { cronStartOf } from './next-start.ts'

const document = { dsl: '1.0.3', namespace: 't', name: 's', version: '1.0.0' }
const now = Date.parse('2026-11-24T00:10:30.500Z')

test.each([
  ['0 6 * * *', '2026-11-24T06:00:00Z'],
  ['10 0 * * *', '2026-11-25T00:10:00Z'],
  ['*/15 * * * *', '2026-11-24T00:15:00Z'],
  ['0 9 * * MON', '2026-11-30T09:00:00Z'],
  ['0 0 13 * FRI', '2026-11-27T00:00:00Z'],
  ['0 0 29 2 *', '2028-02-29T00:00:00Z'],
  ['0 0 29 2 */7', '2032-02-29T00:00:00Z'],
  ['@monthly', '2026-12-01T00:00:00Z'],
])('%s starts next at %s', (cron, nextAt) => {
  expect(cronStartOf({ document, schedule: { cron } }, now)).toEqual({ cron, timeZone: 'UTC', nextAt })
})

test('a definition without a cron expression has no next start', () => {
  expect(cronStartOf({ document, schedule: { every: { hours: 1 } } }, now)).toBeUndefined()
  expect(cronStartOf({ document }, now)).toBeUndefined()
})
