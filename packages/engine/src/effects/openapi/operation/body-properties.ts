import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { resolve } from '#effects/openapi/document/reference.ts'
import { ownProperty, ownList, ownObject } from '#effects/openapi/own-property.ts'
import type { BodyProperties } from './operation.ts'

/**
 * Collects the properties that the schema of a body names, those of its `allOf`, `oneOf` and `anyOf` included.
 *
 * A schema that names none, or says that it takes others, is open; so is one whose parts cannot be read, since nothing is known then.
 * Circular schemas end where they begin again, and hostile ones after a thousand parts.
 */
export function bodyProperties(root: JsonObject, schema: Json | undefined): BodyProperties {
  const walk: Walk = { root, names: new Set(), files: new Set(), seen: new Set(), open: false, object: undefined }
  visit(walk, schema)
  const open = walk.open || walk.names.size === 0
  return { object: walk.object ?? true, names: walk.names, open, files: walk.files }
}

const partsMax = 1_000

interface Walk {
  readonly root: JsonObject
  readonly names: Set<string>
  readonly files: Set<string>
  readonly seen: Set<Json>
  open: boolean
  object: boolean | undefined
}

function visit(walk: Walk, schema: Json | undefined): void {
  const resolved = read(walk.root, schema)
  if (!isObject(resolved)) {
    if (schema !== undefined) walk.open = true
    return
  }
  if (walk.seen.has(resolved) || walk.seen.size >= partsMax) return
  walk.seen.add(resolved)
  noteType(walk, resolved)
  for (const [name, property] of Object.entries(ownObject(resolved, 'properties'))) {
    walk.names.add(name)
    if (isFile(walk.root, property)) walk.files.add(name)
  }
  const others = ownProperty(resolved, 'additionalProperties')
  if (others === true || isObject(others)) walk.open = true
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    for (const part of ownList(resolved, keyword)) visit(walk, part)
  }
}

/** The schema is an object if one of its alternatives is, since only that one accepts properties. */
function noteType(walk: Walk, schema: JsonObject): void {
  const type = ownProperty(schema, 'type')
  if (type === undefined) {
    if (ownProperty(schema, 'properties') !== undefined) walk.object = true
    return
  }
  const takesObject = type === 'object' || (isArray(type) && type.includes('object'))
  walk.object = walk.object === true || takesObject
}

/** Bytes in a form: `format: binary` of OpenAPI 3.0, a media type without an encoding of 3.1, or lists of these. */
function isFile(root: JsonObject, property: Json): boolean {
  const resolved = read(root, property)
  const schema = ownProperty(resolved, 'type') === 'array' ? read(root, ownProperty(resolved, 'items')) : resolved
  if (ownProperty(schema, 'format') === 'binary') return true
  return ownProperty(schema, 'contentMediaType') !== undefined && ownProperty(schema, 'contentEncoding') === undefined
}

/** The schema only serves to detect misspelt properties, so an unreadable schema does not fail the call. */
function read(root: JsonObject, schema: Json | undefined): Json | undefined {
  try {
    return resolve(root, schema)
  } catch (error) {
    if (error instanceof HttpCallError) return undefined
    throw error
  }
}
