import { fieldSize, growOfRun, roundOfRun } from '#src/compile/machine.ts'
import { equals, sort } from '#src/values/compare.ts'
import { raise } from '#src/values/describe.ts'
import { keysOf as fieldNames } from '#src/values/keys.ts'
import { isArray, isNumeric, isObject, orNull, own, put, toNumber, typeOf, type MutableObject, type Value } from '#src/values/value.ts'
import { index, sliceFault, sliceRange } from './access.ts'
import { cannotDelete, pathLengthMax, setKey } from './update.ts'

/** `delpaths`: removes everything that the paths lead to, the longest way first, so that no index moves under another. */
export function deletePaths(root: Value, paths: Value): Value {
  if (!isArray(paths)) return raise('Paths must be specified as an array')
  // Sorted first, as jq does, which shows in which of several wrong paths it names.
  const checked = sort(paths).map((path) => {
    if (!isArray(path)) return raise(`Path must be specified as array, not ${typeOf(path)}`)
    return path.length > pathLengthMax ? raise('Path too deep') : path
  })
  if (checked.length === 0) return root
  if (checked.length === 1) return deleteOne(root, checked[0] ?? [])
  return checked[0]?.length === 0 ? null : deleteSorted(root, checked, 0)
}

/** One path needs no grouping, and may be as long as jq allows. */
function deleteOne(root: Value, path: readonly Value[]): Value {
  if (path.length === 0) return null
  const containers: Value[] = []
  let at = root
  for (const key of path.slice(0, -1)) {
    containers.push(at)
    at = index(at, key)
    if (at === null) return root
  }
  let result = deleteKeys(at, [orNull(path.at(-1))])
  for (let depth = containers.length - 1; depth >= 0; depth--) {
    result = setKey(orNull(containers[depth]), orNull(path[depth]), result)
  }
  return result
}

function deleteSorted(root: Value, paths: readonly (readonly Value[])[], start: number): Value {
  let result = root
  const keys: Value[] = []
  for (let first = 0; first < paths.length; ) {
    const path = paths[first]
    const key = orNull(path?.[start])
    let last = first
    while (last < paths.length && equals(key, orNull(paths[last]?.[start]))) roundOfRun(last++, paths.length, 2)
    // NaN equals nothing, not even itself; it names no element, so nothing is lost by stepping over it.
    if (last === first) last++
    if (path?.length === start + 1) keys.push(key)
    else {
      const part = index(result, key)
      if (part !== null) result = setKey(result, key, deleteSorted(part, paths.slice(first, last), start + 1))
    }
    first = last
  }
  return deleteKeys(result, keys)
}

/** Removes several keys of one container at once. */
export function deleteKeys(target: Value, keys: readonly Value[]): Value {
  if (target === null || keys.length === 0) return target
  if (isArray(target)) return deleteElements(target, keys)
  if (!isObject(target)) return cannotDelete(target, null)
  const removed = new Set<string>()
  for (const [at, key] of keys.entries()) {
    roundOfRun(at, keys.length, 2)
    if (typeof key !== 'string') return cannotDelete(target, key)
    removed.add(key)
  }
  const kept: MutableObject = {}
  const present = fieldNames(target)
  growOfRun(present.length * fieldSize)
  for (let at = 0; at < present.length; at++) {
    roundOfRun(at, present.length, 1)
    const key = present[at] ?? ''
    if (!removed.has(key)) put(kept, key, orNull(target[key]))
  }
  return kept
}

function deleteElements(target: readonly Value[], keys: readonly Value[]): Value {
  const removed = new Set<number>()
  for (const [at, key] of keys.entries()) {
    roundOfRun(at, keys.length, 2)
    if (isNumeric(key)) {
      const position = Math.trunc(toNumber(key))
      removed.add(toNumber(key) < 0 ? position + target.length : position)
    } else if (isObject(key)) {
      const from = own(key, 'start')
      const to = own(key, 'end')
      if (from === undefined || to === undefined) return raise(sliceFault)
      const range = sliceRange(from, to, target.length)
      for (let position = range.from; position < range.to; position++) {
        roundOfRun(position - range.from, range.to - range.from, 1)
        removed.add(position)
      }
    } else return cannotDelete(target, key)
  }
  growOfRun(target.length)
  return target.filter((_item, position) => {
    roundOfRun(position, target.length, 8)
    return !removed.has(position)
  })
}
