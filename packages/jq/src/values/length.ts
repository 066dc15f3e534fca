import { codePointLength } from '#src/paths/access.ts'
import { describe, raise } from './describe.ts'
import { keysOf } from './keys.ts'
import { isArray, isNumeric, isObject, toNumber, type Value } from './value.ts'

/** `length` as a double: code points, elements, fields, or the absolute value of a number; null has length 0. */
export function lengthOf(value: Value): number {
  if (value === null) return 0
  if (typeof value === 'string') return codePointLength(value)
  if (isNumeric(value)) return Math.abs(toNumber(value))
  if (isArray(value)) return value.length
  if (!isObject(value)) return raise(`${describe(value)} has no length`)
  return keysOf(value).length
}
