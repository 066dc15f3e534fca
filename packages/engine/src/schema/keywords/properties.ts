import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { Keyword, Node, Rule } from '#schema/rule.ts'
import type { Run } from '#schema/run.ts'
import { mapOf } from './given.ts'
import { inside, namesIn } from './objects.ts'

/** Where a schema names more properties than this, those of the value are looked up instead. */
const NAMES_FEW = 32

/** Keywords that apply schemas to the properties of an object. */
export const propertyKeywords: Readonly<Record<string, Keyword>> = {
  properties: (given, node, { object }) => {
    const schemas = mapOf(given, node, 'properties')
    const names = Object.keys(schemas)
    const childOf = (name: string) => node.child(schemas[name] ?? null, 'properties', name)
    if (names.length > NAMES_FEW) object.push(eachFound(schemas, childOf))
    else object.push(eachNamed(names.map((name) => [name, childOf(name)] as const)))
  },
  patternProperties: (given, node, { object }) => {
    const place = node.placeOf('patternProperties')
    for (const [source, schema] of Object.entries(mapOf(given, node, 'patternProperties'))) {
      object.push(eachMatching(source, place, node.child(schema, 'patternProperties', source)))
    }
  },
  additionalProperties: (given, node, { object }) => {
    object.push(eachOther(node.child(given, 'additionalProperties'), isNamed(node), given === false))
  },
}

function eachNamed(nodes: readonly (readonly [string, Node])[]): Rule<JsonObject> {
  return (value, run, seen, at) => {
    let fits = true
    for (const [name, node] of nodes) {
      if (!Object.hasOwn(value, name)) continue
      seen?.add(name)
      if (node.visit(value[name] ?? null, run, undefined, inside(at, name))) continue
      if (at === undefined || run.isFull) return false
      fits = false
    }
    return fits
  }
}

function eachFound(schemas: JsonObject, childOf: (name: string) => Node): Rule<JsonObject> {
  const nodes = new Map<string, Node>()
  return (value, run, seen, at) => {
    let fits = true
    for (const name of namesIn(value, run)) {
      if (!Object.hasOwn(schemas, name)) continue
      const node = nodes.get(name) ?? childOf(name)
      nodes.set(name, node)
      seen?.add(name)
      if (node.visit(value[name] ?? null, run, undefined, inside(at, name))) continue
      if (at === undefined || run.isFull) return false
      fits = false
    }
    return fits
  }
}

function eachMatching(source: string, place: string, node: Node): Rule<JsonObject> {
  return (value, run, seen, at) => {
    let fits = true
    for (const name of namesIn(value, run)) {
      if (!run.matches(run.pattern(source, place), name)) continue
      seen?.add(name)
      if (node.visit(value[name] ?? null, run, undefined, inside(at, name))) continue
      if (at === undefined || run.isFull) return false
      fits = false
    }
    return fits
  }
}

function eachOther(node: Node, isKnown: (name: string, run: Run) => boolean, isClosed: boolean): Rule<JsonObject> {
  if (node.schema === true) {
    return (_value, _run, seen) => {
      if (seen !== undefined) seen.all = true
      return true
    }
  }
  return (value, run, seen, at) => {
    let fits = true
    for (const name of namesIn(value, run)) {
      if (isKnown(name, run)) continue
      seen?.add(name)
      const place = inside(at, name)
      if (isClosed && place !== undefined) fits = run.report(place, `is not a property that the schema knows`)
      else if (!node.visit(value[name] ?? null, run, undefined, place)) {
        if (at === undefined) return false
        fits = false
      }
      if (run.isFull) return false
    }
    return fits
  }
}

/** Whether `properties` or `patternProperties` beside a keyword speak of a name. */
function isNamed(node: Node): (name: string, run: Run) => boolean {
  const properties = objectOf(node.member('properties'))
  const sources = Object.keys(objectOf(node.member('patternProperties')))
  const place = node.placeOf('patternProperties')
  return (name, run) => Object.hasOwn(properties, name) || sources.some((source) => run.matches(run.pattern(source, place), name))
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}
