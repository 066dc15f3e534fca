import { describe, expect, test } from 'vitest'
import { cronProblem } from './cron.ts'

describe('cron expressions', () => {
  test.each([
    '* * * * *',
    '0 0 * * *',
    '*/5 * * * *',
    '0-30/2 8-18 1,15 * MON-FRI',
    '59 23 31 12 7',
    '0 0 1 jan sun',
    '0 0 1 JAN-JUN,DEC *',
    '  0   6 * * 1-5  ',
    '@daily',
    '@hourly',
    '@weekly',
    '@monthly',
    '@yearly',
    '@annually',
    '@midnight',
  ])('%s is right', (expression) => {
    expect(cronProblem(expression)).toBeUndefined()
  })

  test.each([
    ['', 'five fields, and this has 0'],
    ['* * * *', 'five fields, and this has 4'],
    ['* * * * * *', 'five fields, and this has 6'],
    ['@reboot', 'five fields, and this has 1'],
    ['60 * * * *', '"60" is outside of the field minute'],
    ['* 24 * * *', '"24" is outside of the field hour'],
    ['* * 0 * *', '"0" is outside of the field day of month'],
    ['* * 32 * *', '"32" is outside of the field day of month'],
    ['* * * 13 *', '"13" is outside of the field month'],
    ['* * * FOO *', '"FOO" is outside of the field month'],
    ['* * * * 8', '"8" is outside of the field day of week'],
    ['* * * * MON-FOO', '"MON-FOO" is outside of the field day of week'],
    ['30-10 * * * *', '"30-10" of the field minute runs backwards'],
    ['*/0 * * * *', 'step /0 of the field minute'],
    ['*/99 * * * *', 'step /99 of the field minute'],
    ['1, * * * *', '"" is not an entry of the field minute'],
    ['-1 * * * *', '"-1" is not an entry of the field minute'],
    ['* * L * *', '"L" is outside of the field day of month'],
    ['* * * * 5#2', '"5#2" is not an entry of the field day of week'],
    ['1.5 * * * *', '"1.5" is not an entry of the field minute'],
    ['a b c d e', '"a" is outside of the field minute'],
  ])('%j: %s', (expression, message) => {
    const problem = cronProblem(expression)
    expect(problem?.message).toContain(message)
    expect(problem?.hint).toMatch(/[.]$/)
  })
})
