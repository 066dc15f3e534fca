import type { Json } from '#src/json.ts'
import type { Shape } from '#src/shape/shape.ts'

const byName: Readonly<Record<string, Json>> = {
  dsl: '1.0.3',
  namespace: 'default',
  version: '1.0.0',
  method: 'get',
  endpoint: 'https://example.com',
  uri: 'https://example.com',
  in: '${ . }',
  status: 500,
  type: 'https://example.com/errors/failed',
  source: 'https://example.com',
}
const texts: readonly Json[] = ['name', 'PT1M', 'https://example.com', '${ . }']

/** Values that a property may begin with, the most plausible first. */
export function defaultsOf(shape: Shape | undefined, name: string): readonly Json[] {
  const known = Object.hasOwn(byName, name) ? [byName[name] ?? null] : []
  return [...known, ...ofShape(shape)].slice(0, valuesMax)
}

const valuesMax = 4

function ofShape(shape: Shape | undefined): readonly Json[] {
  switch (shape?.kind) {
    case 'string':
      return shape.values === undefined ? texts : shape.values.slice(0, 1)
    case 'integer':
      return [1]
    case 'boolean':
      return [false]
    case 'object':
    case 'map':
      return [{}]
    case 'list':
    case 'named':
    case 'tasks':
      return [[]]
    case 'union':
      return [...ofShape(shape.string), ...ofShape(shape.object), ...ofShape(shape.list)]
    default:
      return [{}]
  }
}
