import { isNode, type SchemaNode } from './json-schema.ts'

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00.000Z',
  duration: 'PT1H',
  email: 'ada@example.com',
  uri: 'https://example.com',
}
const depthMax = 8

/** A value that matches a schema, for readers: made of its examples, defaults and first choices. Optional members are left out of requests. */
export function exampleOf(
  schema: SchemaNode,
  components: Readonly<Record<string, SchemaNode>>,
  members: 'all' | 'required',
  depth = 0,
): unknown {
  if (depth > depthMax) return null
  const inner = (node: unknown) => exampleOf(isNode(node) ? node : {}, components, members, depth + 1)
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
  if (typeof schema.$ref === 'string') return inner(components[schema.$ref.slice('#/components/schemas/'.length)])
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return inner(schema.anyOf[0])
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return exampleObject(schema, members, inner)
    case 'array':
      return members === 'all' || typeof schema.minItems === 'number' ? [inner(schema.items)] : []
    case 'string':
      return (typeof schema.format === 'string' ? byFormat[schema.format] : undefined) ?? 'text'
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    default:
      return {}
  }
}

function exampleObject(schema: SchemaNode, members: 'all' | 'required', inner: (node: unknown) => unknown): unknown {
  const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : [])
  const entries = Object.entries(isNode(schema.properties) ? schema.properties : {})
  return Object.fromEntries(entries.filter(([name]) => members === 'all' || required.has(name)).map(([name, node]) => [name, inner(node)]))
}
