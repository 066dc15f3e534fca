import type { Json } from '#src/json.ts'

// oxlint-disable-next-line no-control-regex -- These are the characters that YAML does not print.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udfff]/
const escapes = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Words that YAML reads as something else than text, also in its version 1.1. */
const words = /^(?:null|true|false|yes|no|on|off|y|n|~)$/i
const numberLike = /^[-+.]?(?:\d|\.\d|inf$|nan$)/i

/** A string, number, boolean or null in YAML, in one line. */
export function printScalar(value: Json, inFlow: boolean): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (isPlain(value, inFlow)) return value
  return unprintable.test(value) ? doubleQuoted(value) : singleQuoted(value)
}

export function singleQuoted(value: string): string {
  return unprintable.test(value) ? doubleQuoted(value) : `'${value.replaceAll("'", "''")}'`
}

export function doubleQuoted(value: string): string {
  return JSON.stringify(value).replaceAll(escapes, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function isPlain(value: string, inFlow: boolean): boolean {
  if (value === '' || value.trim() !== value || unprintable.test(value) || words.test(value) || numberLike.test(value)) return false
  if (!/^[A-Za-z_$./(\u00a1-\uffff]/.test(value) || /: |:$| #|^(?:---|\.\.\.)/.test(value)) return false
  return !inFlow || !/[[\]{},:]/.test(value)
}

/** Whether a text with several lines can be written as a literal block. */
export function isLiteral(value: string): boolean {
  const lines = value.split('\n')
  const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  if (body.length < 2 || body.at(-1) === '' || unprintable.test(value.replaceAll('\n', ''))) return false
  return !/^\s/.test(value) && body.every((line) => line === '' || line.trim() !== '')
}
