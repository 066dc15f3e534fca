/** A JSON value. The engine never mutates one, since journal, timeline and later tasks may share it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/** Parses text that is known to be JSON. */
export function parseJson(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives JSON and is typed as any.
  return JSON.parse(text) as Json
}

/** Parses text as a JSON object; `undefined` if it is anything else. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `Array.isArray` alone does not narrow readonly arrays. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The members of an object; an empty object for any other value. */
export function membersOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** The items of a list; an empty list for any other value. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** Every text in a value, names of members aside. */
export function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The value if it is a text. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
