import type { Json } from '#src/json.ts'
import type { Property, Shape } from './shape.ts'

/** A shape as JSON: maps are lists in their order, and what only code can check is left out. */
export function plainShape(shape: Shape): Json {
  switch (shape.kind) {
    case 'object': {
      const { kind, what, required, exactlyOne, atLeastOne, entriesMin, rest } = shape
      const properties = [...shape.properties].map(([name, property]) => plainProperty(name, property, required.includes(name)))
      return { kind, what, properties, exactlyOne, ...given({ atLeastOne, entriesMin, rest: rest && plainShape(rest) }) }
    }
    case 'map':
      return { kind: 'map', what: shape.what, values: plainShape(shape.values) }
    case 'list':
      return { kind: 'list', what: shape.what, items: plainShape(shape.items), ...given({ unique: shape.unique }) }
    case 'named':
      return { kind: 'named', what: shape.what, items: plainShape(shape.items), ...given({ entriesMin: shape.entriesMin }) }
    case 'union': {
      const { string, object, list } = shape
      const alternatives = { string: string && plainShape(string), object: object && plainShape(object), list: list && plainShape(list) }
      return { kind: 'union', what: shape.what, ...given({ example: shape.example, ...alternatives }) }
    }
    case 'keyed': {
      const cases = [...shape.cases].map(([key, inner]) => ({ key, shape: plainShape(inner) }))
      return { kind: 'keyed', cases, otherwise: plainShape(shape.otherwise) }
    }
    default:
      return { ...shape }
  }
}

function plainProperty(name: string, { shape, stage }: Property, required: boolean): Json {
  return { name, required, ...given({ stage }), shape: plainShape(shape) }
}

function given(values: Readonly<Record<string, Json | undefined>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
}
