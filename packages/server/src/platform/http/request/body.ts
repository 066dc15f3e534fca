import { isUtf8 } from 'node:buffer'
import { type AnyOperation, documentTypes, Fault, formType, type InvalidPart } from '@millrace/contract'
import { escapePointer } from '#platform/json-pointer.ts'

/** Limits of the nesting and the number of JSON values, in addition to the limit of bytes. */
export const jsonDepthMax = 64
export const jsonValuesMax = 100_000

/**
 * Reads the body of a request: a JSON value, or a document in a text format as the member that the operation names. An empty body reads as `{}`.
 *
 * Faults: `unsupported_media_type`, `malformed_json`, and `request_invalid` for JSON with too many levels or values, and for text that
 * PostgreSQL cannot store.
 */
export function readBody(op: AnyOperation, contentType: string | undefined, bytes: Buffer | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return {}
  const kind = kindOf(op, contentType)
  if (kind === 'document') return readDocument(op, textOf(bytes))
  if (kind === 'form') return readForm(textOf(bytes))
  const value = readJson(bytes)
  return isBareDocument(op, value) && op.document !== undefined ? { [op.document.field]: bytes.toString('utf8') } : value
}

/** Reads JSON within the bounds; the faults are those of `readBody`. */
export function readJson(bytes: Buffer): unknown {
  const text = textOf(bytes)
  assertShape(bytes)
  const value = parseJson(text)
  // Only an escape can produce NUL or half a surrogate pair in a string, so most bodies need no second walk.
  if (text.includes('\\u')) assertStorable(value, '')
  // Only a number with 16 digits, or an exponent of three digits, can exceed a double. The pattern may also match inside a string, which is harmless.
  if (longNumber.test(text)) assertExact(text)
  return value
}

const longNumber = /\d{16}|\d[eE][+-]?\d{3}/

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Fault('malformed_json', { detail: 'The body is not valid UTF-8.' })
  return bytes.toString('utf8')
}

function kindOf(op: AnyOperation, contentType: string | undefined): 'json' | 'document' | 'form' {
  if (contentType === 'application/json') return 'json'
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find((name) => name !== undefined)
  const essence = type.trim()
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8') {
    if (essence === 'application/json') return 'json'
    if (op.form !== undefined && essence === formType) return 'form'
    if (op.document !== undefined && documentTypes.some((candidate) => candidate === essence)) return 'document'
  }
  const accepted = ['application/json', ...(op.document === undefined ? [] : documentTypes), ...(op.form === undefined ? [] : [formType])]
  throw new Fault('unsupported_media_type', { detail: `Send the body as ${accepted.join(' or ')} in UTF-8, and say so in Content-Type.` })
}

function readDocument(op: AnyOperation, text: string): unknown {
  if (text.includes('\0')) throw invalid('', 'Contains the character NUL, which no JSON or YAML has: it may be a file of another kind.')
  return op.document === undefined ? {} : { [op.document.field]: text }
}

/** Reads a form. A field that occurs twice is refused: two readers could see different values (RFC 6749, section 3.1). */
function readForm(text: string): unknown {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name)) throw invalid(`/${escapePointer(name)}`, 'Occurs more than once.')
    fields[name] = value
  }
  const read = { ...fields }
  assertStorable(read, '')
  return read
}

/** True for a JSON body that is the document itself and not an object with the document as a member. */
function isBareDocument(op: AnyOperation, value: unknown): boolean {
  if (op.document === undefined || typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, op.document.mark) && !Object.hasOwn(value, op.document.field)
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Checks the limits by counting brackets and commas, before anything is parsed. */
function assertShape(bytes: Uint8Array): void {
  if (bytes.length <= jsonDepthMax) return
  let depth = 0
  let values = 1
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === comma) values++
    else if (byte === openBrace || byte === openBracket) {
      values++
      if (++depth > jsonDepthMax) throw invalid('', `Is nested deeper than ${jsonDepthMax} levels.`)
    } else if (byte === closeBrace || byte === closeBracket) depth--
  }
  if (values > jsonValuesMax) throw invalid('', `Contains more than ${jsonValuesMax} values.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const at = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined
    if (at === undefined) throw new Fault('malformed_json', { detail: 'The body is not JSON: it is truncated or has another format.' })
    const before = text.slice(0, Number(at)).split('\n')
    throw new Fault('malformed_json', {
      detail: `The body is not JSON: unexpected character at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}.`,
    })
  }
}

function assertStorable(value: unknown, pointer: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalid(pointer, 'Contains the character NUL, which cannot be stored.')
    if (!value.isWellFormed()) throw invalid(pointer, 'Contains half of a surrogate pair, which is not a character.')
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) assertStorable(item, `${pointer}/${index}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      assertStorable(key, pointer)
      assertStorable(item, `${pointer}/${escapePointer(key)}`)
    }
  }
}

/** Marks a number that parsing would alter. */
class Altered {
  readonly detail: string

  constructor(detail: string) {
    this.detail = detail
  }
}

/**
 * Refuses numbers that parsing would alter silently: one beyond the range of a double becomes null, one too small becomes 0, and a large integer
 * loses digits. Fractions are rounded, as usual with JSON.
 */
function assertExact(text: string): void {
  const marked: unknown = JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    const detail = typeof value === 'number' ? alteration(value, context?.source ?? '') : undefined
    return detail === undefined ? value : new Altered(detail)
  })
  const errors: InvalidPart[] = []
  const visit = (value: unknown, pointer: string): void => {
    if (value instanceof Altered) errors.push({ pointer, detail: value.detail })
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) if (errors.length < alteredMax) visit(item, `${pointer}/${escapePointer(key)}`)
  }
  visit(marked, '')
  if (errors.length > 0) throw new Fault('request_invalid', { errors })
}

const alteredMax = 100

function alteration(value: number, source: string): string | undefined {
  if (!Number.isFinite(value)) return 'Is beyond the largest number, about 1.8e308. Send it as text.'
  if (value === 0)
    return /[1-9]/.test(source.split(/[eE]/)[0] ?? '') ? 'Is too small for a number and would be 0. Send it as text.' : undefined
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(source) || BigInt(source) === BigInt(value)) return undefined
  return 'Is a whole number beyond 2^53 that would lose digits. Send it as text.'
}

function invalid(pointer: string, detail: string): Fault {
  const part: InvalidPart = { pointer, detail }
  return new Fault('request_invalid', { errors: [part] })
}
