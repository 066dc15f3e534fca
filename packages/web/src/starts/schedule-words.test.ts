import { expect, test } from 'vitest'
import { schedules as ar } from '#src/messages/ar/schedules.ts'
import { schedules as en } from '#src/messages/en/schedules.ts'
import { scheduleWords } from '#src/starts/schedule-words.ts'

const timeZone = 'Europe/Berlin'

test.each([
  [{ cron: '*/15 * * * *' }, 'every 15 minutes', 'كل 15 دقيقة'],
  [{ cron: '* * * * *' }, 'every minute', 'كل دقيقة'],
  [{ cron: '0 * * * *' }, 'every hour', 'كل ساعة'],
  [{ cron: '20 * * * *' }, 'every hour at minute 20', 'كل ساعة عند الدقيقة 20'],
  [{ cron: '0 */2 * * *', timeZone }, 'every 2 hours (Europe/Berlin)', 'كل ساعتين (\u2066Europe/Berlin\u2069)'],
  [{ cron: '5 6 * * *', timeZone: 'UTC' }, 'every day at 06:05 (UTC)', 'كل يوم في 06:05 (\u2066UTC\u2069)'],
  [{ cron: '@daily' }, 'every day at 00:00', 'كل يوم في 00:00'],
  [{ cron: '0 9,17 * * *' }, 'every day at 09:00 and 17:00', 'كل يوم في 09:00 و17:00'],
  [
    { cron: '0 9 * * MON-FRI', timeZone },
    'weekdays at 09:00 (Europe/Berlin)',
    'من الاثنين إلى الجمعة في 09:00 (\u2066Europe/Berlin\u2069)',
  ],
  [{ cron: '0 9 * * 1-5' }, 'weekdays at 09:00', 'من الاثنين إلى الجمعة في 09:00'],
  [{ cron: '0 8 * * mon' }, 'every Monday at 08:00', 'كل الاثنين في 08:00'],
  [{ cron: '0 8 * * MON,WED' }, 'every Monday and Wednesday at 08:00', 'كل الاثنين والأربعاء في 08:00'],
  [{ cron: '0 8 * * 6-7' }, 'every Saturday and Sunday at 08:00', 'كل السبت والأحد في 08:00'],
  [{ cron: '30 7 15 * *' }, 'on day 15 of every month at 07:30', 'يوم 15 من كل شهر في 07:30'],
  [{ every: 'PT900S', timeZone: 'UTC' }, 'every 15 minutes', 'كل 15 دقيقة'],
  [{ every: 'P1D' }, 'every day', 'كل يوم'],
  [{ every: { minutes: 90 } }, 'every 90 minutes', 'كل 90 دقيقة'],
  [{ after: { hours: 3 } }, '3 hours after the last run', '3 ساعات بعد انتهاء التشغيل السابق'],
  [{ at: '2026-12-01T09:00:00', timeZone: 'UTC' }, 'on 1 Dec 2026, 09:00 (UTC)', expect.stringContaining('2026')],
])('the schedule %o is shown as %s', (due, english, arabic) => {
  expect([scheduleWords(due, en.schedules), scheduleWords(due, ar.schedules)]).toEqual([english, arabic])
})

test.each([
  ['*/7 * * * *'],
  ['0 */5 * * *'],
  ['0 9 1 * MON'],
  ['0 9 * 1 *'],
  ['0 9 1-7 * *'],
  ['0,30 9 * * *'],
  ['0 9 * * MON#1'],
  ['0 9 * * FRI-MON'],
  ['0 0 9 * * *'],
  [''],
])('the expression %j has no usual form, and none is made up', (cron) => {
  expect(scheduleWords({ cron }, en.schedules)).toBeUndefined()
})

test.each([['P1M'], ['P'], ['${ .wait }'], [{ minutes: '${ .wait }' }], [{}], [undefined]])(
  'the interval %o has no number that is known',
  (every) => {
    expect(scheduleWords({ every }, en.schedules)).toBeUndefined()
  },
)
