import type { Json } from '#src/json.ts'
import { isObject } from '#src/shape/variables.ts'

/** Whether two values are equal, whatever the order of their keys. */
export function sameJson(one: Json, other: Json): boolean {
  if (one === other) return true
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item: Json, index) => sameJson(item, other[index] ?? null))
    )
  }
  if (!isObject(one) || !isObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key] ?? null, other[key] ?? null))
  )
}
