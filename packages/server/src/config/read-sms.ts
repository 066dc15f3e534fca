import { integer, listOf, oneOf } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'
import { Secret } from './secret.ts'

/** How the installation sends text messages, and what bounds their cost. */
export interface SmsSettings {
  /** `undefined` when the installation sends none. */
  readonly provider: SmsProviderSettings | undefined
  /** Countries to which messages are sent, as ISO 3166 codes; `undefined` for all. */
  readonly countries: ReadonlySet<string> | undefined
  /** Most messages in 24 hours. */
  readonly dailyMax: number
}

export interface SmsProviderSettings {
  readonly format: 'json' | 'twilio'
  readonly url: string
  readonly user: string | undefined
  readonly token: Secret | undefined
  readonly from: string | undefined
}

/** Reads the settings of text messages. */
export function readSms(reader: Reader): SmsSettings {
  const countries = reader.optional('MILLRACE_SMS_COUNTRIES', listOf(country))
  const provider = readProvider(reader)
  if (provider !== undefined && countries === undefined && !reader.has('MILLRACE_SMS_COUNTRIES'))
    reader.fault(
      'MILLRACE_SMS_COUNTRIES',
      'is not set, but MILLRACE_SMS_URL is. Write the countries of your users, such as DE,AT,CH, so that attackers cannot send expensive messages, or * for all.',
    )
  return {
    provider,
    countries: countries === undefined || countries.includes('*') ? undefined : new Set(countries),
    dailyMax: reader.read('MILLRACE_SMS_DAILY_MAX', integer(1, 10_000_000), 500),
  }
}

function readProvider(reader: Reader): SmsProviderSettings | undefined {
  const url = reader.optional('MILLRACE_SMS_URL', providerUrl)
  const format = reader.read('MILLRACE_SMS_FORMAT', oneOf(['json', 'twilio']), 'json')
  const user = reader.optional('MILLRACE_SMS_USER', String)
  const token = reader.secret('MILLRACE_SMS_TOKEN', 'MILLRACE_SMS_TOKEN_FILE', String)
  const from = reader.optional('MILLRACE_SMS_FROM', String)
  if (url === undefined) return undefined
  if (format === 'twilio') {
    if (user === undefined)
      reader.fault('MILLRACE_SMS_USER', 'is not set, but MILLRACE_SMS_FORMAT is twilio. Write the SID of the account.')
    if (from === undefined)
      reader.fault('MILLRACE_SMS_FROM', 'is not set, but MILLRACE_SMS_FORMAT is twilio. Write a number or the SID of a messaging service.')
  }
  return { format, url, user, token: token === undefined ? undefined : new Secret(token), from }
}

function providerUrl(text: string): string {
  const url = URL.parse(text)
  const isLocal = url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if ((url?.protocol === 'https:' || isLocal) && url.hash === '' && url.username === '') return text
  throw new Mistake('is not a URL with https. Write for example https://sms.example.com/send; a user goes into MILLRACE_SMS_USER.')
}

function country(text: string): string {
  if (text === '*' || /^[A-Za-z]{2}$/.test(text)) return text.toUpperCase()
  throw new Mistake(`${JSON.stringify(text)} is not a country. Write codes of two letters, such as DE, or * for all.`)
}
