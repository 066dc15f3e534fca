import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { describe, expect, test } from 'vitest'
import { detect, type DetectOptions } from './detector.ts'
import { isEmiratesId, isSaudiId, nationalIds } from './national-ids.ts'

const found = (text: string, options?: DetectOptions) =>
  detect(text, options).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`)

/** With the check digit of Luhn. */
function withLuhn(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

describe('the detector finds', () => {
  test.each([
    ['Write to ada.lovelace+x@mail.example.co.uk, please.', ['email: ada.lovelace+x@mail.example.co.uk']],
    ['The card 4111 1111 1111 1111 has expired.', ['credit_card: 4111 1111 1111 1111']],
    ['IBAN DE89 3704 0044 0532 0130 00', ['iban: DE89 3704 0044 0532 0130 00']],
    ['from 192.168.17.4 and 2001:db8::8a2e:370:7334', ['ip_address: 192.168.17.4', 'ip_address: 2001:db8::8a2e:370:7334']],
    ['the device 00:1B:44:11:3A:B7', ['mac_address: 00:1B:44:11:3A:B7']],
    ['see https://example.com/a?b=c.', ['url: https://example.com/a?b=c']],
    ['pay to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', ['crypto_address: 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa']],
    ['call me at +49 30 901820', ['phone: +49 30 901820']],
    ['due on 2026-03-01 and on March 5, 2026', ['date: 2026-03-01', 'date: March 5, 2026']],
    ['My name is Katarzyna Nowak.', ['person: Katarzyna Nowak']],
    ['She lives in Kraków now.', ['location: Kraków']],
    ['an invoice from Blue River Ltd', ['organization: Blue River Ltd']],
    ['اسمي محمد بن سلمان', ['person: محمد بن سلمان']],
    ['Her SSN is 536-90-4399.', ['national_id: 536-90-4399']],
  ])('%s', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test('an identity number of Saudi Arabia and of the Emirates by their check digits', () => {
    const [saudi, emirates] = [withLuhn('112345678'), withLuhn('78419901234567')]
    expect([isSaudiId(saudi), isEmiratesId(emirates)]).toEqual([true, true])
    expect(found(`رقم الهوية ${saudi}`)).toContain(`national_id: ${saudi}`)
    expect(found(`Emirates ID ${emirates}`)).toContain(`national_id: ${emirates}`)
    expect(isSaudiId(`${saudi.slice(0, 9)}${(Number(saudi[9]) + 1) % 10}`)).toBe(false)
  })

  test('identity numbers of at least 30 countries', () => {
    expect(new Set(nationalIds.map(({ country }) => country)).size).toBeGreaterThanOrEqual(30)
  })
})

describe('the detector does not take for personal data', () => {
  test.each([
    'The card number 4111 1111 1111 1112 is wrong.',
    'Please send the invoice as soon as possible.',
    'version 1.2.3.4 of the library',
    'IBAN DE89 3704 0044 0532 0130 01',
  ])('%s', (text) => {
    expect(found(text, { kinds: new Set(['credit_card', 'iban', 'person', 'organization', 'ip_address']) })).toEqual([])
  })
})

test('texts of the allow list are not found, texts of the deny list and own patterns are', () => {
  const text = 'Ticket AB-1234 of Blue River Ltd about Falcon.'
  const rules = [{ name: 'ticket', pattern: '[A-Z]{2}-\\d{4}', score: 0.9 }]
  expect(found(text, { allow: ['blue river ltd'], deny: ['falcon'], rules })).toEqual(['custom: AB-1234', 'custom: Falcon'])
})

test('an own pattern is found wherever it matches, however often that is', () => {
  const text = 'A123,'.repeat(15_000)
  expect(detect(text, { kinds: new Set(['custom']), rules: [{ name: 'code', pattern: '[A-Z]\\d{3}', score: 0.9 }] })).toHaveLength(15_000)
})

test('texts of the deny list are found in a text with letters that are longer in lower case', () => {
  const text = 'İstanbul 😀 İ: Falcon, then İstanbul, FALCON and İ'
  const deny = ['falcon', 'İstanbul']
  expect(found(text, { deny, kinds: new Set(['custom']) })).toEqual([
    'custom: İstanbul',
    'custom: Falcon',
    'custom: İstanbul',
    'custom: FALCON',
  ])
})

test('a text that is made to be slow is examined in linear time', () => {
  const pieces = [' ', '\n', '1 A ', 'a@', 'A. ', '1-', '12 Aa Bb ', "O'", ':::', 'www.', `12 Baker Street${' '.repeat(159)}`]
  const texts = [...pieces.map((piece) => ['', piece] as const), ['12 Baker', '\n'] as const, ['12 Baker Street', ' '] as const]
  for (const [start, piece] of texts) {
    const spent = startProcessorTime()
    detect(`${start}${piece.repeat(100_000).slice(0, 100_000)}x Paris`)
    expect(spent(), start + piece).toBeLessThan(5_000)
  }
})

test('every kind is found where it alone is asked for', () => {
  const text = [
    'Ada Lovelace of Initech GmbH lives at 12 Baker Street, London. Write to ada@example.com or call +49 30 901820.',
    'Card 4111 1111 1111 1111, IBAN DE89 3704 0044 0532 0130 00, SSN 536-90-4399, from 192.168.17.4 and 00:1B:44:11:3A:B7 on 2026-03-01.',
    'Pay to 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa, see https://example.com/a.',
  ].join('\n')
  const kinds = [...new Set(detect(text).map(({ kind }) => kind))].toSorted()
  expect(kinds).toHaveLength(13)
  expect(kinds.filter((kind) => detect(text, { kinds: new Set([kind]) }).some((finding) => finding.kind === kind))).toEqual(kinds)
})
