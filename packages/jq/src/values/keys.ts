import { roundOfRun, workOfRun } from '#src/compile/machine.ts'
import { orNull, type ObjectValue, type Value } from './value.ts'

/** Listing so many keys takes about as long as a step: the host has to put those of a large object in order. */
const keysPerStep = 2

/** The keys of an object in its own order. The host lists them in one go, so they are counted afterwards. */
export function keysOf(object: ObjectValue): string[] {
  const keys = Object.keys(object)
  if (keys.length >= keysPerStep) workOfRun(Math.floor(keys.length / keysPerStep))
  return keys
}

/** Reading so many fields takes about as long as a step. */
const fieldsPerStep = 8

/** The values under those keys. */
export function fieldsOf(object: ObjectValue, keys: readonly string[]): Value[] {
  const fields: Value[] = []
  for (let at = 0; at < keys.length; at++) {
    roundOfRun(at, keys.length, fieldsPerStep)
    fields.push(orNull(object[keys[at] ?? '']))
  }
  return fields
}
