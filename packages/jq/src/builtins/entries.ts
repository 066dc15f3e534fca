import { elementsOf } from '#src/compile/collect.ts'
import { containerSize, fieldSize, grow, round, roundOfRun, type Machine } from '#src/compile/machine.ts'
import { has, index } from '#src/paths/access.ts'
import { sortedKeys } from '#src/values/compare.ts'
import { describe, raise } from '#src/values/describe.ts'
import { keysOf as fieldNames } from '#src/values/keys.ts'
import { isArray, isObject, orNull, put, truthy, type MutableObject, type Value } from '#src/values/value.ts'
import { value, type NativeTable } from './native.ts'

function keysOf(machine: Machine, input: Value, order: 'sorted' | 'kept'): Value {
  if (isArray(input)) {
    grow(machine, input.length)
    return indexesUpTo(input.length)
  }
  if (!isObject(input)) return raise(`${describe(input)} has no keys`)
  const keys = order === 'sorted' ? sortedKeys(input) : fieldNames(input)
  grow(machine, keys.length)
  return keys
}

/** The numbers from 0 up to a length. */
function indexesUpTo(count: number): number[] {
  const indexes: number[] = []
  for (let at = 0; at < count; at++) {
    roundOfRun(at, count, 16)
    indexes.push(at)
  }
  return indexes
}

function toEntries(machine: Machine, input: Value): Value {
  if (!isObject(input)) {
    // Keys of an array are its indexes, which jq then looks up in the array.
    if (isArray(input)) {
      grow(machine, input.length * (containerSize + 2))
      return input.map((item, key) => {
        roundOfRun(key, input.length, 4)
        return { key, value: item }
      })
    }
    return raise(`${describe(input)} has no keys`)
  }
  const keys = fieldNames(input)
  grow(machine, keys.length * (containerSize + 2))
  return keys.map((key, at) => {
    roundOfRun(at, keys.length, 4)
    return { key, value: orNull(input[key]) }
  })
}

const keyNames: readonly string[] = ['key', 'Key', 'name', 'Name']

function fromEntries(machine: Machine, input: Value): Value {
  const entries = elementsOf(input)
  grow(machine, entries.length * fieldSize)
  const object: MutableObject = {}
  for (let at = 0; at < entries.length; at++) {
    round(machine, at, entries.length)
    const entry = orNull(entries[at])
    // The first name that gives a true value; without one the last is what jq ends up with.
    let key: Value = null
    for (const name of keyNames) {
      key = index(entry, name)
      if (truthy(key)) break
    }
    if (typeof key !== 'string') return raise(`Cannot use ${describe(key)} as object key`)
    put(object, key, has(entry, 'value') ? index(entry, 'value') : index(entry, 'Value'))
  }
  return object
}

/** Keys, and objects as lists of their entries. */
export const entryNatives: NativeTable = {
  'keys/0': value((machine, input) => keysOf(machine, input, 'sorted')),
  'keys_unsorted/0': value((machine, input) => keysOf(machine, input, 'kept')),
  'has/1': value((_machine, input, key) => has(input, key)),
  'to_entries/0': value(toEntries),
  'from_entries/0': value(fromEntries),
}
