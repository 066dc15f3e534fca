import type { Json, JsonObject } from '#src/json.ts'

/** A reader of the variable names that a loop or a catch gives: by the property that names the variable, and its default. */
export function variableNames(defaults: Readonly<Record<string, string>>): (owner: JsonObject | undefined) => readonly string[] {
  const entries = Object.entries(defaults)
  return (owner) => entries.map(([property, name]) => nameOr(owner?.[property], name))
}

function nameOr(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') return name
  // A name written with its $ is reported where it is given, and not again wherever it is read.
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
