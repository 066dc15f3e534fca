import { containerSize, grow, type Machine } from '#src/compile/machine.ts'
import type { Owned } from '#src/paths/update.ts'
import { add } from './arithmetic.ts'
import { putFields } from './fields.ts'
import { isArray, isObject, type ObjectValue, type Value } from './value.ts'

/**
 * `a + b` where only the caller refers to `a`: its containers in `owned` are changed in place. A text costs what is put on, since the
 * host strings texts together without copying them; reading one counts its length.
 */
export function extend(machine: Machine, a: Value, b: Value, owned: Owned): Value {
  if (a === null || b === null) return a ?? b
  if (typeof a === 'string' && typeof b === 'string') {
    grow(machine, b.length + containerSize)
    return a + b
  }
  if (isArray(a) && isArray(b)) return extendList(machine, a, b, owned)
  return isObject(a) && isObject(b) ? extendObject(machine, a, b, owned) : add(machine, a, b)
}

function extendList(machine: Machine, a: readonly Value[], b: readonly Value[], owned: Owned): Value {
  if (b.length === 0) return a
  if (owned.has(a)) {
    grow(machine, b.length)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is owned was made as a plain array.
    const list = a as Value[]
    for (const element of b) list.push(element)
    return list
  }
  if (a.length === 0) return b
  grow(machine, a.length + b.length)
  const list = a.concat(b)
  owned.add(list)
  return list
}

function extendObject(machine: Machine, a: ObjectValue, b: ObjectValue, owned: Owned): Value {
  if (!owned.has(a)) {
    const merged = add(machine, a, b)
    owned.add(merged)
    return merged
  }
  return putFields(a, b)
}
