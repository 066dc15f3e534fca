import { Document } from 'yaml'
import { definitionShape } from '#src/shape/definition-shape.ts'
import type { Json } from '#src/json.ts'
import { inOrder } from './in-order.ts'

/**
 * The canonical JSON of a definition: properties of the DSL in the order of the specification, the author's own keys in the order in which they
 * were written, an indentation of two spaces, a line break at the end.
 */
export function canonicalJson(definition: Canonicalisable): string {
  return `${JSON.stringify(ordered(definition), null, 2)}\n`
}

/** The canonical YAML 1.2 of a definition: block style, one space after colons, no line folded, text with line breaks as literal blocks, no anchors. */
export function canonicalYaml(definition: Canonicalisable): string {
  const document = new Document(ordered(definition), { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  return document.toString({ lineWidth: 0, indent: 2, indentSeq: true, singleQuote: true, blockQuote: 'literal', minContentWidth: 0 })
}

/** A definition, or JSON that is meant to be one: unknown properties are kept, after the known ones. */
export type Canonicalisable = Json | object

function ordered(definition: Canonicalisable): Json {
  return inOrder(definitionShape, toJson(definition))
}

/** Copies a value as JSON; undefined properties are dropped. */
function toJson(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  // Neither JSON nor YAML writers distinguish minus zero from zero.
  if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value
  if (Array.isArray(value)) return value.map(toJson)
  if (typeof value !== 'object') throw new TypeError(`A definition cannot contain a ${typeof value}.`)
  const object: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) if (item !== undefined) object[key] = toJson(item)
  return object
}
