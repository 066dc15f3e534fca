import { expect, test } from 'vitest'
import { clockOf, cronOf } from './clock-cron.ts'

const fresh = { time: '09:00', days: ['MON'], date: '1' }

test.each([
  ['30 8 * * MON-FRI', { ...fresh, repeat: 'workdays', time: '08:30' }],
  ['5 0 * * *', { ...fresh, repeat: 'daily', time: '00:05' }],
  ['0 18 * * TUE,FRI', { ...fresh, repeat: 'weekly', time: '18:00', days: ['TUE', 'FRI'] }],
  ['15 7 31 * *', { ...fresh, repeat: 'monthly', time: '07:15', date: '31' }],
  ['0 * * * *', { ...fresh, repeat: 'hourly' }],
  ['*/15 * * * *', { ...fresh, repeat: 'quarterly' }],
] as const)('%s is shown by fields, which make it again', (cron, fields) => {
  expect(clockOf(cron)).toEqual(fields)
  expect(cronOf(fields, '')).toBe(cron)
})

test.each(['0 9 * * 1-5', '0 9 * 6 *', '0 9 1 * MON', '0 9,17 * * *', '00 09 * * *', '@daily', '0 0 9 * * *', '0 9 * * FRI,TUE', ''])(
  '"%s" stays as it is written',
  (cron) => {
    expect(cronOf(clockOf(cron), cron)).toBe(cron)
    expect(clockOf(cron).repeat).toBe('own')
  },
)

test('while a field is missing, there is no expression', () => {
  const none = (fields: object) => cronOf({ ...fresh, repeat: 'weekly', ...fields }, '')
  expect([none({ time: '' }), none({ days: [] }), none({ repeat: 'monthly', date: '' })]).toEqual([undefined, undefined, undefined])
})
