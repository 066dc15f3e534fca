import { formatValue } from '#src/text/format.ts'
import { utf8Length } from '#src/text/utf8.ts'
import { grow, type Machine } from '#src/compile/machine.ts'
import { codePointLength } from '#src/paths/access.ts'
import { splitText } from '#src/values/arithmetic.ts'
import { describe, raise } from '#src/values/describe.ts'
import { isArray, isNumeric, toNumber, type Value } from '#src/values/value.ts'
import { defined, value, type NativeTable } from './native.ts'

/** Where `wanted` starts, in code points, overlapping places included. */
export function stringIndexes(text: string, wanted: string): number[] {
  const found: number[] = []
  if (wanted === '') return found
  let units = 0
  let points = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    points += codePointLength(text.slice(units, at))
    units = at
    found.push(points)
  }
  return found
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
  let text = ''
  for (const item of input) {
    if (!isNumeric(item) || Number.isNaN(toNumber(item))) {
      return raise(`${describe(item)} can't be imploded, unicode codepoint needs to be numeric`)
    }
    const codePoint = Math.trunc(toNumber(item))
    text += String.fromCodePoint(codePoint < 0 || codePoint > 0x10ffff ? 0xfffd : replaceSurrogate(codePoint))
  }
  return text
}

function asciiCase(input: Value, pattern: RegExp, convert: (text: string) => string): Value {
  return typeof input === 'string' ? input.replace(pattern, convert) : raise('explode input must be a string')
}

function startsWith(input: Value, prefix: Value): boolean {
  if (typeof input !== 'string' || typeof prefix !== 'string') return raise('startswith() requires string inputs')
  return input.startsWith(prefix)
}

function endsWith(input: Value, suffix: Value): boolean {
  if (typeof input !== 'string' || typeof suffix !== 'string') return raise('endswith() requires string inputs')
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

function trimmed(input: Value, trim: (text: string) => string): Value {
  return typeof input === 'string' ? trim(input) : raise('trim input must be a string')
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
  'utf8bytelength/0': value((_machine, input) =>
    typeof input === 'string' ? utf8Length(input) : raise(`${describe(input)} only strings have UTF-8 byte length`),
  ),
  'format/1': value((machine, input, name) =>
    typeof name === 'string' ? formatValue(machine, name, input) : raise(`${describe(name)} is not a valid format`),
  ),
  'explode/0': value(explode),
  'implode/0': value(implode),
  'ascii_downcase/0': value((_machine, input) => asciiCase(input, /[A-Z]+/g, (text) => text.toLowerCase())),
  'ascii_upcase/0': value((_machine, input) => asciiCase(input, /[a-z]+/g, (text) => text.toUpperCase())),
  'startswith/1': value((_machine, input, prefix) => startsWith(input, prefix)),
  'endswith/1': value((_machine, input, suffix) => endsWith(input, suffix)),
  'ltrimstr/1': defined((_machine, input, prefix) => trimStart(input, prefix)),
  'rtrimstr/1': defined((_machine, input, suffix) => trimEnd(input, suffix)),
  'trimstr/1': defined((_machine, input, affix) => trimEnd(trimStart(input, affix), affix)),
  'trim/0': value((_machine, input) => trimmed(input, (text) => dropTrailing(dropLeading(text)))),
  'ltrim/0': value((_machine, input) => trimmed(input, dropLeading)),
  'rtrim/0': value((_machine, input) => trimmed(input, dropTrailing)),
  'split/1': value((machine, input, separator) =>
    typeof input === 'string' && typeof separator === 'string'
      ? splitText(machine, input, separator)
      : raise('split input and separator must be strings'),
  ),
  '_strindices/1': value((_machine, input, wanted) => {
    if (typeof input !== 'string') return raise(`${describe(input)} cannot be searched, as it is not a string`)
    return typeof wanted === 'string' ? stringIndexes(input, wanted) : raise(`${describe(wanted)} is not a string`)
  }),
  'ascii/0': value((_machine, input) =>
    isNumeric(input) && input >= 0 && input <= 127
      ? String.fromCodePoint(Math.trunc(toNumber(input)))
      : raise('ascii only takes integers between 0 and 127'),
  ),
}
