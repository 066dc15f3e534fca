import { Fault } from '@millrace/contract'
import type { NumberType } from 'libphonenumber-js'

/** Types that cannot receive text messages, or that cost the sender more. */
const refusedTypes: ReadonlySet<NumberType> = new Set([
  'FIXED_LINE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'PAGER',
  'UAN',
  'VOICEMAIL',
])

/**
 * Reads a phone number, and returns it as E.164; a Fault when it cannot receive codes here.
 *
 * @param countries to which codes are sent; `undefined` for all.
 */
export async function readPhoneNumber(text: string, countries: ReadonlySet<string> | undefined): Promise<string> {
  if (!/^\s*(?:\+|00)/.test(text)) throw refused('Must begin with + and the code of its country, such as +49.')
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  const parsed = parsePhoneNumberFromString(text.replace(/^\s*00/, '+'))
  if (parsed === undefined || !parsed.isValid() || parsed.ext !== undefined) throw refused('Is not a valid phone number.')
  const type = parsed.getType()
  if (type !== undefined && refusedTypes.has(type)) throw refused('Is not the number of a mobile phone.')
  // Numbers without a country belong to satellites and services.
  if (parsed.country === undefined || countries?.has(parsed.country) === false)
    throw refused(
      'This installation sends no text messages to the country of this number. Its operator can add it to MILLRACE_SMS_COUNTRIES.',
    )
  return parsed.number
}

function refused(detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer: '/number', detail }] })
}
