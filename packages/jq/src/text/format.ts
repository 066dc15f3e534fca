import { grow, scan, type Machine } from '#src/compile/machine.ts'
import { describe, raise } from '#src/values/describe.ts'
import { stringify } from '#src/values/json-text.ts'
import { formatNumber } from '#src/values/number.ts'
import { isArray, typeOf, type Value } from '#src/values/value.ts'
import { fromBase32, fromBase64, toBase32, toBase64 } from './base-encodings.ts'
import { fromUtf8, toUtf8 } from './utf8.ts'

type Format = (text: string, value: Value, lengthMax: number) => string

const formats: Readonly<Record<string, Format>> = {
  text: (text) => text,
  json: (_text, value, lengthMax) => stringify(value, lengthMax),
  html: (text) => replaceAll(text, htmlEscapes, /[<>&'"\0]/g),
  uri: (text) => toUri(text),
  urid: (text) => fromUri(text),
  csv: (_text, value) => row(value, 'csv', csvText).join(','),
  tsv: (_text, value) => row(value, 'tsv', tsvText).join('\t'),
  sh: (_text, value) => (isArray(value) ? value : [value]).map(shellWord).join(' '),
  base64: (text) => toBase64(text),
  base64d: (text) => fromBase64(text),
  base32: (text) => toBase32(text),
  base32d: (text) => fromBase32(text),
}

/** `@name` of a value. */
export function formatValue(machine: Machine, name: string, value: Value): string {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (format === undefined) return raise(`${name} is not a valid format`)
  const lengthMax = machine.limits.size - machine.size
  const text = typeof value === 'string' ? value : stringify(value, lengthMax)
  scan(machine, isArray(value) ? value.length * 8 : text.length * 4)
  const formatted = format(text, value, lengthMax)
  grow(machine, formatted.length)
  return formatted
}

const htmlEscapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&apos;', '"': '&quot;', '\0': '\\0' }
const tsvEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r', '\n': '\\n', '\\': '\\\\', '\0': '\\0' }
const shellEscapes: Readonly<Record<string, string>> = { "'": "'\\''", '\0': '\\0' }

function replaceAll(text: string, escapes: Readonly<Record<string, string>>, pattern: RegExp): string {
  return text.replace(pattern, (character) => escapes[character] ?? character)
}

function csvText(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('\0', '\\0')}"`
}

function tsvText(text: string): string {
  return replaceAll(text, tsvEscapes, /[\t\r\n\\\0]/g)
}

function row(value: Value, kind: 'csv' | 'tsv', quoted: (text: string) => string): string[] {
  if (!isArray(value)) return raise(`${describe(value)} cannot be ${kind}-formatted, only array`)
  return value.map((cell) => {
    if (cell === null) return ''
    if (typeof cell === 'string') return quoted(cell)
    if (typeof cell === 'boolean' || typeof cell === 'bigint') return String(cell)
    if (typeof cell === 'number') return Number.isNaN(cell) ? '' : formatNumber(cell)
    return raise(`${describe(cell)} is not valid in a csv row`)
  })
}

function shellWord(value: Value): string {
  if (typeof value === 'string') return `'${replaceAll(value, shellEscapes, /['\0]/g)}'`
  if (typeOf(value) === 'array' || typeOf(value) === 'object') return raise(`${describe(value)} can not be escaped for shell`)
  return stringify(value)
}

// A character outside of ASCII is taken whole, and a lone surrogate alone.
const reserved = /[^A-Za-z0-9\-_.~]/gu

function toUri(text: string): string {
  return text.replace(reserved, (characters) => {
    let encoded = ''
    for (const byte of toUtf8(characters)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    return encoded
  })
}

function fromUri(text: string): string {
  const bytes: number[] = []
  for (let at = 0; at < text.length; ) {
    if (text.charAt(at) === '%') {
      const digits = text.slice(at + 1, at + 3)
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) return raise(`${describe(text)} is not a valid uri encoding`)
      bytes.push(Number.parseInt(digits, 16))
      at += 3
    } else {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd)
      bytes.push(...toUtf8(character))
      at += character.length
    }
  }
  const decoded = fromUtf8(Uint8Array.from(bytes))
  // Bytes that are no UTF-8 come back as other bytes.
  const valid = toUtf8(decoded).every((byte, at) => byte === bytes[at])
  return valid ? decoded : raise(`${describe(text)} is not a valid uri encoding`)
}
