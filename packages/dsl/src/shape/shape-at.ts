import type { Json } from '#src/json.ts'
import { childPointer, pointerKeys } from '#src/parse/pointer.ts'
import { chooseByKey, chooseByType, kindsOf, shapeOfKind } from './choose.ts'
import { definitionShape } from './definition-shape.ts'
import type { Shape } from './shape.ts'
import type { Stage } from './stage.ts'
import { isObject } from './variables.ts'

/** What may stand at a place of a document, and when expressions there are evaluated. */
export interface ShapeAt {
  readonly shape: Shape
  readonly stage: Stage
}

/** A step on the way to a place: the shape of the value, and the key that leads on. */
export interface ShapeStep {
  readonly shape: Shape
  readonly value: Json | undefined
  readonly key: string
  readonly pointer: string
}

/** The shape of the value at a pointer, which need not exist yet; undefined where the language has no value. `visit` gets each step on the way. */
export function shapeAt(document: Json, pointer: string, visit?: (step: ShapeStep) => void): ShapeAt | undefined {
  let shape: Shape | undefined = definitionShape
  let stage: Stage = 'task'
  let value: Json | undefined = document
  let at = ''
  for (const key of pointerKeys(pointer)) {
    const resolved: Shape | undefined = resolve(shape, value)
    if (resolved === undefined) return undefined
    visit?.({ shape: resolved, value, key, pointer: at })
    at = childPointer(at, key)
    if (resolved.kind === 'tasks' || resolved.kind === 'named') stage = resolved.kind === 'tasks' ? 'task' : stage
    stage = resolved.kind === 'object' ? (resolved.properties.get(key)?.stage ?? stage) : stage
    shape = below(resolved, key, value)
    value = valueBelow(value, key)
    if (shape === undefined) return undefined
  }
  return { shape: resolve(shape, value) ?? shape, stage }
}

/** The shape that decides for a value among those that it may have. */
function resolve(shape: Shape, value: Json | undefined): Shape | undefined {
  if (shape.kind === 'union') {
    const chosen = value === undefined ? undefined : chooseByType(shape, value)
    return chosen === undefined ? (value === undefined ? shape : undefined) : resolve(chosen, value)
  }
  if (shape.kind === 'keyed') return resolve(chooseByKey(shape, value ?? null), value)
  if (shape.kind !== 'task') return shape
  const [kind] = isObject(value) ? kindsOf(value) : []
  return kind !== undefined && isObject(value) ? shapeOfKind(kind, value) : shape
}

/** An entry of a named list stands between the list and its shape. */
function below(shape: Shape, key: string, value: Json | undefined): Shape | undefined {
  switch (shape.kind) {
    case 'object':
      return shape.properties.get(key)?.shape ?? shape.rest
    case 'map':
      return shape.values
    case 'list':
      return shape.items
    case 'tasks':
      return Array.isArray(value) ? { kind: 'map', what: 'a task', values: { kind: 'task' } } : undefined
    case 'named':
      return Array.isArray(value) ? { kind: 'map', what: shape.what, values: shape.items } : undefined
    case 'any':
    case 'opaque':
      return { kind: shape.kind }
    default:
      return undefined
  }
}

function valueBelow(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) ? value[key] : undefined
}
