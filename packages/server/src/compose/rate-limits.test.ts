import { expect, test } from 'vitest'
import { readConfig } from '#config/read-config.ts'
import { createLogger } from './logger.ts'
import { exemptionOf, logLimited } from './rate-limits.ts'

test('the log of a limit names the variable that changes it', () => {
  const lines: unknown[] = []
  const log = logLimited(createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) }))
  log({ policy: { name: 'execution', limit: 30, windowSeconds: 60 }, subject: '192.0.2.7' })
  expect(lines).toMatchObject([
    { msg: 'rate limit exceeded', subject: '192.0.2.7', limit: '30/60', variable: 'MILLRACE_RATE_LIMIT_EXECUTION' },
  ])
})

test('addresses and ranges of both families are exempt, and no others', () => {
  const isExempt = exemptionOf(readConfig({ MILLRACE_RATE_LIMIT_EXEMPT: '192.0.2.7, 10.0.0.0/8, fd00::/8' }).http.rateExempt)
  expect(['192.0.2.7', '::ffff:10.1.2.3', 'fd00::1'].map((ip) => isExempt?.(ip))).toEqual([true, true, true])
  expect(['192.0.2.8', '11.0.0.1', '2001:db8::1', 'nonsense'].map((ip) => isExempt?.(ip))).toEqual([false, false, false, false])
  expect(exemptionOf([])).toBeUndefined()
})
