import { StacklessError } from '#src/errors.ts'
import { decodeEscapes } from '#src/syntax/escape.ts'
import { scanOfRun, workOfRun } from '#src/compile/machine.ts'
import { eachChunk } from '#src/text/chunks.ts'
import { utf8Length } from '#src/text/utf8.ts'
import { parseNumberText } from './number-text.ts'
import { put, type MutableObject, type Value } from './value.ts'

/** jq reads no deeper than this. */
const depthMax = 10_000

/** Tokens are counted in lots of so many, a power of two less one; so many of them take about as long as a step. */
const tokensMask = 255
const tokensPerStep = 4
/** Reading a character takes as long as reading so many of an ordinary text. */
const characterWeight = 2

export type ReadResult = { readonly value: Value } | { readonly fault: string }

type Container =
  | { readonly kind: 'array'; readonly list: Value[] }
  | { readonly kind: 'object'; readonly object: MutableObject; key: string | undefined }

/** jq's reader as it stands between two tokens. */
interface Reader {
  readonly text: string
  at: number
  readonly stack: Container[]
  /** A value that is read but not yet placed. */
  pending: Value | undefined
  /** After a comma something has to follow. */
  comma: boolean
}

class Fault extends StacklessError {}

/** The place as jq counts it: lines from one, columns in bytes from the last newline. */
function place(text: string, end: number): string {
  const before = text.slice(0, end)
  const newline = before.lastIndexOf('\n')
  const beyond = Math.max(0, end - text.length)
  let column = beyond
  eachChunk(newline < 0 ? before : before.slice(newline), 1, (chunk) => {
    column += utf8Length(chunk)
  })
  return `line ${before.split('\n').length}, column ${column}`
}

function fail(reader: Reader, message: string, at = reader.at + 1): never {
  throw new Fault(`${message} at ${place(reader.text, at)}`)
}

function failAtEnd(reader: Reader, message: string): never {
  throw new Fault(`${message} at EOF at ${place(reader.text, reader.text.length)}`)
}

/**
 * Reads JSON on a stack of its own, with jq's liberties (NaN, leading zeros, a leading plus) and in its words when it fails.
 */
export function readJson(text: string): ReadResult {
  const reader: Reader = { text, at: text.startsWith('\ufeff') ? 1 : 0, stack: [], pending: undefined, comma: false }
  try {
    let counted = 0
    for (let tokens = 0; reader.at < text.length; tokens++) {
      if ((tokens & tokensMask) === 0) {
        // Reading costs by token and by character.
        workOfRun((tokensMask + 1) / tokensPerStep)
        scanOfRun((reader.at - counted) * characterWeight)
        counted = reader.at
      }
      step(reader)
    }
    if (reader.stack.length > 0) failAtEnd(reader, 'Unfinished JSON term')
    return reader.pending === undefined ? { fault: 'Expected JSON value' } : { value: reader.pending }
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message }
    throw error
  }
}

const literalEnd = /[\s"[\]{},:']/g

function step(reader: Reader): void {
  const character = reader.text.charAt(reader.at)
  switch (character) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      reader.at++
      return
    case '[':
    case '{':
      return open(reader, character)
    case ']':
    case '}':
      return close(reader, character)
    case ',':
      return separate(reader)
    case ':':
      return colon(reader)
    case '"':
      return readString(reader)
    case "'":
      return failQuote(reader)
    default:
      return readLiteral(reader)
  }
}

function failQuote(reader: Reader): never {
  const end = reader.text.indexOf("'", reader.at + 1)
  const message = 'Invalid string literal; expected ", but got \''
  return end < 0 || end === reader.text.length - 1 ? failAtEnd(reader, message) : fail(reader, message, end + 2)
}

function accept(reader: Reader, value: Value, end: number): void {
  if (reader.pending !== undefined) {
    if (reader.stack.length === 0) throw new Fault('Unexpected extra JSON values')
    fail(reader, 'Expected separator between values', end)
  }
  reader.pending = value
  reader.comma = false
}

function open(reader: Reader, character: '[' | '{'): void {
  if (reader.pending !== undefined) accept(reader, null, reader.at + 1)
  if (reader.stack.length >= depthMax) fail(reader, 'Exceeds depth limit for parsing')
  reader.stack.push(character === '[' ? { kind: 'array', list: [] } : { kind: 'object', object: {}, key: undefined })
  reader.comma = false
  reader.at++
}

/** Puts the pending value where it belongs. */
function settle(reader: Reader, top: Container): void {
  const { pending } = reader
  if (pending === undefined) return
  if (top.kind === 'array') top.list.push(pending)
  else if (top.key === undefined) fail(reader, 'Objects must consist of key:value pairs')
  else {
    put(top.object, top.key, pending)
    top.key = undefined
  }
  reader.pending = undefined
}

function close(reader: Reader, character: ']' | '}'): void {
  const top = reader.stack.at(-1)
  if (top === undefined || (top.kind === 'array') !== (character === ']')) fail(reader, `Unmatched '${character}'`)
  if (reader.pending === undefined && reader.comma) {
    fail(reader, top.kind === 'array' ? 'Expected another array element' : 'Expected another key-value pair')
  }
  if (top.kind === 'object' && reader.pending === undefined && top.key !== undefined) fail(reader, `Unmatched '${character}'`)
  settle(reader, top)
  reader.stack.pop()
  reader.at++
  accept(reader, top.kind === 'array' ? top.list : top.object, reader.at)
}

function separate(reader: Reader): void {
  const top = reader.stack.at(-1)
  if (reader.pending === undefined) fail(reader, "Expected value before ','")
  if (top === undefined) fail(reader, "',' not as part of an object or array")
  settle(reader, top)
  reader.comma = true
  reader.at++
}

function colon(reader: Reader): void {
  const top = reader.stack.at(-1)
  if (reader.pending === undefined) fail(reader, "Expected string key before ':'")
  if (top?.kind !== 'object') fail(reader, "':' not as part of an object")
  if (top.key !== undefined) fail(reader, "':' should follow a key")
  if (typeof reader.pending !== 'string') fail(reader, 'Object keys must be strings')
  top.key = reader.pending
  reader.pending = undefined
  reader.at++
}

function readString(reader: Reader): void {
  const end = endOfString(reader)
  const inner = reader.text.slice(reader.at + 1, end)
  const decoded = !needsDecoding.test(inner)
    ? inner
    : // oxlint-disable-next-line no-control-regex -- control characters are just what has to be found.
      inner.replace(/(?:\\(?:u.{0,4}|[^]))+|[\u0000-\u001f]/g, (run) => {
        if (!run.startsWith('\\')) fail(reader, 'Invalid string: control characters from U+0000 through U+001F must be escaped', end + 1)
        const text = decodeEscapes(run)
        return typeof text === 'string' ? text : fail(reader, text.message.slice(0, text.message.indexOf(' at line')), end + 1)
      })
  accept(reader, decoded, end + 1)
  reader.at = end + 1
}

// oxlint-disable-next-line no-control-regex -- control characters are just what has to be found.
const needsDecoding = /[\\\u0000-\u001f]/

/** Strings are read in lots of so many characters. */
const stringLot = 4_096

function endOfString(reader: Reader): number {
  const { text } = reader
  let counted = reader.at + stringLot
  let end = reader.at + 1
  for (let unit = text.charCodeAt(end); end < text.length && unit !== 0x22; unit = text.charCodeAt(end)) {
    end += unit === 0x5c ? 2 : 1
    if (end >= counted) {
      scanOfRun(stringLot * characterWeight)
      counted += stringLot
    }
  }
  return end < text.length ? end : failAtEnd(reader, 'Unfinished string')
}

const words: Readonly<Record<string, Value>> = { null: null, true: true, false: false }

function readLiteral(reader: Reader): void {
  literalEnd.lastIndex = reader.at
  const found = literalEnd.exec(reader.text)
  const end = found === null ? reader.text.length : found.index
  const word = reader.text.slice(reader.at, end)
  const value = Object.hasOwn(words, word) ? words[word] : parseNumberText(word)
  if (value === undefined) {
    // jq guesses from the first letter which of its words was meant, but not for an `n` that could begin `nan`.
    const kind = /^(?:t|f|nu)/.test(word) ? 'Invalid literal' : 'Invalid numeric literal'
    if (found === null) failAtEnd(reader, kind)
    fail(reader, kind, end + 1)
  }
  accept(reader, value, end + 1)
  reader.at = end
}
