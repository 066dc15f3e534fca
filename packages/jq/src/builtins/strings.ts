import { formatValue } from '#src/text/format.ts'
import { eachChunk, mapChunks } from '#src/text/chunks.ts'
import { findText } from '#src/text/search.ts'
import { utf8Length } from '#src/text/utf8.ts'
import { grow, round, scanOfRun, touchOfRun, work, type Machine } from '#src/compile/machine.ts'
import { codePointLength } from '#src/paths/access.ts'
import { splitText } from '#src/values/arithmetic.ts'
import { describe, raise } from '#src/values/describe.ts'
import { isArray, isNumeric, toNumber, type Value } from '#src/values/value.ts'
import { defined, value, type NativeTable } from './native.ts'

/** The offsets of `wanted` in code points, overlapping ones included. */
export function stringIndexes(machine: Machine, text: string, wanted: string): number[] {
  let units = 0
  let points = 0
  const places = findText(machine, text, wanted)
  grow(machine, places.length)
  return places.map((at, place) => {
    round(machine, place, places.length)
    points += codePointLength(text.slice(units, at))
    units = at
    return points
  })
}

function explode(machine: Machine, input: Value): Value {
  if (typeof input !== 'string') return raise('explode input must be a string')
  grow(machine, input.length)
  const codePoints: number[] = []
  eachChunk(input, 2, (chunk) => {
    for (const character of chunk) codePoints.push(replaceSurrogate(character.codePointAt(0) ?? 0xfffd))
  })
  return codePoints
}

function replaceSurrogate(codePoint: number): number {
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint
}

function implode(machine: Machine, input: Value): Value {
  if (!isArray(input)) return raise('implode input must be an array')
  grow(machine, input.length)
  const pieces: string[] = []
  for (let from = 0; from < input.length; from += codePointsAtOnce) {
    const some = input.slice(from, from + codePointsAtOnce)
    work(machine, some.length >> 2)
    pieces.push(String.fromCodePoint(...some.map(toCodePoint)))
  }
  return pieces.join('')
}

/** Code points that are joined at a time. */
const codePointsAtOnce = 1_024

function toCodePoint(item: Value): number {
  if (!isNumeric(item) || Number.isNaN(toNumber(item))) {
    return raise(`${describe(item)} can't be imploded, unicode codepoint needs to be numeric`)
  }
  const codePoint = Math.trunc(toNumber(item))
  return codePoint < 0 || codePoint > 0x10ffff ? 0xfffd : replaceSurrogate(codePoint)
}

function asciiCase(machine: Machine, input: Value, convert: (text: string) => string): Value {
  if (typeof input !== 'string') return raise('explode input must be a string')
  grow(machine, input.length)
  return mapChunks(input, 2, convert)
}

/** Texts without any letter but ASCII ones are converted by the host. */
// oxlint-disable-next-line no-control-regex -- ASCII has control characters.
const ascii = /^[\u0000-\u007f]*$/

function toLower(text: string): string {
  return ascii.test(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function toUpper(text: string): string {
  return ascii.test(text) ? text.toUpperCase() : text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
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

/** Unicode's White_Space, which differs from JavaScript's trim in U+0085 and U+FEFF. */
function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0
  return unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || otherSpaces.has(unit)
}

const otherSpaces: ReadonlySet<number> = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000])

function trimmed(input: Value, trim: (text: string) => string): Value {
  if (typeof input !== 'string') return raise('trim input must be a string')
  touchOfRun(input)
  return trim(input)
}

/** Characters are trimmed in lots of so many, a power of two less one. */
const trimMask = 4_095

function dropTrailing(text: string): string {
  let end = text.length
  for (; end > 0 && isSpace(text.charCodeAt(end - 1)); end--) if ((end & trimMask) === 0) scanOfRun(trimMask + 1)
  return text.slice(0, end)
}

function dropLeading(text: string): string {
  let start = 0
  for (; start < text.length && isSpace(text.charCodeAt(start)); start++) if ((start & trimMask) === 0) scanOfRun(trimMask + 1)
  return text.slice(start)
}

/** Text: code points, case, prefixes, white space. */
export const stringNatives: NativeTable = {
  'utf8bytelength/0': value((_machine, input) => {
    if (typeof input !== 'string') return raise(`${describe(input)} only strings have UTF-8 byte length`)
    let bytes = 0
    eachChunk(input, 1, (chunk) => {
      bytes += utf8Length(chunk)
    })
    return bytes
  }),
  'format/1': value((machine, input, name) =>
    typeof name === 'string' ? formatValue(machine, name, input) : raise(`${describe(name)} is not a valid format`),
  ),
  'explode/0': value(explode),
  'implode/0': value(implode),
  'ascii_downcase/0': value((machine, input) => asciiCase(machine, input, toLower)),
  'ascii_upcase/0': value((machine, input) => asciiCase(machine, input, toUpper)),
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
