import { computed, containerSize, fieldSize, grow, round, touchOfRun, type Machine } from '#src/compile/machine.ts'
import { equals, valueDepthMax } from './compare.ts'
import { describe, raise } from './describe.ts'
import type { Owned } from '#src/paths/update.ts'
import { eachChunk } from '#src/text/chunks.ts'
import { splitAt } from '#src/text/search.ts'
import { copyFields, putFields } from './fields.ts'
import { keysOf } from './keys.ts'
import { isArray, isNumeric, isObject, orNull, own, put, toNumber, type MutableObject, type ObjectValue, type Value } from './value.ts'

/** As long as jq lets a repeated string get, in bytes. */
const repeatedLengthMax = 0x7fffffff

export function add(machine: Machine, a: Value, b: Value): Value {
  if (a === null) return b
  if (b === null) return a
  if (isNumeric(a) && isNumeric(b)) return computed(machine, toNumber(a) + toNumber(b))
  if (typeof a === 'string' && typeof b === 'string') {
    grow(machine, a.length + b.length)
    return a + b
  }
  if (isArray(a) && isArray(b)) {
    grow(machine, a.length + b.length)
    return a.length === 0 ? b : b.length === 0 ? a : a.concat(b)
  }
  if (isObject(a) && isObject(b)) return putFields(copyFields(a), b)
  return raise(`${describe(a)} and ${describe(b)} cannot be added`)
}

export function subtract(machine: Machine, a: Value, b: Value): Value {
  if (isNumeric(a) && isNumeric(b)) return computed(machine, toNumber(a) - toNumber(b))
  if (!isArray(a) || !isArray(b)) return raise(`${describe(a)} and ${describe(b)} cannot be subtracted`)
  return withoutAny(machine, a, b)
}

/** The elements of `a` that equal none of `b`. */
function withoutAny(machine: Machine, a: readonly Value[], b: readonly Value[]): Value[] {
  const kept: Value[] = []
  for (let at = 0; at < a.length; at++) {
    const item = orNull(a[at])
    let found = false
    for (let other = 0; other < b.length && !found; other++) {
      round(machine, other, b.length)
      found = equals(item, orNull(b[other]))
    }
    if (!found) kept.push(item)
  }
  return kept
}

export function multiply(machine: Machine, a: Value, b: Value): Value {
  if (isNumeric(a) && isNumeric(b)) return computed(machine, toNumber(a) * toNumber(b))
  if (typeof a === 'string' && isNumeric(b)) return repeat(machine, a, toNumber(b))
  if (typeof b === 'string' && isNumeric(a)) return repeat(machine, b, toNumber(a))
  if (isObject(a) && isObject(b)) return mergeDeep(machine, a, b)
  return raise(`${describe(a)} and ${describe(b)} cannot be multiplied`)
}

function repeat(machine: Machine, text: string, times: number): Value {
  if (Number.isNaN(times) || times < 0) return null
  const count = Math.floor(times)
  if (text === '' || count === 0) return ''
  if (text.length * count >= repeatedLengthMax) raise('Repeat string result too long')
  grow(machine, text.length * count)
  return text.repeat(count)
}

/** The object itself where it may be changed in place, otherwise a copy, which may. */
function mutable(object: ObjectValue, owned: Owned | undefined): MutableObject {
  if (owned?.has(object) === true) return object
  const copy = copyFields(object)
  owned?.add(copy)
  return copy
}

/** Merges objects field by field, on a stack of its own, in place where `owned` has them. */
export function mergeDeep(machine: Machine, a: ObjectValue, b: ObjectValue, owned?: Owned): ObjectValue {
  const root = mutable(a, owned)
  const pending = [{ merged: root, theirs: b, depth: 0 }]
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    const { merged, theirs, depth } = job
    if (depth > valueDepthMax) return raise('Object merge too deep')
    const keys = keysOf(theirs)
    grow(machine, keys.length * fieldSize)
    for (let at = 0; at < keys.length; at++) {
      round(machine, at, keys.length)
      const key = keys[at] ?? ''
      const value = orNull(theirs[key])
      const ours = own(merged, key)
      if (ours !== undefined && isObject(ours) && isObject(value)) {
        const copy = mutable(ours, owned)
        put(merged, key, copy)
        pending.push({ merged: copy, theirs: value, depth: depth + 1 })
      } else put(merged, key, value)
    }
  }
  return root
}

export function divide(machine: Machine, a: Value, b: Value): Value {
  if (isNumeric(a) && isNumeric(b)) {
    const divisor = toNumber(b)
    if (divisor === 0) return raise(`${describe(a)} and ${describe(b)} cannot be divided because the divisor is zero`)
    return computed(machine, toNumber(a) / divisor)
  }
  if (typeof a === 'string' && typeof b === 'string') return splitText(machine, a, b)
  return raise(`${describe(a)} and ${describe(b)} cannot be divided`)
}

/** Parts between the separators; an empty separator gives the code points, an empty text nothing. */
export function splitText(machine: Machine, text: string, separator: string): Value {
  if (text === '') return []
  touchOfRun(separator)
  const parts = separator === '' ? charactersOf(text) : splitAt(machine, text, separator)
  grow(machine, parts.length * containerSize + text.length)
  return parts
}

/** The code points of a text, each as a text. */
function charactersOf(text: string): string[] {
  const characters: string[] = []
  eachChunk(text, 2, (chunk) => {
    for (const character of chunk) characters.push(character)
  })
  return characters
}

export function modulo(_machine: Machine, a: Value, b: Value): Value {
  if (!isNumeric(a) || !isNumeric(b)) return raise(`${describe(a)} and ${describe(b)} cannot be divided (remainder)`)
  const dividend = toNumber(a)
  const divisor = toNumber(b)
  if (Number.isNaN(dividend) || Number.isNaN(divisor)) return Number.NaN
  if (Math.trunc(divisor) === 0) return raise(`${describe(a)} and ${describe(b)} cannot be divided (remainder) because the divisor is zero`)
  const exact = Number.isSafeInteger(Math.trunc(dividend)) && Number.isSafeInteger(Math.trunc(divisor))
  // The sum with zero leaves no negative one.
  return exact ? (Math.trunc(dividend) % Math.trunc(divisor)) + 0 : Number(toInteger(dividend) % toInteger(divisor))
}

const integerMax = 2n ** 63n - 1n
const integerMin = -(2n ** 63n)

/** Doubles become 64-bit integers as C casts them, saturating. */
function toInteger(value: number): bigint {
  if (value >= 2 ** 63) return integerMax
  return value <= -(2 ** 63) ? integerMin : BigInt(Math.trunc(value))
}

export function negate(value: Value): Value {
  if (!isNumeric(value)) return raise(`${describe(value)} cannot be negated`)
  // Like jq with a zero that was read and not computed, this gives no negative zero.
  return value === 0 ? 0 : -value
}
