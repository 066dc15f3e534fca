import { growOfRun } from '#src/compile/machine.ts'
import { raise } from '#src/values/describe.ts'
import { copyFields } from '#src/values/fields.ts'
import { isArray, isNumeric, isObject, orNull, own, put, toNumber, typeOf, type MutableObject, type Value } from '#src/values/value.ts'
import { cannotIndex, index, sliceFault, sliceRange, type Range } from './access.ts'

/** As deep as jq follows a path. */
export const pathLengthMax = 10_000
/** jq refuses to make an array longer than this by assigning far beyond its end. */
const arrayIndexMax = 536_870_911

const arrayIndexFault = 'Cannot update field at array index of array'

/** Containers that the current operation made itself and may therefore change in place. */
export type Owned = Set<Value>

function fill(list: Value[], length: number): void {
  while (list.length < length) list.push(null)
}

function setElement(target: readonly Value[], key: number | bigint, value: Value, owned: Owned | undefined): Value {
  const wanted = toNumber(key)
  if (Number.isNaN(wanted)) return raise('Cannot set array element at NaN index')
  const position = Math.trunc(wanted) < 0 ? Math.trunc(wanted) + target.length : Math.trunc(wanted)
  if (position < 0) return raise('Out of bounds negative array index')
  if (position > arrayIndexMax) return raise('Array index too large')
  if (position > target.length) growOfRun(position - target.length)
  const list = mutable(target, owned)
  fill(list, position)
  list[position] = value
  return list
}

function mutable(target: readonly Value[], owned: Owned | undefined): Value[] {
  // A container in `owned` was made by this very operation as a plain array.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
  if (owned?.has(target) === true) return target as Value[]
  growOfRun(target.length)
  const list = target.slice()
  owned?.add(list)
  return list
}

function setField(target: Value, key: string, value: Value, owned: Owned | undefined): Value {
  const object = mutableObject(target, owned)
  put(object, key, value)
  return object
}

function mutableObject(target: Value, owned: Owned | undefined): MutableObject {
  // A container in `owned` was made by this very operation as a plain object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above.
  if (owned?.has(target) === true) return target as MutableObject
  const object = isObject(target) ? copyFields(target) : {}
  owned?.add(object)
  return object
}

/** Puts other elements in the place of a slice, one by one where there are as many of them. */
function setSlice(list: Value[], { from, to }: Range, value: readonly Value[]): Value {
  if (value.length === to - from) {
    growOfRun(value.length)
    for (const [at, item] of value.entries()) list[from + at] = item
    return list
  }
  growOfRun(list.length - to + value.length)
  return list.slice(0, from).concat(value, list.slice(to))
}

/** `.[key] = value` in a copy, or in place for a container in `owned`. */
export function setKey(target: Value, key: Value, value: Value, owned?: Owned): Value {
  if (typeof key === 'string' && (target === null || isObject(target))) return setField(target, key, value, owned)
  if (isNumeric(key) && (target === null || isArray(target))) return setElement(target ?? [], key, value, owned)
  if (isObject(key) && (target === null || isArray(target))) {
    const list = target ?? []
    const from = own(key, 'start')
    const to = own(key, 'end')
    if (from === undefined || to === undefined) return raise(sliceFault)
    const range = sliceRange(from, to, list.length)
    if (!isArray(value)) return raise('A slice of an array can only be assigned another array')
    return setSlice(mutable(list, owned), range, value)
  }
  if (isObject(key) && typeof target === 'string') return raise('Cannot update string slices')
  return isArray(key) && isArray(target) ? raise(arrayIndexFault) : cannotIndex(target, key)
}

function checkedPath(path: Value): readonly Value[] {
  if (!isArray(path)) return raise('Path must be specified as an array')
  return path.length > pathLengthMax ? raise('Path too deep') : path
}

/** The value at a path; null as soon as the way ends in null. */
export function getPath(root: Value, path: Value): Value {
  let value = root
  for (const key of checkedPath(path)) value = index(value, key)
  return value
}

/** A copy of `root` with `value` at the path; a way on from a slice leads through copies, so nothing is changed in place there. */
export function setPath(root: Value, path: Value, value: Value, given?: Owned): Value {
  const keys = checkedPath(path)
  const owned = keys.some((key, at) => typeof key === 'object' && at < keys.length - 1) ? undefined : given
  const containers: Value[] = []
  let at = root
  for (const key of keys) {
    if (isArray(key) && isArray(at)) return raise(arrayIndexFault)
    containers.push(at)
    // Reads the value first: jq reports a failing read, not a failing write.
    at = index(at, key)
  }
  let result = value
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    result = setKey(orNull(containers[depth]), orNull(keys[depth]), result, owned)
  }
  return result
}

/** A message about a container that cannot lose an element. */
export function cannotDelete(target: Value, key: Value): never {
  if (isArray(target)) return raise(`Cannot delete ${typeOf(key)} element of array`)
  if (isObject(target)) return raise(`Cannot delete ${typeOf(key)} field of object`)
  return raise(`Cannot delete fields from ${typeOf(target)}`)
}
