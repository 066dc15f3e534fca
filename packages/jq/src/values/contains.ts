import { round, work, type Machine } from '#src/compile/machine.ts'
import { includesText } from '#src/text/search.ts'
import { equals } from './compare.ts'
import { keysOf } from './keys.ts'
import { describe, raise } from './describe.ts'
import { isArray, isObject, orNull, typeOf, type Value } from './value.ts'

/**
 * Whether `b` is inside `a`: strings by substring, arrays when each element of `b` is inside some element of `a`, objects field
 * by field, everything else by equality.
 */
export function contains(machine: Machine, a: Value, b: Value): boolean {
  // The two booleans are of two kinds in jq.
  if (typeOf(a) !== typeOf(b) || (typeof a === 'boolean' && a !== b))
    return raise(`${describe(a)} and ${describe(b)} cannot have their containment checked`)
  return inside(machine, a, b, 0)
}

/** jq goes down ten thousand levels; this recursion stays well inside the smallest host stack. */
const containsDepthMax = 2_000

function inside(machine: Machine, a: Value, b: Value, depth: number): boolean {
  if (depth > containsDepthMax) return raise('Containment check too deep')
  if (isObject(a) && isObject(b)) {
    const keys = keysOf(b)
    for (let at = 0; at < keys.length; at++) {
      round(machine, at, keys.length)
      const key = keys[at] ?? ''
      if (!Object.hasOwn(a, key) || !inside(machine, orNull(a[key]), orNull(b[key]), depth + 1)) return false
    }
    return true
  }
  if (isArray(a) && isArray(b)) return arrayInside(machine, a, b, depth)
  if (typeof a === 'string' && typeof b === 'string') return includesText(machine, a, b)
  return equals(a, b)
}

function arrayInside(machine: Machine, a: readonly Value[], b: readonly Value[], depth: number): boolean {
  for (const wanted of b) {
    work(machine, 1)
    let found = false
    for (let at = 0; at < a.length && !found; at++) {
      round(machine, at, a.length)
      found = inside(machine, orNull(a[at]), wanted, depth + 1)
    }
    if (!found) return false
  }
  return true
}
