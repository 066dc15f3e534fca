import { isIP } from 'node:net'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { isValidIBAN } from 'ibantools'
import { findAll, type Finding, hasContext } from './finding.ts'

const base58check = createBase58check(sha256)

/** Data that its form or its check digits identify. */
export function findPatterns(text: string): Finding[] {
  return [...addresses(text), ...numbers(text), ...cryptoAddresses(text), ...dates(text)]
}

function addresses(text: string): Finding[] {
  const email =
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}](?:[\p{L}\p{N}._%+'-]{0,62}[\p{L}\p{N}_+-])?@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}/gu
  const url = /\b(?:https?:\/\/|ftp:\/\/|www\.)[^\s<>"'`{}|\\^]{3,2000}/giu
  const ipv4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)/g
  const ipv6 = /(?<![\w:.])(?=[0-9a-f:]*:[0-9a-f:]*:)[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?![\w:])/gi
  const mac = /(?<![\w:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?![\w:-])/gi
  return [
    ...findAll(text, email, { kind: 'email', rule: 'email' }, () => 1),
    ...findAll(text, url, { kind: 'url', rule: 'url' }, () => 0.9).map((found) => trimmed(text, found)),
    ...findAll(text, ipv4, { kind: 'ip_address', rule: 'ipv4' }, (match, at) =>
      isIP(match) === 4 ? (/\bver(?:sion|\.)?\s*$/i.test(text.slice(Math.max(0, at - 10), at)) ? 0.2 : 0.95) : 0,
    ),
    ...findAll(text, ipv6, { kind: 'ip_address', rule: 'ipv6' }, (match) => (isIP(match) === 6 && match.length > 4 ? 0.95 : 0)),
    ...findAll(text, mac, { kind: 'mac_address', rule: 'mac' }, () => 0.95),
  ]
}

/** Without the punctuation of the sentence around a URL. */
function trimmed(text: string, found: Finding): Finding {
  const tail = /[.,;:!?)\]]+$/.exec(text.slice(found.start, found.end))
  return tail === null ? found : { ...found, end: found.end - tail[0].length }
}

const cardWords = /card|visa|master|amex|credit|debit|karte|carte|tarjeta|بطاقة/i

function numbers(text: string): Finding[] {
  const card = /(?<![\d.-])[1-6]\d{3}(?:[ -]?\d){8,15}(?![\d-]*\d)/g
  const iban = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/gi
  return [
    ...findAll(text, card, { kind: 'credit_card', rule: 'credit_card' }, (match, start) => {
      const digits = match.replaceAll(/\D/g, '')
      if (!isCardNumber(digits)) return 0
      return hasContext(text, { start, end: start + match.length }, cardWords) ? 1 : 0.9
    }),
    ...findAll(text, iban, { kind: 'iban', rule: 'iban' }, (match) => (isValidIBAN(match.replaceAll(' ', '').toUpperCase()) ? 1 : 0)),
  ]
}

/** The number ranges of the card schemes (ISO/IEC 7812), and the check digit of Luhn. */
export function isCardNumber(digits: string): boolean {
  const inRange =
    /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d|2\d\d)\d{12,15}|35\d{14}|(?:50|5[6-9]|6\d)\d{10,17}|1800\d{11}|2131\d{11}|9792\d{12}|220[0-4]\d{12})$/
  return inRange.test(digits) && isLuhn(digits)
}

export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function cryptoAddresses(text: string): Finding[] {
  const base58 = /(?<![A-Za-z0-9])[13][1-9A-HJ-NP-Za-km-z]{25,34}(?![A-Za-z0-9])/g
  const segwit = /(?<![A-Za-z0-9])(?:bc1|BC1)[a-zA-Z0-9]{11,87}(?![A-Za-z0-9])/g
  const ethereum = /(?<![A-Za-z0-9])0x[0-9a-fA-F]{40}(?![A-Za-z0-9])/g
  const kind = 'crypto_address' as const
  return [
    ...findAll(text, base58, { kind, rule: 'bitcoin' }, (match) => (succeeds(() => base58check.decode(match).length === 21) ? 1 : 0)),
    ...findAll(text, segwit, { kind, rule: 'bitcoin' }, (match) =>
      [bech32, bech32m].some((code) => code.decodeUnsafe(match, 90) !== undefined) ? 1 : 0,
    ),
    ...findAll(text, ethereum, { kind, rule: 'ethereum' }, (match) => (isEthereum(match.slice(2)) ? 1 : 0)),
  ]
}

/** Mixed case is a checksum (EIP-55). */
function isEthereum(hex: string): boolean {
  if (hex === hex.toLowerCase() || hex === hex.toUpperCase()) return true
  const hash = Buffer.from(keccak_256(Buffer.from(hex.toLowerCase()))).toString('hex')
  return [...hex].every(
    (char, index) => !/[a-f]/i.test(char) || (char === char.toUpperCase()) === Number.parseInt(hash[index] ?? '0', 16) >= 8,
  )
}

function succeeds(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false // The libraries report a wrong checksum by an exception.
  }
}

const months =
  'jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]vrier|mar(?:ch|s|zo)?|m[äa]rz|apr(?:il)?|avril|abril|may|mai|mayo|june?|juin|junio|juni|july?|juillet|julio|juli|aug(?:ust)?|ao[ûu]t|agosto|sep(?:t|tember|tembre)?|septiembre|oct(?:ober|obre)?|okt(?:ober)?|octubre|nov(?:ember|embre)?|noviembre|dec(?:ember)?|d[ée]cembre|dez(?:ember)?|diciembre|enero|febrero'
const arabicMonths =
  'يناير|فبراير|مارس|أبريل|ابريل|مايو|يونيو|يوليو|أغسطس|اغسطس|سبتمبر|أكتوبر|اكتوبر|نوفمبر|ديسمبر|محرم|صفر|رجب|شعبان|رمضان|شوال'
const time = '(?:[T ,]{1,2}\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\.?)?(?:Z| ?[+-]\\d{2}:?\\d{2})?)?'
const year = '(?:,? ?(?:1[89]|20)\\d{2})'

const datePatterns: readonly (readonly [RegExp, number])[] = [
  [new RegExp(`(?<![\\d/.-])(?:1[3-9]|20)\\d{2}([-/.])(?:0?[1-9]|1[0-2])\\1(?:0?[1-9]|[12]\\d|3[01])${time}(?![\\d/-])`, 'g'), 0.9],
  [
    new RegExp(
      `(?<![\\d/.-])(?:0?[1-9]|[12]\\d|3[01])([-/.])(?:0?[1-9]|[12]\\d|3[01])\\1(?:(?:1[3-9]|20)\\d{2}|\\d{2})${time}(?![\\d/-])`,
      'g',
    ),
    0.8,
  ],
  [
    new RegExp(
      `(?<![\\p{L}\\d])(?:0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th|\\.)?(?: of| de)? (?:${months})\\.?(?![\\p{L}])${year}?${time}`,
      'giu',
    ),
    0.8,
  ],
  [new RegExp(`(?<![\\p{L}\\d])(?:${months})\\.? (?:0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?(?![\\p{L}\\d])${year}?${time}`, 'giu'), 0.8],
  [new RegExp(`(?<![\\p{L}\\d])[\\d٠-٩]{1,2} (?:${arabicMonths})(?: [\\d٠-٩]{4})?(?![\\p{L}])`, 'gu'), 0.8],
  [/(?<![\p{L}\d])(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?![\p{L}])/giu, 0.5],
]

function dates(text: string): Finding[] {
  return datePatterns.flatMap(([pattern, score]) => findAll(text, pattern, { kind: 'date', rule: 'date' }, () => score))
}
