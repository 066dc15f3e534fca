import { chooseByKey, chooseByType, kindsOf, shapeOfKind } from '#src/shape/choose.ts'
import type { ObjectShape, Shape } from '#src/shape/shape.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'

/** Sorts the properties of a value into the order of its shape, recursively; further keys follow in their own order. */
export function inOrder(shape: Shape, value: Json): Json {
  switch (shape.kind) {
    case 'object':
      return isObject(value) ? orderObject(shape, value) : value
    case 'map':
      return isObject(value) ? mapValues(value, (item) => inOrder(shape.values, item)) : value
    case 'list':
      return Array.isArray(value) ? value.map((item) => inOrder(shape.items, item)) : value
    case 'named':
      return orderNamed(value, (item) => inOrder(shape.items, item))
    case 'tasks':
      return orderNamed(value, orderTask)
    case 'task':
      return orderTask(value)
    case 'union':
      return orderChosen(chooseByType(shape, value), value)
    case 'keyed':
      return inOrder(chooseByKey(shape, value), value)
    default:
      return value
  }
}

function orderChosen(shape: Shape | undefined, value: Json): Json {
  return shape === undefined ? value : inOrder(shape, value)
}

function orderObject(shape: ObjectShape, value: JsonObject): Json {
  const result: Record<string, Json> = {}
  for (const [key, property] of shape.properties) {
    const item = value[key]
    if (item !== undefined && Object.hasOwn(value, key)) result[key] = inOrder(property.shape, item)
  }
  for (const [key, item] of Object.entries(value)) {
    if (!shape.properties.has(key)) result[key] = shape.rest === undefined ? item : inOrder(shape.rest, item)
  }
  return result
}

function orderNamed(value: Json, order: (item: Json) => Json): Json {
  return Array.isArray(value) ? value.map((item: Json) => (isObject(item) ? mapValues(item, order) : item)) : value
}

function orderTask(value: Json): Json {
  const [kind] = isObject(value) ? kindsOf(value) : []
  return kind === undefined || !isObject(value) ? value : inOrder(shapeOfKind(kind, value), value)
}

function mapValues(value: JsonObject, change: (item: Json) => Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]))
}
