import { childPointer } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json } from '#src/types/json.ts'

/** Every place in a value, with what is there. */
export function places(value: Json, pointer = ''): (readonly [pointer: string, value: Json])[] {
  const children = Array.isArray(value)
    ? value.map((item: Json, index) => places(item, childPointer(pointer, index)))
    : isObject(value)
      ? Object.entries(value).map(([key, item]) => places(item, childPointer(pointer, key)))
      : []
  return [[pointer, value], ...children.flat()]
}

/** A copy in which the value at a place is another. */
export function replaced(value: Json, keys: readonly string[], change: (owner: Json, key: string) => Json): Json {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (rest.length === 0) return change(value, key)
  if (Array.isArray(value)) return value.map((item: Json, index) => (String(index) === key ? replaced(item, rest, change) : item))
  return isObject(value) ? { ...value, [key]: replaced(value[key] ?? null, rest, change) } : value
}

/**
 * A definition without the tasks of its outermost list but the one that a place is in, and the place in it. The others become tasks that do
 * nothing, at most those that may be led to; what is wrong at the place cannot be told from them, and checking takes a fraction of the time.
 */
export function around(document: Json, pointer: string, ledTo: readonly string[]): { readonly document: Json; readonly pointer: string } {
  const [, index, below] = /^\/do\/(\d+)(\/.+)$/.exec(pointer) ?? []
  if (!isObject(document) || !Array.isArray(document['do']) || (index === undefined && /^\/do(?:\/|$)/.test(pointer)))
    return { document, pointer }
  const kept: readonly Json[] = index === undefined ? [] : document['do'].slice(Number(index), Number(index) + 1)
  const others = ledTo.filter((name) => !kept.some((item) => isObject(item) && name in item)).map((name) => ({ [name]: { set: { x: 1 } } }))
  return { document: { ...document, do: [...kept, ...others] }, pointer: below === undefined ? pointer : `/do/0${below}` }
}
