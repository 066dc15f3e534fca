import { standardError } from './error.ts'
import type { Json } from './json.ts'
import type { Work } from './work.ts'

/** The size of a value that leaves an execution (an output, the arguments of an effect, the input of a child), in characters as JSON. */
export const PAYLOAD_MAX = 16 * 1024 * 1024
/** The nesting of such a value: beyond some thousands of levels JSON.stringify and PostgreSQL refuse it. */
export const NESTING_MAX = 1_000
/**
 * A value weighs at least so much, however short its text: reading, copying and writing it costs as much as so many characters. A payload has a
 * million values at most.
 */
const VALUE_WEIGHT = 16
/** Measuring so many characters takes about as long as a step of an expression. */
const CHARACTERS_PER_STEP = 64

/**
 * Refuses a value that would print larger than `PAYLOAD_MAX` or that nests deeper than `NESTING_MAX`. Values share their parts, so a few steps of
 * doubling make one that is small in memory and larger than any memory as text; the count stops where a bound is passed, and so does the work.
 */
export function checkPayload(value: Json, what: string, reference: string, work?: Work): void {
  const { count, nesting } = measure(value, VALUE_WEIGHT, PAYLOAD_MAX)
  work?.chargeTurn(count / CHARACTERS_PER_STEP)
  if (count > PAYLOAD_MAX) throw standardError('runtime', `${what} would be larger than ${PAYLOAD_MAX / 1024 / 1024} MiB`, reference)
  if (nesting > NESTING_MAX) throw standardError('runtime', `${what} nests deeper than ${NESTING_MAX} levels`, reference)
}

/** The value, or a text in place of one that is too large or too deep to leave an execution. */
export function showable(value: Json): Json {
  const { count, nesting } = measure(value, VALUE_WEIGHT, PAYLOAD_MAX)
  if (count > PAYLOAD_MAX) return `(larger than ${PAYLOAD_MAX / 1024 / 1024} MiB)`
  return nesting > NESTING_MAX ? `(nests deeper than ${NESTING_MAX} levels)` : value
}

/** Why a value cannot be copied between threads: too many `values`, shared parts counted each time, or too many `levels`. */
export function excessOf(root: Json, valuesMax: number): 'values' | 'levels' | undefined {
  const { count, nesting } = measure(root, 1, valuesMax, 0)
  if (count > valuesMax) return 'values'
  return nesting > NESTING_MAX ? 'levels' : undefined
}

/** To copy a member of an object takes longer than to copy an item of a list, and much longer where the object is a hash table in memory. */
const MEMBERS_LARGE = 1_000
const MEMBER_WEIGHT = 1
const LARGE_MEMBER_WEIGHT = 4
/** To copy so many characters takes about as long as to copy a value. */
const CHARACTERS_PER_VALUE = 64

/** Whether to copy the value to another thread takes longer than to copy an array of so many numbers. */
export function isCopyLarger(root: Json, valuesMax: number): boolean {
  return measure(root, 1, valuesMax, 1 / CHARACTERS_PER_VALUE, memberWeight).count > valuesMax
}

function memberWeight(members: number): number {
  return members * (members > MEMBERS_LARGE ? LARGE_MEMBER_WEIGHT : MEMBER_WEIGHT)
}

/** The approximate length of a value other than a text as JSON. */
const TEXT_WEIGHT = 4

/** Characters of the value as JSON, about: escapes are not counted. */
export function payloadSize(value: Json): number {
  return measure(value, TEXT_WEIGHT, Number.POSITIVE_INFINITY).count
}

interface Measure {
  /** Characters as JSON, not counting escapes, or the weight of the values; anything above `max` where the value is larger. */
  readonly count: number
  /** Levels of arrays and objects; of a value that is larger than `max`, as far as it was looked at. */
  readonly nesting: number
}

function measure(root: Json, weight: number, max: number, perCharacter = 1, ofMembers?: (members: number) => number): Measure {
  if (typeof root !== 'object' || root === null)
    return { count: weight + (typeof root === 'string' ? root.length * perCharacter : 0), nesting: 0 }
  let count = weight
  let nesting = 0
  // Level by level, so that the nesting needs no record of its own for each value.
  for (let level: Json[] = [root]; level.length > 0 && count <= max && nesting <= NESTING_MAX; nesting++) {
    const next: Json[] = []
    const add = (value: Json) => {
      count += weight
      if (typeof value === 'string') count += value.length * perCharacter
      else if (typeof value === 'object' && value !== null) next.push(value)
    }
    for (const value of level) {
      if (count > max) break
      if (Array.isArray(value)) for (const item of value) add(item)
      else if (typeof value === 'object' && value !== null) {
        const members = Object.entries(value)
        if (ofMembers !== undefined) count += ofMembers(members.length)
        for (const [key, member] of members) {
          count += key.length * perCharacter
          add(member)
        }
      }
    }
    level = next
  }
  return { count, nesting }
}
