import { isArray, isObject, type Json, type JsonObject } from '#core/json.ts'
import { segmentName } from '#core/json-pointer.ts'
import { SchemaError } from './schema-error.ts'
import { type Part, partOf } from './schema-parts.ts'
import { SchemaNode } from './schema-node.ts'
import type { Resource } from './scope.ts'

const NESTING_MAX = 500
const BASE = 'schema:///'

/** A schema and all within it that can be referred to. Parts are compiled when they are first applied. */
export class SchemaDocument {
  readonly root: SchemaNode
  /** Whether references depend on the way that led to them. */
  isDynamic = false
  /** The steps for reading the document. */
  steps = 0
  readonly #resources = new Map<string, Resource>()
  readonly #roots = new Map<JsonObject, Resource>()
  /** How many references and places lead to a schema. */
  readonly #ways = new Map<JsonObject, number>()
  readonly #nodes = new Map<Resource, Map<JsonObject, SchemaNode>>()
  readonly #references: { readonly resource: Resource; readonly to: string }[] = []

  /** Reads a schema; `charge` is called as that goes. */
  constructor(schema: Json, charge: (steps: number) => void) {
    const spend = (steps: number) => {
      this.steps += steps
      charge(steps)
    }
    const whole = this.#open(BASE, schema)
    this.#read(schema, { kind: 'schema', applied: false }, whole, 0, spend)
    for (const { resource, to } of this.#references) {
      spend(1 + Math.ceil(to.length / 16))
      this.#countReference(resource, to)
    }
    this.root = this.node(whole, schema, () => '')
  }

  /** The schema at a place in a resource. */
  node(within: Resource, schema: Json, place: () => string): SchemaNode {
    if (typeof schema === 'boolean') return new SchemaNode(this, within, schema, place, false)
    if (!isObject(schema)) throw new SchemaError(`${place() || '/'} is no schema; a schema is an object, true or false`)
    const resource = this.#roots.get(schema) ?? within
    const nodes = this.#nodes.get(resource) ?? new Map<JsonObject, SchemaNode>()
    this.#nodes.set(resource, nodes)
    const known = nodes.get(schema)
    if (known !== undefined) return known
    const node = new SchemaNode(this, resource, schema, place, (this.#ways.get(schema) ?? 0) > 1)
    nodes.set(schema, node)
    return node
  }

  /** The target of a reference. */
  resolve(from: Resource, to: string): { readonly resource: Resource; readonly schema: Json } {
    const hash = to.indexOf('#')
    const address = hash === -1 ? to : to.slice(0, hash)
    const fragment = hash === -1 ? '' : decoded(to.slice(hash + 1), to)
    const resource = address === '' ? from : this.#resources.get(absolute(address, from.uri))
    if (resource === undefined)
      throw new SchemaError(`the reference ${JSON.stringify(to)} leads out of the schema; only references within it are followed`)
    if (fragment === '') return { resource, schema: resource.root }
    if (fragment.startsWith('/')) return this.#follow(resource, fragment, to)
    const schema = resource.anchors.get(fragment) ?? resource.dynamicAnchors.get(fragment)
    if (schema === undefined) throw nowhere(to)
    return { resource: this.#roots.get(schema) ?? resource, schema }
  }

  #follow(from: Resource, pointer: string, to: string): { readonly resource: Resource; readonly schema: Json } {
    let resource = from
    let schema = from.root
    for (const segment of pointer.slice(1).split('/')) {
      const name = segmentName(segment)
      const next = typeof schema === 'object' && schema !== null && Object.hasOwn(schema, name) ? memberOf(schema, name) : undefined
      if (next === undefined) throw nowhere(to)
      schema = next
      if (isObject(schema)) resource = this.#roots.get(schema) ?? resource
    }
    return { resource, schema }
  }

  #open(uri: string, root: Json): Resource {
    const resource: Resource = { uri, root, anchors: new Map(), dynamicAnchors: new Map() }
    if (this.#resources.has(uri)) throw new SchemaError(`two parts of it have the same $id ${JSON.stringify(uri.replace(BASE, ''))}`)
    this.#resources.set(uri, resource)
    if (isObject(root)) this.#roots.set(root, resource)
    return resource
  }

  /** Notes what a schema declares and refers to, in itself and in the schemas within it. Whatever is no schema is only counted. */
  #read(value: Json, part: Part, within: Resource, depth: number, spend: (steps: number) => void): void {
    spend(typeof value === 'string' ? 1 + Math.floor(value.length / 64) : 1)
    if (depth > NESTING_MAX) throw new SchemaError(`it is nested deeper than ${NESTING_MAX} levels`)
    if (isArray(value)) for (const item of value) this.#read(item, part.items ?? data, within, depth + 1, spend)
    if (!isObject(value)) return
    const resource = part.kind === 'schema' ? this.#declare(value, part, within) : within
    for (const [name, member] of Object.entries(value)) {
      spend(name.length >> 6)
      this.#read(member, part.kind === 'schema' ? partOf(name, member) : (part.members ?? data), resource, depth + 1, spend)
    }
  }

  #declare(schema: JsonObject, { applied }: Part, within: Resource): Resource {
    if (applied) this.#count(schema)
    const resource = this.#identify(schema, within)
    const { $anchor, $dynamicAnchor, $ref, $dynamicRef } = schema
    if (typeof $anchor === 'string') declareOnce(resource.anchors, $anchor, schema)
    if (typeof $dynamicAnchor === 'string') declareOnce(resource.dynamicAnchors, $dynamicAnchor, schema)
    if (schema['$recursiveAnchor'] === true) resource.dynamicAnchors.set('', schema)
    if (typeof $ref === 'string') this.#references.push({ resource, to: $ref })
    if (typeof $dynamicRef === 'string') this.#references.push({ resource, to: $dynamicRef })
    if (typeof $dynamicRef === 'string' || schema['$recursiveRef'] === '#') this.isDynamic = true
    // Which references lead to it is found out on the way there.
    if (typeof $dynamicAnchor === 'string' || schema['$recursiveAnchor'] === true) this.#count(schema, 2)
    return resource
  }

  #identify(schema: JsonObject, within: Resource): Resource {
    const { $id } = schema
    if (typeof $id !== 'string') return within
    if ($id.startsWith('#')) {
      declareOnce(within.anchors, $id.slice(1), schema)
      return within
    }
    const uri = absolute($id.replace(/#$/, ''), within.uri)
    const known = this.#roots.get(schema)
    if (known?.uri === uri) return known
    if (schema !== within.root) return this.#open(uri, schema)
    // A schema with an `$id` is also found by it.
    const whole: Resource = { ...within, uri }
    this.#resources.set(uri, whole)
    this.#roots.set(schema, whole)
    return whole
  }

  #countReference(resource: Resource, to: string): void {
    try {
      const { schema } = this.resolve(resource, to)
      if (isObject(schema)) this.#count(schema)
    } catch (error) {
      // Reported where it is followed, if it ever is.
      if (!(error instanceof SchemaError)) throw error
    }
  }

  #count(schema: JsonObject, ways = 1): void {
    this.#ways.set(schema, (this.#ways.get(schema) ?? 0) + ways)
  }
}

const data: Part = { kind: 'data', applied: false }

function declareOnce(anchors: Map<string, JsonObject>, name: string, schema: JsonObject): void {
  if ((anchors.get(name) ?? schema) !== schema) throw new SchemaError(`two parts of it have the same anchor ${JSON.stringify(name)}`)
  anchors.set(name, schema)
}

function memberOf(value: JsonObject | readonly Json[], name: string): Json | undefined {
  return isArray(value) ? value[Number(name)] : value[name]
}

function nowhere(to: string): SchemaError {
  return new SchemaError(`the reference ${JSON.stringify(to)} leads nowhere`)
}

function absolute(uri: string, base: string): string {
  const url = URL.parse(uri, base)
  if (url === null) throw new SchemaError(`${JSON.stringify(uri)} is no URI`)
  return url.href
}

function decoded(fragment: string, to: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    throw nowhere(to)
  }
}
