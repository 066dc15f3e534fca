import { standardError } from './error.ts'
import type { Json } from './json.ts'

/** What leaves an execution (an output, the arguments of an effect, the input of a child) is at most this many characters as JSON. */
export const PAYLOAD_MAX = 16 * 1024 * 1024

/**
 * Refuses a value that would print larger than `PAYLOAD_MAX`. Values share their parts, so a few steps of doubling make one that is small in
 * memory and larger than any memory as text; the count stops where the bound is passed, and so does the work.
 */
export function checkPayload(value: Json, what: string, reference: string): void {
  if (countTo(value, PAYLOAD_MAX) > PAYLOAD_MAX) {
    throw standardError('runtime', `${what} would be larger than ${PAYLOAD_MAX / 1024 / 1024} MiB`, reference)
  }
}

/** The value, or where it would print larger than `PAYLOAD_MAX` a text that says so. */
export function showable(value: Json): Json {
  return countTo(value, PAYLOAD_MAX) > PAYLOAD_MAX ? `(larger than ${PAYLOAD_MAX / 1024 / 1024} MiB)` : value
}

/** Characters of the value as JSON, about: escapes are not counted. */
export function payloadSize(value: Json): number {
  return countTo(value, Number.POSITIVE_INFINITY)
}

/** Characters of the value as JSON, not counting escapes; anything above `max` where it is larger. */
function countTo(root: Json, max: number): number {
  let count = 0
  const open: Json[] = [root]
  for (let value = open.pop(); value !== undefined && count <= max; value = open.pop()) {
    count += 4
    if (typeof value === 'string') count += value.length
    else if (Array.isArray(value)) for (const item of value) open.push(item)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        count += key.length
        open.push(member)
      }
    }
  }
  return count
}
