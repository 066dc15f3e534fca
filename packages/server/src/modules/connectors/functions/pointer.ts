import { isObject, type Json, type JsonObject } from '@millrace/engine'
import { unescapePointer } from '#platform/json-pointer.ts'

const jumpsMax = 20

/** The object that a value is or refers to within a document; undefined for any other value. */
export function objectAt(root: JsonObject, value: Json | undefined): JsonObject | undefined {
  let current = value
  for (let jumps = 0; jumps < jumpsMax; jumps++) {
    if (current === undefined || !isObject(current)) return undefined
    const reference = current['$ref']
    if (typeof reference !== 'string') return current
    current = valueAt(root, reference)
  }
  return undefined
}

/** The value at a reference into the same document (`#/…`). */
export function valueAt(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined
  let current: Json | undefined = root
  for (const segment of reference.slice(2).split('/')) {
    const key = unescapePointer(decoded(segment))
    if (typeof current !== 'object' || current === null) return undefined
    current = Object.hasOwn(current, key) ? Object.entries(current).find(([name]) => name === key)?.[1] : undefined
  }
  return current
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
