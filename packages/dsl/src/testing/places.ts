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
 * The definition with all tasks of its outermost list made small but the one that a place is in: they keep their names, and what is wrong
 * elsewhere cannot be told from it. Checking it takes a fraction of the time.
 */
export function around(document: Json, pointer: string): Json {
  if (!isObject(document) || !Array.isArray(document['do'])) return document
  const kept = /^\/do\/(\d+)\//.exec(pointer)?.[1]
  const small = document['do'].map((item: Json, index) =>
    String(index) === kept || !isObject(item) ? item : Object.fromEntries(Object.keys(item).map((name) => [name, { set: { x: 1 } }])),
  )
  return { ...document, do: small }
}
