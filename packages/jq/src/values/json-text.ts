import { touchOfRun, workOfRun } from '#src/compile/machine.ts'
import { compareStrings } from './compare.ts'
import { formatNumber } from './number.ts'
import { isArray, orNull, type Value } from './value.ts'

/** jq stops printing here and writes a marker instead. */
const printDepthMax = 10_000
const marker = '"<skipped: too deep>"'

/** Printing reports its work in lots of this many values, a power of two less one. */
const roundsMask = 1023

// A control character that JSON.stringify leaves alone but jq escapes.
const deleteCharacter = /\u007f/g
// oxlint-disable-next-line no-control-regex -- control characters are just what has to be found.
const needsEscape = /["\\\u0000-\u001f\u007f\ud800-\udfff]/
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function quote(text: string): string {
  if (!needsEscape.test(text)) return `"${text}"`
  return JSON.stringify(text.replace(loneSurrogate, '\ufffd')).replace(deleteCharacter, '\\u007f')
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
  for (let frame = stack.at(-1); frame !== undefined && text.length <= lengthMax; frame = stack.at(-1)) {
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
  return text
}

function frameOf(value: readonly Value[] | { readonly [key: string]: Value }, order: KeyOrder): Frame {
  if (isArray(value)) return { items: value, keys: undefined, next: 0 }
  const keys = Object.keys(value)
  if (order === 'sorted') keys.sort(compareStrings)
  return { items: keys.map((key) => orNull(value[key])), keys, next: 0 }
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
