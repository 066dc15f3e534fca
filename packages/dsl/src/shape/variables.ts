import type { Json, JsonObject } from '#src/json.ts'

/** Makes a function that reads the variable names of a loop or a catch, from the properties that name them and their defaults. */
export function variableNames(defaults: Readonly<Record<string, string>>): (owner: JsonObject | undefined) => readonly string[] {
  const entries = Object.entries(defaults)
  return (owner) => entries.map(([property, name]) => nameOr(owner?.[property], name))
}

function nameOr(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') return name
  // A name written with its $ is reported at its definition, and not again at each use.
  return value.startsWith('$') ? value.slice(1) : value
}

/** The value under a key when it is an object. */
export function objectAt(owner: JsonObject, key: string): JsonObject | undefined {
  const value = owner[key]
  return isObject(value) ? value : undefined
}

/** For values that come from a JSON document, or are typed as a part of one. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
