import { JqError } from '#src/errors.ts'
import { isArray, isNumeric, orNull, type ObjectValue, type Value } from './value.ts'

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
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index)
    const y = b.charCodeAt(index)
    if (x !== y) {
      const xIsSurrogate = x >= 0xd800 && x <= 0xdfff
      const yIsSurrogate = y >= 0xd800 && y <= 0xdfff
      if (xIsSurrogate !== yIsSurrogate) return xIsSurrogate ? 1 : -1
      return x - y
    }
  }
  return a.length - b.length
}

/** NaN is smaller than every number, itself included. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b || Number.isNaN(a)) return -1
  return a > b || Number.isNaN(b) ? 1 : 0
}

export function sortedKeys(object: ObjectValue): string[] {
  return Object.keys(object).sort(compareStrings)
}

/**
 * jq's total order: null, false, true, numbers, strings, arrays, objects; objects by their sorted keys first, then
 * by value in key order. Negative, zero or positive like a comparator.
 * @throws JqError when the two agree down to more than ten thousand levels
 */
export function compare(a: Value, b: Value, depth = 0): number {
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : compareStrings(a, b)
  const byRank = rank(a) - rank(b)
  if (byRank !== 0 || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return byRank
  if (depth > valueDepthMax) throw new JqError('Comparison too deep')
  if (isArray(a)) return isArray(b) ? compareArrays(a, b, depth + 1) : -1
  return isArray(b) ? 1 : compareObjects(a, b, depth + 1)
}

function compareArrays(a: readonly Value[], b: readonly Value[], depth: number): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const order = compare(orNull(a[index]), orNull(b[index]), depth)
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareObjects(a: ObjectValue, b: ObjectValue, depth: number): number {
  const keysA = sortedKeys(a)
  const keysB = sortedKeys(b)
  const byKeys = compareArrays(keysA, keysB, depth)
  if (byKeys !== 0) return byKeys
  for (const key of keysA) {
    const order = compare(orNull(a[key]), orNull(b[key]), depth)
    if (order !== 0) return order
  }
  return 0
}

/** Equality of values; NaN equals nothing, and the order of keys does not matter. */
export function equals(a: Value, b: Value, depth = 0): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // Kept integers compare with doubles by value.
    return a === b || (isNumeric(a) && isNumeric(b) && compareNumbers(a, b) === 0)
  }
  if (depth > valueDepthMax) throw new JqError('Equality check too deep')
  if (isArray(a)) {
    if (!isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) {
      if (!equals(orNull(a[index]), orNull(b[index]), depth + 1)) return false
    }
    return true
  }
  if (isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && equals(orNull(a[key]), orNull(b[key]), depth + 1))
}

/** A sorted copy; equal values keep their order. */
export function sort(values: readonly Value[]): Value[] {
  return values.toSorted((a, b) => compare(a, b))
}
