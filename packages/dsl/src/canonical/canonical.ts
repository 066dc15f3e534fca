import { Document } from 'yaml'
import { definitionShape } from '#src/shape/definition-shape.ts'
import type { Json } from '#src/json.ts'
import { inOrder } from './in-order.ts'

/**
 * The one form in JSON that a definition has: the properties of the DSL in the order of the specification, the author's own keys in the
 * order in which they were written, two spaces, a line break at the end.
 */
export function canonicalJson(definition: Canonicalisable): string {
  return `${JSON.stringify(ordered(definition), null, 2)}\n`
}

/** The same as YAML 1.2: block style, one space behind colons, no line folded, text with line breaks as literal blocks, no anchors. */
export function canonicalYaml(definition: Canonicalisable): string {
  const document = new Document(ordered(definition), { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  return document.toString({ lineWidth: 0, indent: 2, indentSeq: true, singleQuote: true, blockQuote: 'literal', minContentWidth: 0 })
}

/** A definition, or any JSON that is meant to be one: what is not of the DSL is kept, behind what is. */
export type Canonicalisable = Json | object

function ordered(definition: Canonicalisable): Json {
  return inOrder(definitionShape, toJson(definition))
}

/** Drops what JSON cannot hold, such as properties that are undefined, and cuts the ties to the caller's objects. */
function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  // Minus zero is not told from zero by either language's writer.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object') throw new TypeError(`A definition cannot hold a ${typeof value}.`)
  const object: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) if (item !== undefined) object[key] = toJson(item)
  return object
}
