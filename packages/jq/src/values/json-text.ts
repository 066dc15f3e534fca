import { scanOfRun, touchOfRun, workOfRun } from '#src/compile/machine.ts'
import { mapChunks } from '#src/text/chunks.ts'
import { compareStrings, sorted } from './compare.ts'
import { fieldsOf, keysOf } from './keys.ts'
import { formatNumber } from './number.ts'
import { isArray, orNull, type Value } from './value.ts'

/** jq stops printing here and writes a marker instead. */
const printDepthMax = 10_000
const marker = '"<skipped: too deep>"'

/** Printing reports its work in lots of this many values, a power of two less one. */
const roundsMask = 1023
/** Text is put together in pieces of about this length, so that no long one is ever made of countless short ones. */
const pieceLength = 8_192
/** Escaping a character takes about as long as reading so many. */
const escapeWeight = 2

// A control character that JSON.stringify leaves alone but jq escapes.
const deleteCharacter = /\u007f/g
// oxlint-disable-next-line no-control-regex -- control characters are just what has to be found.
const needsEscape = /["\\\u0000-\u001f\u007f\ud800-\udfff]/
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function quote(text: string): string {
  return `"${mapChunks(text, escapeWeight, escaped)}"`
}

function escaped(text: string): string {
  if (!needsEscape.test(text)) return text
  return JSON.stringify(text.replace(loneSurrogate, '\ufffd')).slice(1, -1).replace(deleteCharacter, '\\u007f')
}

interface Frame {
  readonly items: readonly Value[]
  readonly keys: readonly string[] | undefined
  next: number
}

/** Whether keys keep the order of the object or are sorted, as `tojson` keeps and `@text` of a sorted print does not. */
export type KeyOrder = 'kept' | 'sorted'

/**
 * Compact JSON as jq's `tojson` prints it. It works on a stack of its own, so depth costs no host stack.
 * @param lengthMax stop early once the text is this long; the text is then a prefix
 */
export function stringify(root: Value, lengthMax = Infinity, order: KeyOrder = 'kept'): string {
  if (typeof root !== 'object' || root === null) return scalar(root, lengthMax)
  const pieces: string[] = []
  let length = 0
  let text = ''
  const stack: Frame[] = []
  const open = (value: Value): void => {
    if (typeof value !== 'object' || value === null) {
      text += scalar(value, lengthMax)
    } else if (stack.length > printDepthMax) {
      text += marker
    } else {
      stack.push(frameOf(value, order))
      text += isArray(value) ? '[' : '{'
    }
  }
  open(root)
  let rounds = 0
  for (let frame = stack.at(-1); frame !== undefined && length + text.length <= lengthMax; frame = stack.at(-1)) {
    if (text.length >= pieceLength) {
      pieces.push(flat(text))
      length += text.length
      text = ''
    }
    if (frame.next === frame.items.length) {
      text += frame.keys === undefined ? ']' : '}'
      stack.pop()
      continue
    }
    // A value that shares its parts can be printed far longer than it is.
    if ((++rounds & roundsMask) === 0) workOfRun(roundsMask)
    if (frame.next > 0) text += ','
    if (frame.keys !== undefined) text += `${quote(frame.keys[frame.next] ?? '')}:`
    open(orNull(frame.items[frame.next++]))
  }
  return pieces.length === 0 ? text : [...pieces, text].join('')
}

/** A text that the host has put together: to look into one makes it do so. */
function flat(text: string): string {
  scanOfRun(text.length)
  return Number.isNaN(text.charCodeAt(0)) ? '' : text
}

function frameOf(value: readonly Value[] | { readonly [key: string]: Value }, order: KeyOrder): Frame {
  if (isArray(value)) return { items: value, keys: undefined, next: 0 }
  const kept = keysOf(value)
  const keys = order === 'sorted' ? sorted(kept, compareStrings) : kept
  return { items: fieldsOf(value, keys), keys, next: 0 }
}

function scalar(value: Value, lengthMax: number): string {
  switch (typeof value) {
    case 'string':
      if (value.length <= lengthMax) return quote(value)
      touchOfRun(value)
      return quote(value.slice(0, lengthMax + 1))
    case 'number':
      return formatNumber(value)
    case 'bigint':
      return value.toString()
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      return 'null'
  }
}
