import { scanOfRun, touchOfRun, workOfRun } from '#src/compile/machine.ts'
import { JqError } from '#src/errors.ts'
import { fieldsOf, keysOf } from './keys.ts'
import { isArray, isNumeric, orNull, toNumber, type ObjectValue, type Value } from './value.ts'

/** Comparisons report their work in lots of this many rounds, a power of two less one. */
const roundsMask = 1023

/** Elements of an array, or fields of an object, that are compared for equality in about the time of a step. */
const leavesPerStep = 16
const fieldsPerStep = 4

/** Comparing shorter texts is not worth counting. */
const longText = 1_024

/** As deep as jq compares, contains and merges. */
export const valueDepthMax = 10_000

function rank(value: Value): number {
  switch (typeof value) {
    case 'boolean':
      return value ? 2 : 1
    case 'number':
    case 'bigint':
      return 3
    case 'string':
      return 4
    default:
      if (value === null || value === undefined) return 0
      return Array.isArray(value) ? 5 : 6
  }
}

/** Strings in the order of their code points, which UTF-16 order is not for the astral planes. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  touchOfRun(a)
  touchOfRun(b)
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index)
    const y = b.charCodeAt(index)
    if (x !== y) {
      const xIsSurrogate = x >= 0xd800 && x <= 0xdfff
      const yIsSurrogate = y >= 0xd800 && y <= 0xdfff
      if (xIsSurrogate !== yIsSurrogate) return xIsSurrogate ? 1 : -1
      scanOfRun(index)
      return x - y
    }
  }
  scanOfRun(length)
  return a.length - b.length
}

/** NaN is smaller than every number, itself included. Two kept integers compare exactly, one with a double as doubles. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  const x = toNumber(a)
  const y = toNumber(b)
  if (x < y || Number.isNaN(x)) return -1
  return x > y || Number.isNaN(y) ? 1 : 0
}

export function sortedKeys(object: ObjectValue): string[] {
  return sorted(keysOf(object), compareStrings)
}

/** Comparing so many pairs takes about as long as a step. */
const pairsPerStep = 3
/** Comparisons of a sort are counted in lots of so many, a power of two less one. */
const pairsMask = 63

/** A sorted copy; equal elements keep their order. Steps are charged while it sorts, since its length is not known beforehand. */
export function sorted<Item>(items: readonly Item[], order: (a: Item, b: Item) => number): Item[] {
  let pairs = 0
  return items.toSorted((a, b) => {
    if ((++pairs & pairsMask) === 0) workOfRun(Math.ceil((pairsMask + 1) / pairsPerStep))
    return order(a, b)
  })
}

/** The order of two values of which at most one is a container, or which are containers of different kinds. */
function compareLeaves(a: Value, b: Value): number {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareStrings(a, b)
  return rank(a) - rank(b)
}

interface Pair {
  readonly a: readonly Value[]
  readonly b: readonly Value[]
  readonly length: number
  next: number
}

/** The elements of two arrays, or the values of two objects with the same keys; a number when that decides already. */
function pairUp(a: Value, b: Value): Pair | number | undefined {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return undefined
  workOfRun(1)
  if (isArray(a)) return isArray(b) ? { a, b, length: Math.min(a.length, b.length), next: 0 } : undefined
  if (isArray(b)) return undefined
  workOfRun(2)
  const keysA = sortedKeys(a)
  const keysB = sortedKeys(b)
  for (let at = 0; at < keysA.length && at < keysB.length; at++) {
    const order = compareStrings(keysA[at] ?? '', keysB[at] ?? '')
    if (order !== 0) return order
  }
  if (keysA.length !== keysB.length) return keysA.length - keysB.length
  return { a: fieldsOf(a, keysA), b: fieldsOf(b, keysB), length: keysA.length, next: 0 }
}

/**
 * jq's total order: null, false, true, numbers, strings, arrays, objects; objects by their sorted keys first, then
 * by value in key order. Negative, zero or positive like a comparator. It works on a stack of its own.
 * @throws JqError when the two agree down to more than ten thousand levels
 */
export function compare(a: Value, b: Value): number {
  const root = pairUp(a, b)
  if (root === undefined) return compareLeaves(a, b)
  if (typeof root === 'number') return root
  const stack = [root]
  let rounds = 0
  for (let pair = stack.at(-1); pair !== undefined; pair = stack.at(-1)) {
    if (pair.next === pair.length) {
      const order = pair.a.length - pair.b.length
      if (order !== 0) return order
      stack.pop()
      continue
    }
    if ((++rounds & roundsMask) === 0) workOfRun(roundsMask)
    const x = orNull(pair.a[pair.next])
    const y = orNull(pair.b[pair.next++])
    const inner = pairUp(x, y)
    const order = inner === undefined ? compareLeaves(x, y) : typeof inner === 'number' ? inner : 0
    if (order !== 0) return order
    if (typeof inner === 'object') stack.push(inner)
    if (stack.length > valueDepthMax) throw new JqError('Comparison too deep')
  }
  return 0
}

interface Match {
  readonly a: Value
  readonly b: Value
  readonly depth: number
}

/** Equality of values; NaN equals nothing, and the order of keys does not matter. It works on a stack of its own. */
export function equals(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return equalLeaves(a, b)
  const pending: Match[] = [{ a, b, depth: 0 }]
  let rounds = 0
  for (let match = pending.pop(); match !== undefined; match = pending.pop()) {
    if ((++rounds & roundsMask) === 0) workOfRun(roundsMask)
    if (match.depth > valueDepthMax) throw new JqError('Equality check too deep')
    if (!equalShallow(match, pending)) return false
  }
  return true
}

function equalLeaves(a: Value, b: Value): boolean {
  // The host compares texts of the same length in full.
  if (typeof a === 'string' && a.length >= longText && typeof b === 'string' && b.length === a.length) scanOfRun(a.length >> 4)
  return a === b || (isNumeric(a) && isNumeric(b) && compareNumbers(a, b) === 0)
}

/** Compares one level and leaves what is inside for later. */
function equalShallow({ a, b, depth }: Match, pending: Match[]): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return equalLeaves(a, b)
  // The same container is equal to itself, in jq even with a NaN inside.
  if (a === b) return true
  const later = (x: Value, y: Value): boolean => {
    if (typeof x !== 'object' || typeof y !== 'object' || x === null || y === null) return equalLeaves(x, y)
    pending.push({ a: x, b: y, depth: depth + 1 })
    return true
  }
  if (isArray(a)) {
    if (!isArray(b) || a.length !== b.length) return false
    for (let at = 0; at < a.length; at++) {
      if ((at & roundsMask) === roundsMask) workOfRun((roundsMask + 1) / leavesPerStep)
      if (!later(orNull(a[at]), orNull(b[at]))) return false
    }
    workOfRun(Math.floor((a.length & roundsMask) / leavesPerStep))
    return true
  }
  if (isArray(b)) return false
  const keys = keysOf(a)
  if (keys.length !== keysOf(b).length) return false
  for (let at = 0; at < keys.length; at++) {
    if ((at & roundsMask) === roundsMask) workOfRun((roundsMask + 1) / fieldsPerStep)
    const key = keys[at] ?? ''
    if (!Object.hasOwn(b, key) || !later(orNull(a[key]), orNull(b[key]))) return false
  }
  workOfRun(Math.floor((keys.length & roundsMask) / fieldsPerStep))
  return true
}

/** A sorted copy; equal values keep their order. */
export function sort(values: readonly Value[]): Value[] {
  return sorted(values, compare)
}
