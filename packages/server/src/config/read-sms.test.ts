import { expect, test } from 'vitest'
import { ConfigError } from './config-error.ts'
import { flagsOf } from './default-flags.ts'
import { readConfig } from './read-config.ts'
import type { Environment } from './reader.ts'

const read = (env: Environment) => readConfig(env, { workingDirectory: '/srv', readTextFile: () => '' })
const url = 'https://sms.example.com/send'

function faultsOf(env: Environment): readonly string[] {
  try {
    read(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name }) => name)
    throw error
  }
}

test('a provider needs the countries to which it may send', () => {
  expect(faultsOf({ MILLRACE_SMS_URL: url })).toEqual(['MILLRACE_SMS_COUNTRIES'])
  expect(read({ MILLRACE_SMS_URL: url, MILLRACE_SMS_COUNTRIES: 'de, AT' }).sms.countries).toEqual(new Set(['DE', 'AT']))
  expect(read({ MILLRACE_SMS_URL: url, MILLRACE_SMS_COUNTRIES: '*' }).sms.countries).toBe(undefined)
})

test.each([
  [{ MILLRACE_SMS_URL: 'http://sms.example.com', MILLRACE_SMS_COUNTRIES: '*' }, ['MILLRACE_SMS_URL']],
  [{ MILLRACE_SMS_URL: url, MILLRACE_SMS_COUNTRIES: 'Germany' }, ['MILLRACE_SMS_COUNTRIES']],
  [{ MILLRACE_SMS_URL: url, MILLRACE_SMS_COUNTRIES: '*', MILLRACE_SMS_FORMAT: 'twilio' }, ['MILLRACE_SMS_USER', 'MILLRACE_SMS_FROM']],
])('%j is refused', (env, names) => {
  expect(faultsOf(env)).toEqual(names)
})

test('codes by text message exist with a provider, or in development', () => {
  const provided = { HOST: '0.0.0.0', MILLRACE_SMS_URL: url, MILLRACE_SMS_COUNTRIES: '*' }
  expect(flagsOf(read({})).has('isPhoneOtpEnabled')).toBe(true)
  expect(flagsOf(read({ HOST: '0.0.0.0' })).has('isPhoneOtpEnabled')).toBe(false)
  expect(flagsOf(read(provided)).has('isPhoneOtpEnabled')).toBe(true)
})
