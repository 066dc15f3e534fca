/** The input and the outputs of a program: plain JSON values of JavaScript. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * A value inside a program: JSON, plus `bigint` for an integer literal that a double cannot represent.
 * jq 1.8 keeps such a literal until arithmetic touches it; a `bigint` never leaves a program, see `toJson`.
 */
export type Value = null | boolean | number | bigint | string | readonly Value[] | ObjectValue
export interface ObjectValue {
  readonly [key: string]: Value
}
export interface MutableObject {
  [key: string]: Value
}

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export function isArray(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

export function isObject(value: Value): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isNumeric(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

export function typeOf(value: Value): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
    case 'bigint':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      if (value === null) return 'null'
      return Array.isArray(value) ? 'array' : 'object'
  }
}

/** Only `false` and `null` are false; a host's `undefined` counts as `null`. */
export function truthy(value: Value): boolean {
  return value !== false && value !== null && value !== undefined
}

/** The own property `key`, `undefined` without such a property: nothing is ever read from a prototype. */
export function own(object: ObjectValue, key: string): Value | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets `key` as an ordinary own property, `__proto__` included. */
export function put(object: MutableObject, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

/** The input of a program with a host's `undefined` read as `null`. */
export function orNull(value: Value | undefined): Value {
  return value === undefined ? null : value
}

/** The double that arithmetic sees. */
export function toNumber(value: number | bigint): number {
  return typeof value === 'number' ? value : Number(value)
}

/**
 * Replaces what JSON cannot represent as jq does when it prints: a kept integer by its nearest double, NaN by null, an infinity by the
 * largest double. A value without such numbers is returned as it is.
 */
export function toJson(value: Value): Json {
  return isJson(value) ? value : replaced(value, new Map())
}

/** A container that stands in several places is replaced once, so that the copy shares what the value shares. */
function replaced(value: Value, known: Map<Value, Json>): Json {
  if (typeof value === 'bigint' || typeof value === 'number') return toJsonNumber(Number(value))
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before !== undefined) return before
  const after = isArray(value) ? value.map((item) => replaced(orNull(item), known)) : replacedFields(value, known)
  known.set(value, after)
  return after
}

function replacedFields(object: ObjectValue, known: Map<Value, Json>): Json {
  const copy: { [key: string]: Json } = {}
  for (const key of Object.keys(object)) {
    const value = replaced(orNull(object[key]), known)
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true })
  }
  return copy
}

function toJsonNumber(value: number): number | null {
  if (Number.isNaN(value)) return null
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)
}

/** Whether JSON can represent a number. */
export function isJsonNumber(value: number | bigint): boolean {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Whether a value contains nothing that `toJson` replaces. Uses its own stack instead of recursion. */
function isJson(value: Value): value is Json {
  if (typeof value !== 'object' || value === null) return !isNumeric(value) || isJsonNumber(value)
  const pending: Value[] = [value]
  // A container that stands in several places is looked at once.
  const seen = new Set<Value>()
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (isNumeric(at) && !isJsonNumber(at)) return false
    if (typeof at !== 'object' || at === null || seen.has(at)) continue
    seen.add(at)
    for (const item of isArray(at) ? at : Object.values(at)) if (typeof item === 'object' || isNumeric(item)) pending.push(item)
  }
  return true
}
