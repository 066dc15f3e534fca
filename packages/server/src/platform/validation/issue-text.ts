import { suggest } from '@millrace/dsl/suggest'
import type { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

/** The error map of every value that comes from outside: a sentence that says what to write. A text of the schema itself comes first. */
export function issueText(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeText(issue.expected, issue.input)
    case 'invalid_value':
      return valuesText(issue.values, issue.input)
    case 'too_small':
      return `Must ${limitText(issue.origin, Number(issue.minimum), issue.exact === true ? 'exactly' : issue.inclusive === false ? 'more than' : 'at least')}.`
    case 'too_big':
      return `Must ${limitText(issue.origin, Number(issue.maximum), issue.exact === true ? 'exactly' : issue.inclusive === false ? 'less than' : 'at most')}.`
    case 'invalid_format':
      return formatText(issue)
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'invalid_key':
      return 'This name is not allowed here.'
    case 'invalid_union': {
      // Of a union whose forms a member names, at this member; the input is the object around it.
      const { options, discriminator } = 'options' in issue ? issue : {}
      if (!Array.isArray(options) || typeof discriminator !== 'string') return 'Has none of the forms that are possible here.'
      return valuesText(options, memberOf(issue.input, discriminator))
    }
    default:
      return 'Is invalid.'
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  date: 'a date',
}

function typeText(expected: string, input: unknown): string {
  if (input === undefined) return 'Is required.'
  const must = `Must be ${typeNames[expected] ?? expected}`
  const received = receivedName(input)
  const isNoNews = received === undefined || received === typeNames[expected] || (expected === 'int' && received === 'a number')
  return isNoNews ? `${must}.` : `${must}, not ${received}.`
}

function memberOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null ? Object.getOwnPropertyDescriptor(input, name)?.value : undefined
}

/** What is said of a value that has none of several types. */
export function typesText(issues: readonly Pick<z.core.$ZodIssueInvalidType, 'expected' | 'input' | 'message'>[]): string {
  const [first] = issues
  const names = [...new Set(issues.map(({ expected }) => typeNames[expected] ?? expected))]
  if (first === undefined || first.input === undefined || names.length < 2) return first?.message ?? 'Is invalid.'
  const received = receivedName(first.input)
  return `Must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}${received === undefined ? '' : `, not ${received}`}.`
}

function receivedName(input: unknown): string | undefined {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'boolean') return String(input)
  if (typeof input === 'number') return Number.isFinite(input) ? 'a number' : undefined
  return typeNames[typeof input]
}

/** Of more values, only the one that was probably meant is named. */
const valuesMax = 12
/** Longer texts are not repeated. */
const repeatedMax = 64

function valuesText(values: readonly unknown[], input: unknown): string {
  if (values.length > valuesMax && typeof input === 'string' && input.length <= repeatedMax) {
    const meant = suggest(
      input,
      values.filter((value) => typeof value === 'string'),
    )
    return meant === undefined
      ? `"${input}" is not known here; possible are ${values.join(', ')}.`
      : `"${input}" is not known here. Did you mean "${meant}"?`
  }
  const texts = values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)))
  if (texts.length < 2) return `Must be ${texts.join('')}.`
  return `Must be ${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}.`
}

const units: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['member', 'members'],
  object: ['member', 'members'],
  file: ['byte', 'bytes'],
}

function limitText(origin: string, limit: number, bound: string): string {
  const unit = units[origin]
  if (unit === undefined) return `be ${bound === 'exactly' ? '' : `${bound} `}${limit}`
  if (bound === 'at least' && limit === 1) return 'not be empty'
  return `have ${bound} ${limit} ${limit === 1 ? unit[0] : unit[1]}`
}

const formats: Readonly<Record<string, string>> = {
  email: 'an e-mail address, such as name@example.com',
  url: 'an absolute URL, such as https://example.com/',
  datetime: 'a time with its zone as in RFC 3339, such as 2026-03-01T12:00:00Z',
  date: 'a date, such as 2026-03-01',
  time: 'a time of day, such as 12:30:00',
  duration: 'an ISO 8601 duration, such as PT5M',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'a range of IPv4 addresses, such as 192.0.2.0/24',
  cidrv6: 'a range of IPv6 addresses, such as 2001:db8::/32',
  base64: 'base64',
  base64url: 'base64url',
  e164: 'a phone number with its country code, such as +4930123456',
}

function formatText(issue: Extract<RawIssue, { code: 'invalid_format' }>): string {
  const { format, pattern } = issue
  const [prefix, suffix, includes] = [issue['prefix'], issue['suffix'], issue['includes']]
  if (typeof prefix === 'string') return `Must begin with "${prefix}".`
  if (typeof suffix === 'string') return `Must end with "${suffix}".`
  if (typeof includes === 'string') return `Must contain "${includes}".`
  if (formats[format] !== undefined) return `Must be ${formats[format]}.`
  return pattern === undefined ? `Must have the format ${format}.` : `Must match the regular expression ${pattern}.`
}
