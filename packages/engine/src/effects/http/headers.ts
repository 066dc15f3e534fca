import { isArray, isObject, type Json } from '#core/json.ts'
import { invalidArgument } from './http-call-error.ts'

/**
 * Reads the `headers` argument: names in lower case, null values for headers that are to be left out.
 *
 * Numbers and booleans are written as text, arrays joined with a comma. Throws a validation error for names and values that no header
 * can have (a line break would inject another header) and for headers that belong to the transport.
 */
export function parseHeaders(argument: Json | undefined): ReadonlyMap<string, string | null> {
  const headers = new Map<string, string | null>()
  if (argument === undefined || argument === null) return headers
  if (!isObject(argument)) throw invalidArgument('"headers" must be an object of names and values.')
  for (const [written, value] of Object.entries(argument)) {
    const name = written.toLowerCase()
    checkName(written, name)
    if (headers.has(name)) throw invalidArgument(`The header "${written}" is given twice, in different case.`)
    headers.set(name, value === null ? null : headerText(written, value))
  }
  return headers
}

/** Throws when text cannot be the value of a header; `subject` names it to the reader. */
export function checkHeaderValue(subject: string, value: string): string {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw invalidArgument(
      `${subject} has a character that no header can carry (a line break, a control character, or one outside Latin-1).`,
    )
  }
  return value
}

const token = /^[!#$%&'*+.^_`|~\w-]+$/

/** Headers that frame the message or name the peer. Setting them permits request smuggling. */
const transportOwned: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function checkName(written: string, name: string): void {
  if (!token.test(written)) throw invalidArgument(`${JSON.stringify(written)} is not a header name.`)
  if (transportOwned.has(name)) throw invalidArgument(`The header "${written}" cannot be set: it follows from the request itself.`)
}

function headerText(name: string, value: Json): string {
  const text = isArray(value) ? value.map((item) => scalarText(name, item)).join(', ') : scalarText(name, value)
  return checkHeaderValue(`The header "${name}"`, text.trim())
}

function scalarText(name: string, value: Json): string {
  if (typeof value === 'object') throw invalidArgument(`The header "${name}" must be a string, number or boolean.`)
  return String(value)
}
