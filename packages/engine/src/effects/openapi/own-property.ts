import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'

/** An own member of an object. Names are those of documents, and every object inherits a `constructor`. */
export function ownProperty(object: Json | undefined, name: string): Json | undefined {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}

/** The object under a name, or an empty one. */
export function ownObject(object: Json | undefined, name: string): JsonObject {
  const value = ownProperty(object, name)
  return isObject(value) ? value : {}
}

/** The list under a name, or an empty one. */
export function ownList(object: Json | undefined, name: string): readonly Json[] {
  const value = ownProperty(object, name)
  return isArray(value) ? value : []
}

/** The texts of the list under a name. */
export function ownTexts(object: Json | undefined, name: string): readonly string[] {
  return ownList(object, name).filter((item) => typeof item === 'string')
}
