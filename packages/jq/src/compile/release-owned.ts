import type { Owned } from '#src/paths/update.ts'
import { isArray, type Value } from '#src/values/value.ts'

/** The elements of a value that are searched for owned containers; a larger value is assumed to contain some. */
const searchedMax = 64

/**
 * Ends a fold's ownership when a value that will be used elsewhere refers to any owned container. The next step copies, and the fold owns the
 * copies.
 */
export function releaseOwned(owned: Owned, value: Value): void {
  if (owned.size === 0 || typeof value !== 'object' || value === null) return
  if (reaches(owned, value)) owned.clear()
}

function reaches(owned: Owned, value: Value): boolean {
  const pending: Value[] = [value]
  let left = searchedMax
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at !== 'object' || at === null) continue
    if (owned.has(at)) return true
    const elements = isArray(at) ? at : Object.values(at)
    left -= elements.length + 1
    if (left < 0) return true
    for (const element of elements) if (typeof element === 'object') pending.push(element)
  }
  return false
}
