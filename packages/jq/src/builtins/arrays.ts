import { elementsOf } from '#src/compile/collect.ts'
import { containerSize, grow, round, roundOfRun, work, type Machine } from '#src/compile/machine.ts'
import { cannotIndex, codePointLength, index } from '#src/paths/access.ts'
import { add } from '#src/values/arithmetic.ts'
import { compare, sort, sorted } from '#src/values/compare.ts'
import { describe, raise } from '#src/values/describe.ts'
import { stringify } from '#src/values/json-text.ts'
import { keysOf } from '#src/values/keys.ts'
import { isArray, isNumeric, isObject, orNull, toNumber, truthy, typeOf, type Value } from '#src/values/value.ts'
import { lengthOf } from '#src/values/length.ts'
import { defined, value, type NativeTable } from './native.ts'

function sortable(machine: Machine, input: Value): readonly Value[] {
  if (!isArray(input)) return raise(`${describe(input)} cannot be sorted, as it is not an array`)
  grow(machine, input.length)
  return input
}

interface Keyed {
  readonly item: Value
  readonly key: Value
}

/** Items with the keys that `map([f])` made for them. */
function keyed(machine: Machine, input: Value, keys: Value, verb: string): Keyed[] {
  if (!isArray(input) || !isArray(keys) || keys.length !== input.length) {
    return raise(`${describe(input)} and ${describe(keys)} cannot be ${verb}, as they are not both arrays`)
  }
  grow(machine, input.length * containerSize)
  return input.map((item, at) => {
    roundOfRun(at, input.length, 4)
    return { item, key: orNull(keys[at]) }
  })
}

function sortKeyed(entries: Keyed[]): Keyed[] {
  return sorted(entries, (a, b) => compare(a.key, b.key))
}

function groups(machine: Machine, entries: Keyed[]): Keyed[][] {
  const result: Keyed[][] = []
  for (const [at, entry] of sortKeyed(entries).entries()) {
    round(machine, at, entries.length)
    const last = result.at(-1)
    const head = last?.[0]
    if (last !== undefined && head !== undefined && compare(head.key, entry.key) === 0) last.push(entry)
    else result.push([entry])
  }
  return result
}

/** The first smallest, or the last largest, as jq picks them. */
function extreme(machine: Machine, input: Value, keys: Value, wants: 'min' | 'max'): Value {
  if (!isArray(input) || !isArray(keys)) return raise(`${describe(input)} and ${describe(keys)} cannot be iterated over`)
  let best: Keyed | undefined
  for (const [at, entry] of keyed(machine, input, keys, 'compared').entries()) {
    roundOfRun(at, input.length, 2)
    const order = best === undefined ? 0 : compare(entry.key, best.key)
    if (best === undefined || (wants === 'min' ? order < 0 : order >= 0)) best = entry
  }
  return best === undefined ? null : best.item
}

/** The error of `$depth - 1` for a depth that is not a number. */
function flattenDepth(depth: Value): number {
  if (compare(depth, 0) < 0) return raise('flatten depth must not be negative')
  return isNumeric(depth) ? toNumber(depth) : Number.NaN
}

function flatten(machine: Machine, input: Value, depth: Value): Value {
  const levels = flattenDepth(depth)
  const flat: Value[] = []
  const stack: { readonly items: readonly Value[]; next: number; readonly depth: number }[] = [
    { items: elementsOf(input), next: 0, depth: levels },
  ]
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.items.length) {
      stack.pop()
      continue
    }
    const item = orNull(frame.items[frame.next++])
    work(machine, 1)
    if (isArray(item) && Number.isNaN(frame.depth)) return raise(`${describe(depth)} and number (1) cannot be subtracted`)
    if (isArray(item) && frame.depth !== 0) stack.push({ items: item, next: 0, depth: frame.depth - 1 })
    else flat.push(item)
  }
  grow(machine, flat.length)
  return flat
}

function reverse(machine: Machine, input: Value): Value {
  if (isArray(input)) {
    grow(machine, input.length)
    return input.toReversed()
  }
  if (input === null || input === '' || (isObject(input) && keysOf(input).length === 0)) return []
  if (typeof input === 'boolean') return raise(`${describe(input)} has no length`)
  const length =
    typeof input === 'string' ? codePointLength(input) : isNumeric(input) ? Math.ceil(Math.abs(toNumber(input))) : keysOf(input).length
  return length === 0 ? [] : cannotIndex(input, isNumeric(input) ? Math.abs(toNumber(input)) - 1 : length - 1)
}

function join(machine: Machine, input: Value, separator: Value): Value {
  const items = elementsOf(input)
  const parts = items.map((item, at) => {
    roundOfRun(at, items.length, 2)
    return typeof item === 'boolean' || isNumeric(item) ? stringify(item) : truthy(item) ? item : ''
  })
  if (typeof separator === 'string' && parts.every((part) => typeof part === 'string')) return joinTexts(machine, parts, separator)
  let joined: Value = null
  for (const part of parts) joined = add(machine, add(machine, joined === null ? '' : add(machine, joined, separator), ''), part)
  return truthy(joined) ? joined : ''
}

/** Parts that are joined at a time. */
const partsAtOnce = 1_024

function joinTexts(machine: Machine, parts: readonly string[], separator: string): string {
  const pieces: string[] = []
  for (let from = 0; from < parts.length; from += partsAtOnce) {
    const some = parts.slice(from, from + partsAtOnce)
    grow(
      machine,
      some.reduce((length, part) => length + part.length + separator.length, 0),
    )
    pieces.push(some.join(separator))
  }
  return pieces.join(separator)
}

function transpose(machine: Machine, input: Value): Value {
  const rows = elementsOf(input)
  const width = rows.reduce<number>((widest, row, at) => {
    roundOfRun(at, rows.length, 4)
    return Math.max(widest, lengthOf(row))
  }, 0)
  grow(machine, width * (rows.length + containerSize))
  const columns: Value[] = []
  for (let column = 0; column < width; column++) {
    columns.push(
      rows.map((row, at) => {
        roundOfRun(at, rows.length, 4)
        return index(row, column)
      }),
    )
  }
  return columns
}

/** The index of the target, or `-1 - index` of where it would be inserted. */
function bsearch(_machine: Machine, input: Value, target: Value): Value {
  if (!isArray(input)) return raise(`${describe(input)} cannot be searched from`)
  let low = 0
  let high = input.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = compare(orNull(input[middle]), target)
    if (order === 0) return middle
    if (order < 0) low = middle + 1
    else high = middle
  }
  return -1 - low
}

/** Order, groups, search and shape of arrays. */
export const arrayNatives: NativeTable = {
  'sort/0': value((machine, input) => sort(sortable(machine, input))),
  '_sort_by/1': value((machine, input, keys) => sortKeyed(keyed(machine, input, keys, 'sorted')).map(({ item }) => item)),
  '_group_by/1': value((machine, input, keys) =>
    groups(machine, keyed(machine, input, keys, 'sorted')).map((group) => group.map(({ item }) => item)),
  ),
  '_unique_by/1': value((machine, input, keys) =>
    groups(machine, keyed(machine, input, keys, 'sorted')).map((group) => group[0]?.item ?? null),
  ),
  'unique/0': value((machine, input) => {
    const ordered = sort(sortable(machine, input))
    return ordered.filter((item, at) => {
      roundOfRun(at, ordered.length, 4)
      return at === 0 || compare(orNull(ordered[at - 1]), item) !== 0
    })
  }),
  'min/0': value((machine, input) => extreme(machine, input, input, 'min')),
  'max/0': value((machine, input) => extreme(machine, input, input, 'max')),
  '_min_by/1': value((machine, input, keys) => extreme(machine, input, keys, 'min')),
  '_max_by/1': value((machine, input, keys) => extreme(machine, input, keys, 'max')),
  'flatten/0': value((machine, input) => flatten(machine, input, Number.POSITIVE_INFINITY)),
  'flatten/1': defined(flatten),
  'reverse/0': value(reverse),
  'join/1': defined(join),
  'transpose/0': value(transpose),
  'bsearch/1': defined(bsearch),
  'toarray/0': value((_machine, input) => (typeOf(input) === 'array' ? input : [input])),
}
