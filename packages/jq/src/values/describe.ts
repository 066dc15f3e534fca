import { JqError } from '#src/errors.ts'
import { workOfRun } from '#src/compile/machine.ts'
import { stringify } from './json-text.ts'
import { typeOf, type Json, type Value } from './value.ts'

/** jq quotes at most this many bytes of a value in a message. */
const quotedBytesMax = 29

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

function prefixOfBytes(text: string, bytesMax: number): string {
  let bytes = 0
  let length = 0
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0) ?? 0)
    if (bytes > bytesMax) return text.slice(0, length)
    length += character.length
  }
  return text
}

/** The JSON of a value, cut as jq cuts it: the closing mark of a string, array or object stays. */
export function excerpt(value: Value): string {
  const text = stringify(value, quotedBytesMax * 2)
  if (prefixOfBytes(text, quotedBytesMax) === text) return text
  const type = typeOf(value)
  const closing = type === 'string' ? '"' : type === 'array' ? ']' : type === 'object' ? '}' : ''
  return `${prefixOfBytes(text, quotedBytesMax - 3 - closing.length)}...${closing}`
}

/** `type (excerpt)`, the way nearly every jq message names a value. */
export function describe(value: Value): string {
  return `${typeOf(value)} (${excerpt(value)})`
}

/** To raise an error takes about as long as so many steps. */
const raiseSteps = 8

/** An error of the program itself, which `try` can catch. */
export function raise(message: string): never {
  workOfRun(raiseSteps)
  throw new JqError(message)
}

/** A message shows about so much of a value that is no text. */
const messageLengthMax = 10_000

/** `error(value)`: any value can be thrown. */
export function raiseValue(value: Value): never {
  // A host sees the value as JSON; the handler of a `try` gets back the very value that was thrown.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `toJson` at the edge of a run replaces kept integers.
  const thrown = value as Json
  workOfRun(raiseSteps)
  throw new JqError(thrown, typeof value === 'string' ? value : `${stringify(value, messageLengthMax)} (not a string)`)
}
