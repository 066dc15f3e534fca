/** What a program takes and gives: plain JSON as JavaScript holds it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * What flows inside a program: JSON, plus `bigint` for an integer literal that a double cannot hold.
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

/** The own property `key`, `undefined` when there is none: nothing is ever read from a prototype. */
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

/** Replaces every kept big integer by its nearest double; what holds none is returned as it is. */
export function toJson(value: Value): Json {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (isArray(value)) {
    const copy = value.map(toJson)
    // A list without a kept integer is its own copy; the identity keeps what the caller shares with its input.
    return copy.every((item, index) => item === value[index]) ? (value as readonly Json[]) : copy
  }
  const copy: MutableObject = {}
  let changed = false
  for (const key of Object.keys(value)) {
    const before = orNull(value[key])
    const after = toJson(before)
    if (after !== before) changed = true
    put(copy, key, after)
  }
  // Every field went through `toJson`, so neither record holds a `bigint` any more.
  return (changed ? copy : value) as Json
}
