import { formatValue } from '#src/text/format.ts'
import { findText } from '#src/text/search.ts'
import { utf8Length } from '#src/text/utf8.ts'
import { grow, scan, scanOfRun, touchOfRun, type Machine } from '#src/compile/machine.ts'
import { codePointLength } from '#src/paths/access.ts'
import { splitText } from '#src/values/arithmetic.ts'
import { describe, raise } from '#src/values/describe.ts'
import { isArray, isNumeric, toNumber, type Value } from '#src/values/value.ts'
import { defined, value, type NativeTable } from './native.ts'

/** Where `wanted` starts, in code points, overlapping places included. */
export function stringIndexes(machine: Machine, text: string, wanted: string): number[] {
  let units = 0
  let points = 0
  const places = findText(machine, text, wanted)
  grow(machine, places.length)
  return places.map((at) => {
    points += codePointLength(text.slice(units, at))
    units = at
    return points
  })
}

function explode(machine: Machine, input: Value): Value {
  if (typeof input !== 'string') return raise('explode input must be a string')
  grow(machine, input.length)
  return Array.from(input, (character) => replaceSurrogate(character.codePointAt(0) ?? 0xfffd))
}

function replaceSurrogate(codePoint: number): number {
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint
}

function implode(machine: Machine, input: Value): Value {
  if (!isArray(input)) return raise('implode input must be an array')
  grow(machine, input.length)
  // Characters put together one by one would each cost as much as a small container.
  const parts: string[] = []
  let text = ''
  for (const item of input) {
    if (!isNumeric(item) || Number.isNaN(toNumber(item))) {
      return raise(`${describe(item)} can't be imploded, unicode codepoint needs to be numeric`)
    }
    const codePoint = Math.trunc(toNumber(item))
    text += String.fromCodePoint(codePoint < 0 || codePoint > 0x10ffff ? 0xfffd : replaceSurrogate(codePoint))
    if (text.length > 1_000) {
      parts.push(text)
      text = ''
    }
  }
  return parts.length === 0 ? text : [...parts, text].join('')
}

function asciiCase(machine: Machine, input: Value, pattern: RegExp, convert: (text: string) => string): Value {
  if (typeof input !== 'string') return raise('explode input must be a string')
  grow(machine, input.length)
  return input.replace(pattern, convert)
}

function startsWith(input: Value, prefix: Value): boolean {
  if (typeof input !== 'string' || typeof prefix !== 'string') return raise('startswith() requires string inputs')
  touchOfRun(input)
  scanOfRun(prefix.length >> 4)
  return input.startsWith(prefix)
}

function endsWith(input: Value, suffix: Value): boolean {
  if (typeof input !== 'string' || typeof suffix !== 'string') return raise('endswith() requires string inputs')
  touchOfRun(input)
  scanOfRun(suffix.length >> 4)
  return input.endsWith(suffix)
}

function trimStart(input: Value, prefix: Value): Value {
  return startsWith(input, prefix) && typeof input === 'string' && typeof prefix === 'string' ? input.slice(prefix.length) : input
}

function trimEnd(input: Value, suffix: Value): Value {
  return endsWith(input, suffix) && typeof input === 'string' && typeof suffix === 'string'
    ? input.slice(0, input.length - suffix.length)
    : input
}

// Unicode's White_Space, which differs from JavaScript's trim in U+0085 and U+FEFF.
const leadingSpace = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
const trailingSpace = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/

function trimmed(machine: Machine, input: Value, trim: (text: string) => string): Value {
  if (typeof input !== 'string') return raise('trim input must be a string')
  scan(machine, input.length)
  return trim(input)
}

function dropTrailing(text: string): string {
  // A pattern anchored only at the end would try every run of spaces inside the text again and again.
  let end = text.length
  while (end > 0 && trailingSpace.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

function dropLeading(text: string): string {
  return text.replace(leadingSpace, '')
}

/** Text: code points, case, prefixes, white space. */
export const stringNatives: NativeTable = {
  'utf8bytelength/0': value((machine, input) => {
    if (typeof input !== 'string') return raise(`${describe(input)} only strings have UTF-8 byte length`)
    scan(machine, input.length)
    return utf8Length(input)
  }),
  'format/1': value((machine, input, name) =>
    typeof name === 'string' ? formatValue(machine, name, input) : raise(`${describe(name)} is not a valid format`),
  ),
  'explode/0': value(explode),
  'implode/0': value(implode),
  'ascii_downcase/0': value((machine, input) => asciiCase(machine, input, /[A-Z]+/g, (text) => text.toLowerCase())),
  'ascii_upcase/0': value((machine, input) => asciiCase(machine, input, /[a-z]+/g, (text) => text.toUpperCase())),
  'startswith/1': value((_machine, input, prefix) => startsWith(input, prefix)),
  'endswith/1': value((_machine, input, suffix) => endsWith(input, suffix)),
  'ltrimstr/1': defined((_machine, input, prefix) => trimStart(input, prefix)),
  'rtrimstr/1': defined((_machine, input, suffix) => trimEnd(input, suffix)),
  'trimstr/1': defined((_machine, input, affix) => trimEnd(trimStart(input, affix), affix)),
  'trim/0': value((machine, input) => trimmed(machine, input, (text) => dropTrailing(dropLeading(text)))),
  'ltrim/0': value((machine, input) => trimmed(machine, input, dropLeading)),
  'rtrim/0': value((machine, input) => trimmed(machine, input, dropTrailing)),
  'split/1': value((machine, input, separator) =>
    typeof input === 'string' && typeof separator === 'string'
      ? splitText(machine, input, separator)
      : raise('split input and separator must be strings'),
  ),
  '_strindices/1': value((machine, input, wanted) => {
    if (typeof input !== 'string') return raise(`${describe(input)} cannot be searched, as it is not a string`)
    return typeof wanted === 'string' ? stringIndexes(machine, input, wanted) : raise(`${describe(wanted)} is not a string`)
  }),
  'ascii/0': value((_machine, input) =>
    isNumeric(input) && input >= 0 && input <= 127
      ? String.fromCodePoint(Math.trunc(toNumber(input)))
      : raise('ascii only takes integers between 0 and 127'),
  ),
}
