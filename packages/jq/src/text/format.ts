import { grow, roundOfRun, scanOfRun, type Machine } from '#src/compile/machine.ts'
import { describe, raise } from '#src/values/describe.ts'
import { stringify } from '#src/values/json-text.ts'
import { formatNumber } from '#src/values/number.ts'
import { isArray, typeOf, type Value } from '#src/values/value.ts'
import { mapChunks } from './chunks.ts'
import { fromBase32, fromBase64, toBase32, toBase64 } from './base-encodings.ts'
import { strictUtf8, toUtf8 } from './utf8.ts'

type Format = (text: string, value: Value, lengthMax: number) => string

const formats: Readonly<Record<string, Format>> = {
  text: (text) => text,
  json: (_text, value, lengthMax) => stringify(value, lengthMax),
  html: (text) => mapChunks(text, 2, (chunk) => replaceAll(chunk, htmlEscapes, /[<>&'"\0]/g)),
  uri: (text) => mapChunks(text, 4, toUri),
  urid: (text) => fromUri(text),
  csv: (_text, value) => row(value, 'csv', csvText).join(','),
  tsv: (_text, value) => row(value, 'tsv', tsvText).join('\t'),
  sh: (_text, value) => shellWords(isArray(value) ? value : [value]).join(' '),
  base64: (text) => toBase64(text),
  base64d: (text) => fromBase64(text),
  base32: (text) => toBase32(text),
  base32d: (text) => fromBase32(text),
}

/** Formats that look at the value and not at its text. */
const ofValues: ReadonlySet<string> = new Set(['json', 'csv', 'tsv', 'sh'])

/** `@name` of a value. */
export function formatValue(machine: Machine, name: string, value: Value): string {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (format === undefined) return raise(`${name} is not a valid format`)
  const lengthMax = machine.limits.size - machine.size
  const text = typeof value === 'string' || ofValues.has(name) ? value : stringify(value, lengthMax)
  const formatted = format(typeof text === 'string' ? text : '', value, lengthMax)
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
  return `"${mapChunks(text, 2, (chunk) => chunk.replaceAll('"', '""').replaceAll('\0', '\\0'))}"`
}

function tsvText(text: string): string {
  return mapChunks(text, 2, (chunk) => replaceAll(chunk, tsvEscapes, /[\t\r\n\\\0]/g))
}

function row(value: Value, kind: 'csv' | 'tsv', quoted: (text: string) => string): string[] {
  if (!isArray(value)) return raise(`${describe(value)} cannot be ${kind}-formatted, only array`)
  return value.map((cell, at) => {
    roundOfRun(at, value.length, 1)
    if (cell === null) return ''
    if (typeof cell === 'string') return quoted(cell)
    if (typeof cell === 'boolean' || typeof cell === 'bigint') return String(cell)
    if (typeof cell === 'number') return Number.isNaN(cell) ? '' : formatNumber(cell)
    return raise(`${describe(cell)} is not valid in a csv row`)
  })
}

function shellWords(values: readonly Value[]): string[] {
  return values.map((value, at) => {
    roundOfRun(at, values.length, 1)
    return shellWord(value)
  })
}

function shellWord(value: Value): string {
  if (typeof value === 'string') return `'${mapChunks(value, 2, (chunk) => replaceAll(chunk, shellEscapes, /['\0]/g))}'`
  if (typeOf(value) === 'array' || typeOf(value) === 'object') return raise(`${describe(value)} can not be escaped for shell`)
  return stringify(value)
}

// A character outside of ASCII is taken whole, and a lone surrogate alone.
const reserved = /[^A-Za-z0-9\-_.~]+/gu
const escapedByte: readonly string[] = Array.from({ length: 256 }, (_none, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)

function toUri(text: string): string {
  return text.replace(reserved, (characters) => {
    let encoded = ''
    for (const byte of toUtf8(characters)) encoded += escapedByte[byte] ?? ''
    return encoded
  })
}

function fromUri(text: string): string {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const percent = text.indexOf('%', at)
    const end = percent < 0 ? text.length : percent
    scanOfRun(end - at)
    if (end > at) pieces.push(text.slice(at, end))
    const bytes = escapedBytes(text, end)
    const decoded = bytes === undefined ? undefined : strictUtf8(Uint8Array.from(bytes))
    if (bytes === undefined || decoded === undefined) return raise(`${describe(text)} is not a valid uri encoding`)
    pieces.push(decoded)
    at = end + bytes.length * 3
  }
  return pieces.join('')
}

const hexPair = /^[0-9a-fA-F]{2}$/

/** The bytes that stand in a row as `%XX` at a place; `undefined` where a `%` has no two digits after it. */
function escapedBytes(text: string, from: number): number[] | undefined {
  const bytes: number[] = []
  for (let at = from; text.charAt(at) === '%'; at += 3) {
    roundOfRun(bytes.length, text.length, 2)
    const digits = text.slice(at + 1, at + 3)
    if (!hexPair.test(digits)) return undefined
    bytes.push(Number.parseInt(digits, 16))
  }
  return bytes
}
