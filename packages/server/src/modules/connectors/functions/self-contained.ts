import { isObject, itemsOf, type Json, type JsonObject } from '@millrace/engine'
import { objectAt } from './pointer.ts'

/** Schemas of more values are replaced by one that allows anything: the service checks them. */
const valuesMax = 5_000

/** How many values the schemas of several functions may still have together; those beyond are replaced as well. */
export interface SchemaBudget {
  left: number
}
const descriptionMax = 500

const copied = new Set(['type', 'enum', 'const', 'default', 'title', 'required', 'multipleOf', 'uniqueItems'])
const numbers = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])
const lists = new Set(['allOf', 'anyOf', 'oneOf'])

/**
 * Copies schemas of one OpenAPI document into JSON Schemas that stand on their own: what they refer to is in `definitions`, once. Patterns and formats
 * are left out, since services take them less literally than a validator; examples and extensions are left out as well.
 */
export function createSchemaCopier(root: JsonObject, budget: SchemaBudget) {
  const definitions: Record<string, Json> = {}
  let values = 0

  function isOver(): boolean {
    return values > valuesMax || budget.left < 0
  }

  function count(more: number): void {
    values += more
    budget.left -= more
  }

  /** A value that is not a schema: enums and defaults may be long. */
  function asIs(value: Json): Json | undefined {
    countValues(value)
    return isOver() ? undefined : value
  }

  function countValues(value: Json): void {
    if (isOver() || typeof value !== 'object' || value === null) return
    const members = Array.isArray(value) ? itemsOf(value) : Object.values(value)
    count(members.length)
    for (const member of members) countValues(member)
  }

  function copy(schema: Json | undefined): Json {
    if (typeof schema === 'boolean') return schema
    if (schema === undefined || !isObject(schema)) return {}
    count(1)
    if (isOver()) return {}
    const reference = schema['$ref']
    if (typeof reference === 'string') return refer(reference)
    const result: Record<string, Json> = {}
    for (const [key, value] of Object.entries(schema)) {
      const member = copyMember(key, value)
      if (member !== undefined) result[key] = member
    }
    return nullable(schema, withBounds(schema, withoutReadOnly(schema, result)))
  }

  function copyMember(key: string, value: Json): Json | undefined {
    if (copied.has(key)) return asIs(value)
    if (key === 'description') return typeof value === 'string' ? value.slice(0, descriptionMax) : undefined
    if (numbers.has(key)) return typeof value === 'number' ? value : undefined
    if (lists.has(key)) return Array.isArray(value) && value.length > 0 ? itemsOf(value).map(copy) : undefined
    if (key === 'properties' && isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copy(inner)]))
    if (key === 'items' || key === 'not' || key === 'additionalProperties') return copy(value)
    return undefined
  }

  function refer(reference: string): Json {
    const name = reference.replace(/^#\//, '').replaceAll(/[^A-Za-z0-9._-]/g, '.')
    if (!Object.hasOwn(definitions, name)) {
      // Before the copy, since a schema may refer to itself.
      definitions[name] = {}
      definitions[name] = copy(objectAt(root, { $ref: reference }))
    }
    return { $ref: `#/$defs/${name}` }
  }

  return {
    copy,
    /** A schema with what its copies refer to. */
    complete(schema: JsonObject): JsonObject {
      if (isOver()) return { type: 'object' }
      return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions }
    },
  }
}

/** A property that only responses have is not required of a request. */
function withoutReadOnly({ properties, required }: JsonObject, copy: Record<string, Json>): Record<string, Json> {
  if (!Array.isArray(required)) return copy
  const known = properties !== undefined && isObject(properties) ? properties : {}
  const isReadOnly = (name: Json) => {
    const property = typeof name === 'string' ? known[name] : undefined
    return property !== undefined && isObject(property) && property['readOnly'] === true
  }
  const left = itemsOf(required).filter((name) => !isReadOnly(name))
  const { required: _, ...rest } = copy
  return left.length === 0 ? rest : { ...rest, required: left }
}

/** OpenAPI 3.0 marks exclusive bounds by true. */
function withBounds(schema: JsonObject, copy: Record<string, Json>): Record<string, Json> {
  const result = { ...copy }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const given = schema[exclusive]
    if (typeof given === 'number') result[exclusive] = given
    const value = schema[bound]
    if (given === true && typeof value === 'number') {
      result[exclusive] = value
      delete result[bound]
    }
  }
  return result
}

/** OpenAPI 3.0 marks values that may be null by `nullable`. */
function nullable(schema: JsonObject, copy: Record<string, Json>): Json {
  if (schema['nullable'] !== true) return copy
  return { anyOf: [copy, { type: 'null' }] }
}
