import { isArray, type Json } from '#core/json.ts'

/** The kind of a value within a schema: a schema, several by index or by name, or data. */
export interface Part {
  readonly kind: 'schema' | 'data'
  /** Whether the schema around it applies it, rather than keeping it for references. */
  readonly applied: boolean
  readonly items?: Part
  readonly members?: Part
}

const data: Part = { kind: 'data', applied: false }
const schema: Part = { kind: 'schema', applied: true }
const list: Part = { kind: 'data', applied: false, items: schema }
const map: Part = { kind: 'data', applied: false, members: schema }
const definitions: Part = { kind: 'data', applied: false, members: { kind: 'schema', applied: false } }

const parts = new Map<string, Part>([
  ...['$defs', 'definitions'].map((keyword) => [keyword, definitions] as const),
  ...['dependencies', 'dependentSchemas', 'patternProperties', 'properties'].map((keyword) => [keyword, map] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, list] as const),
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not'].map(
    (keyword) => [keyword, schema] as const,
  ),
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'].map((keyword) => [keyword, schema] as const),
])

/** The kind of the value of a keyword. */
export function partOf(keyword: string, value: Json): Part {
  if (keyword === 'items' && isArray(value)) return list
  return parts.get(keyword) ?? data
}
