import { work, type Machine } from '#src/compile/machine.ts'
import { equals, valueDepthMax } from './compare.ts'
import { describe, raise } from './describe.ts'
import { isArray, isObject, orNull, typeOf, type Value } from './value.ts'

/**
 * Whether `b` is inside `a`: strings by substring, arrays when each element of `b` is inside some element of `a`, objects field
 * by field, everything else by equality.
 */
export function contains(machine: Machine, a: Value, b: Value): boolean {
  if (typeOf(a) !== typeOf(b)) return raise(`${describe(a)} and ${describe(b)} cannot have their containment checked`)
  return inside(machine, a, b, 0)
}

function inside(machine: Machine, a: Value, b: Value, depth: number): boolean {
  if (depth > valueDepthMax) return raise('Containment check too deep')
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(b)
    work(machine, keys.length)
    return keys.every((key) => Object.hasOwn(a, key) && inside(machine, orNull(a[key]), orNull(b[key]), depth + 1))
  }
  if (isArray(a) && isArray(b)) {
    work(machine, b.length)
    return b.every((wanted) => {
      work(machine, a.length)
      return a.some((item) => inside(machine, item, wanted, depth + 1))
    })
  }
  if (typeof a === 'string' && typeof b === 'string') return a.includes(b)
  return equals(a, b)
}
