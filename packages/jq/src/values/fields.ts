import { fieldSize, growOfRun, roundOfRun } from '#src/compile/machine.ts'
import { keysOf } from './keys.ts'
import { orNull, put, type MutableObject, type ObjectValue } from './value.ts'

/** Up to so many fields an object is copied in one go. */
const copiedAtOnce = 1_024

/** A copy of an object that may be changed. */
export function copyFields(object: ObjectValue): MutableObject {
  const keys = keysOf(object)
  if (keys.length > copiedAtOnce) return putListed({}, object, keys)
  growOfRun(keys.length * fieldSize)
  // Spreading defines own properties, so a key `__proto__` stays an ordinary key.
  return { ...object }
}

/** Puts the fields of one object into another. */
export function putFields(target: MutableObject, fields: ObjectValue): MutableObject {
  return putListed(target, fields, keysOf(fields))
}

function putListed(target: MutableObject, fields: ObjectValue, keys: readonly string[]): MutableObject {
  growOfRun(keys.length * fieldSize)
  for (let at = 0; at < keys.length; at++) {
    roundOfRun(at, keys.length, 1)
    const key = keys[at] ?? ''
    put(target, key, orNull(fields[key]))
  }
  return target
}
