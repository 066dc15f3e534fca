import type { Path } from '#src/parse/pointer.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { chooseByKey, chooseByType, kindsOf, shapeOfKind } from './choose.ts'
import { definitionShape } from './definition-shape.ts'
import type { ObjectShape, Shape } from './shape.ts'
import { isObject } from './variables.ts'

/** An object of a document with its shape. */
export interface VisitedObject {
  readonly shape: ObjectShape
  readonly value: JsonObject
  readonly path: Path | undefined
  readonly isTask: boolean
}

type Visitor = (object: VisitedObject) => void

/**
 * Visits every object of a document that has a shape, in the order of the document: a definition, or a function on its own, which is a task.
 *
 * It follows the tables of shapes, so that no place of tasks or schemas can be forgotten. Values of a wrong type are skipped, and the author's own
 * data is not entered.
 */
export function visitDocument(document: unknown, see: Visitor): void {
  if (!isObject(document)) return
  visit('document' in document ? definitionShape : { kind: 'task' }, document, undefined, see)
}

function visit(shape: Shape, value: Json, path: Path | undefined, see: Visitor): void {
  switch (shape.kind) {
    case 'object':
      return isObject(value) ? visitObject(shape, value, path, false, see) : undefined
    case 'map':
      return isObject(value) ? visitEntries(value, path, (item, at) => visit(shape.values, item, at, see)) : undefined
    case 'list':
      return visitItems(value, path, (item, at) => visit(shape.items, item, at, see))
    case 'named':
      return visitNamed(value, path, (item, at) => visit(shape.items, item, at, see))
    case 'tasks':
      return visitNamed(value, path, (item, at) => visitTask(item, at, see))
    case 'task':
      return visitTask(value, path, see)
    case 'union': {
      const chosen = chooseByType(shape, value)
      return chosen === undefined ? undefined : visit(chosen, value, path, see)
    }
    case 'keyed':
      return visit(chooseByKey(shape, value), value, path, see)
    default:
  }
}

function visitObject(shape: ObjectShape, value: JsonObject, path: Path | undefined, isTask: boolean, see: Visitor): void {
  see({ shape, value, path, isTask })
  visitEntries(value, path, (item, at) => {
    const property = shape.properties.get(String(at.key))
    if (property !== undefined) visit(property.shape, item, at, see)
  })
}

function visitTask(value: Json, path: Path | undefined, see: Visitor): void {
  const [kind] = isObject(value) ? kindsOf(value) : []
  if (kind !== undefined && isObject(value)) visitObject(shapeOfKind(kind, value), value, path, true, see)
}

function visitEntries(value: JsonObject, path: Path | undefined, each: (item: Json, at: Path) => void): void {
  for (const [key, item] of Object.entries(value)) each(item, { parent: path, key })
}

function visitItems(value: Json, path: Path | undefined, each: (item: Json, at: Path) => void): void {
  if (Array.isArray(value)) for (const [key, item] of value.entries()) each(item, { parent: path, key })
}

function visitNamed(value: Json, path: Path | undefined, each: (item: Json, at: Path) => void): void {
  visitItems(value, path, (item, at) => (isObject(item) ? visitEntries(item, at, each) : undefined))
}
