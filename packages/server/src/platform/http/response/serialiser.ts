import fastJsonStringify, { type AnySchema } from 'fast-json-stringify'
import * as z from 'zod'
import { withRawJson } from './raw-json.ts'

type Node = Readonly<Record<string, unknown>>
type Nodes = Readonly<Record<string, Node>>

const depthMax = 32

/**
 * Compiles the schema of a reply to a serialiser: declared members only, in declared order.
 *
 * Types and tests ensure that replies match their schema, so slow checks (formats, patterns, unions) are omitted. Schemas for which compiled
 * code is not faster use `JSON.stringify`.
 */
export function compileSerialiser(schema: z.ZodType): (value: unknown) => string {
  const json = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  const shape = simplify(nodeOf(json), nodesOf(json.$defs), 0)
  const compiled = Object.keys(shape).length === 0 ? JSON.stringify : compileShape(shape)
  // A value without a JSON representation, such as undefined, is written as null.
  return (value) => withRawJson(() => compiled(value) ?? 'null')
}

function compileShape(shape: Node): (value: unknown) => string {
  // `simplify` uses only keywords that the compiler supports.
  return fastJsonStringify(shape as AnySchema)
}

function simplify(node: Node, definitions: Nodes, depth: number): Node {
  if (depth > depthMax) return {} // A recursive schema: JSON.stringify ends with the value.
  if (typeof node.$ref === 'string') {
    const target = definitions[node.$ref.slice('#/$defs/'.length)]
    return target === undefined ? {} : simplify(target, definitions, depth + 1)
  }
  const inner = withoutNull(node)
  if (inner !== undefined) {
    const simple = simplify(inner, definitions, depth + 1)
    return Object.keys(simple).length === 0 ? {} : { ...simple, nullable: true }
  }
  switch (node.type) {
    case 'string':
    case 'boolean':
      return { type: node.type }
    case 'number':
    case 'integer':
      return { type: 'number' }
    case 'array':
      return { type: 'array', items: simplify(nodeOf(node.items), definitions, depth + 1) }
    case 'object':
      return simplifyObject(node, definitions, depth)
    default:
      return {}
  }
}

function simplifyObject(node: Node, definitions: Nodes, depth: number): Node {
  const members = Object.entries(nodesOf(node.properties))
  if (members.length === 0) return {}
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, simplify(member, definitions, depth + 1)])),
    required: Array.isArray(node.required) ? node.required.filter((name) => typeof name === 'string') : [],
    additionalProperties: node.additionalProperties !== undefined && node.additionalProperties !== false,
  }
}

/** The schema `T` of `T | null`; `undefined` for any other schema. */
function withoutNull(node: Node): Node | undefined {
  if (Array.isArray(node.type)) {
    const types = node.type.filter((type) => type !== 'null')
    return types.length === 1 && types.length < node.type.length ? { ...node, type: types[0] } : undefined
  }
  if (!Array.isArray(node.anyOf) || node.anyOf.length !== 2) return undefined
  const others = node.anyOf.filter((option) => nodeOf(option).type !== 'null')
  return others.length === 1 ? nodeOf(others[0]) : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nodeOf(value: unknown): Node {
  return isNode(value) ? value : {}
}

function nodesOf(value: unknown): Nodes {
  return Object.fromEntries(Object.entries(nodeOf(value)).map(([name, node]) => [name, nodeOf(node)]))
}
