import * as z from 'zod'

export type SchemaNode = Readonly<Record<string, unknown>>

/** Gathers named schemas under `components`, so that each is written once. */
export interface SchemaCollector {
  /** The schema of a zod type, with named ones as references. `input` is the request form, `output` the response form. */
  of(type: z.ZodType, io: Direction): SchemaNode
  readonly components: Readonly<Record<string, SchemaNode>>
}

export function createSchemaCollector(): SchemaCollector {
  const components: Record<string, SchemaNode> = {}

  function collect(definitions: SchemaNode, io: Direction): ReadonlyMap<string, string> {
    // A type whose request form differs from its response form, by its defaults, has two schemas.
    const names = new Map(
      Object.keys(definitions).map((name) => [name, io === 'input' && differs(name, definitions[name]) ? `${name}Input` : name]),
    )
    for (const [name, schema] of Object.entries(definitions)) components[names.get(name) ?? name] = tidy(schema, names, io)
    return names
  }

  function differs(name: string, definition: unknown): boolean {
    const known = components[name]
    return known !== undefined && JSON.stringify(known) !== JSON.stringify(tidy(definition, new Map(), 'input'))
  }

  return {
    components,
    of(type, io) {
      const { $defs, $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
      return tidy(schema, collect($defs ?? {}, io), io)
    },
  }
}

type Direction = 'input' | 'output'

/** Rewrites references, and removes redundant keywords: the bounds of all integers, and patterns that repeat a format. */
function tidy(value: unknown, names: ReadonlyMap<string, string>, io: Direction): SchemaNode {
  const walked = walk(value, names, io)
  return isNode(walked) ? walked : {}
}

function walk(value: unknown, names: ReadonlyMap<string, string>, io: Direction): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => walk(item, names, io))
  if (!isNode(value)) return value
  const result: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(value)) {
    if (isNoise(key, member, value, io)) continue
    if (key === '$ref' && typeof member === 'string') result[key] = reference(member, names)
    else if (key === 'properties' && isNode(member))
      result[key] = Object.fromEntries(Object.entries(member).map(([name, schema]) => [name, walk(schema, names, io)]))
    else result[key] = key === 'examples' || key === 'default' ? member : walk(member, names, io)
  }
  return result
}

function isNoise(key: string, member: unknown, schema: SchemaNode, io: Direction): boolean {
  switch (key) {
    case 'pattern':
      return schema.format !== undefined
    case 'propertyNames':
    case 'id':
      return true
    case 'minimum':
    case 'maximum':
      return typeof member === 'number' && Math.abs(member) === Number.MAX_SAFE_INTEGER
    case 'additionalProperties':
      // Responses may gain members, which clients have to ignore.
      return io === 'output' && member === false
    default:
      return false
  }
}

function reference(target: string, names: ReadonlyMap<string, string>): string {
  const name = target.slice('#/$defs/'.length)
  return `#/components/schemas/${names.get(name) ?? name}`
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
