import { isIP } from 'node:net'
import { suggest } from '@millrace/dsl'
import { Mistake, type Parse } from './reader.ts'

/** At most `limit` requests within `windowSeconds`. */
export interface RateLimit {
  readonly limit: number
  readonly windowSeconds: number
}

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): Parse<number> {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new Mistake(`${JSON.stringify(text)} is not a whole number from ${min} to ${max}.`)
  }
}

/** Two capital letters: a country code, or EU. */
export function regionCode(text: string): string {
  if (/^[A-Z]{2}$/.test(text)) return text
  throw new Mistake(`${JSON.stringify(text)} is not a country code of ISO 3166 in capital letters, such as SA, nor EU.`)
}

/** The region of the hosts that match: a host name, or `*.` before a domain for all hosts in it. */
export interface HostRegion {
  readonly host: string
  readonly region: string
}

/** `HOST=REGION`, such as `*.example.com=US`. */
export function hostRegion(text: string): HostRegion {
  const match = /^(?<host>(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?)=(?<region>[A-Z]{2})$/.exec(text)
  const { host, region } = match?.groups ?? {}
  if (host !== undefined && region !== undefined) return { host, region }
  throw new Mistake(`${JSON.stringify(text)} is not HOST=REGION. Write for example models.example.com=US or *.example.com=EU.`)
}

/** `N/SECONDS`, such as `100/60`. */
export function rateLimit(text: string): RateLimit {
  const match = /^(?<limit>[1-9]\d{0,8})\/(?<seconds>[1-9]\d{0,4})$/.exec(text)
  if (match === null)
    throw new Mistake(`${JSON.stringify(text)} is not N/SECONDS. Write for example 100/60 for 100 requests in 60 seconds.`)
  return { limit: Number(match.groups?.['limit']), windowSeconds: Number(match.groups?.['seconds']) }
}

/**
 * `forever`, or a number of days, weeks, months or years as an ISO 8601 duration. At least a day, since an `Idempotency-Key` refers to its
 * execution for that time.
 */
export function retention(text: string): { readonly ms: number | undefined } {
  if (text === 'forever') return { ms: undefined }
  const match = /^P(?<count>[1-9]\d{0,4})(?<unit>[DWMY])$/.exec(text)
  const days = Number(match?.groups?.['count']) * (daysOf[match?.groups?.['unit'] ?? ''] ?? Number.NaN)
  if (days <= 36_500) return { ms: days * 24 * 60 * 60 * 1000 }
  throw new Mistake(
    `${JSON.stringify(text)} is not a duration from a day to a hundred years. Write for example P30D, P6M or P1Y, or forever.`,
  )
}

/** `0`, or a number of days or weeks as an ISO 8601 duration, up to 90 days. Returns milliseconds. */
export function gracePeriod(text: string): number {
  if (text === '0') return 0
  const match = /^P(?<count>[1-9]\d?)(?<unit>[DW])$/.exec(text)
  const days = Number(match?.groups?.['count']) * (daysOf[match?.groups?.['unit'] ?? ''] ?? Number.NaN)
  if (days <= 90) return days * 24 * 60 * 60 * 1000
  throw new Mistake(`${JSON.stringify(text)} is not a duration from a day to 90 days. Write for example P7D or P2W, or 0 for none.`)
}

const daysOf: Readonly<Record<string, number>> = { D: 1, W: 7, M: 30, Y: 365 }

/** One of a few words. */
export function oneOf<const T extends string>(words: readonly T[]): Parse<T> {
  return (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word !== undefined) return word
    const guess = suggest(text, words)
    throw new Mistake(
      `${JSON.stringify(text)} is not known${guess === undefined ? '.' : `; did you mean ${guess}?`} Write one of ${words.join(', ')}.`,
    )
  }
}

/** Values separated by commas; the message names every invalid one. */
export function listOf<T>(parse: Parse<T>): Parse<readonly T[]> {
  return (text) => {
    const parts = text.split(',').map((part) => part.trim())
    const mistakes: string[] = []
    const values: T[] = []
    for (const part of parts.filter((candidate) => candidate !== '')) {
      try {
        values.push(parse(part))
      } catch (error) {
        if (!(error instanceof Mistake)) throw error
        mistakes.push(error.message)
      }
    }
    if (mistakes.length > 0) throw new Mistake(mistakes.join(' '))
    return values
  }
}

/** A connection string of PostgreSQL. It may contain a password, so no message repeats it. */
export function postgresUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    throw new Mistake(
      'is not a PostgreSQL connection string. Write postgresql://user:password@host:5432/database, special characters percent-encoded.',
    )
  }
  if (url.pathname.length < 2) throw new Mistake('names no database. Write postgresql://user:password@host:5432/database.')
  return text
}

/** The public URL of this installation: http or https, without a query. The result has no trailing slash. */
export function publicUrl(text: string): string {
  const url = URL.parse(text)
  if ((url?.protocol !== 'http:' && url?.protocol !== 'https:') || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Mistake(`${JSON.stringify(text)} is not a URL that a browser can open. Write for example https://millrace.example.com.`)
  }
  return url.href.replace(/\/+$/, '')
}

/** `https://app.example.com`, or `*` for any. */
export function origin(text: string): string {
  const url = URL.parse(text)
  if (text === '*' || (url !== null && url.origin === text)) return text
  throw new Mistake(`${JSON.stringify(text)} is not an origin. Write for example https://app.example.com, without a path, or * for any.`)
}

/** An IP address or a CIDR range. */
export function network(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const valid = prefix === undefined ? bits > 0 : /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
  if (valid && rest.length === 0 && !address.includes('%')) return text
  throw new Mistake(`${JSON.stringify(text)} is neither an IP address nor a range. Write for example 10.1.2.3, 10.0.0.0/8 or fd00::/8.`)
}

/** 32 bytes in base64, base64url or hexadecimal. The message does not repeat it. */
export function secretKey(text: string): Uint8Array {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (/^[\w+/-]+={0,2}$/.test(text) && bytes.length === 32) return new Uint8Array(bytes)
  throw new Mistake('is not 32 bytes in base64 or hexadecimal. Write what "openssl rand -base64 32" prints.')
}

/** A token that cannot be guessed. */
export function longToken(text: string): string {
  if (text.length < 16) throw new Mistake('is shorter than 16 characters. Write a random text, for example of `openssl rand -hex 24`.')
  return text
}
