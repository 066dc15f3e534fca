import { suggest } from '#src/diagnostics/suggest.ts'
import { taskKinds } from '#src/tasks/task-kind.ts'
import type { Json, JsonObject } from '#src/json.ts'
import type { TaskKind } from '#src/shape/task-shapes.ts'
import type { KeyedShape, ObjectShape, Shape, UnionShape } from './shape.ts'
import { callShapes, functionCallShape, taskShapes } from './task-shapes.ts'
import { synonymsOf } from './synonyms.ts'
import { isObject } from './variables.ts'

/** The shape that the JSON type of a value decides, if the union has one for it. */
export function chooseByType(shape: UnionShape, value: Json): Shape | undefined {
  if (typeof value === 'string') return shape.string
  if (Array.isArray(value)) return shape.list
  return isObject(value) ? shape.object : undefined
}

/** The shape that a key of the value decides. */
export function chooseByKey(shape: KeyedShape, value: Json): Shape {
  if (!isObject(value)) return shape.otherwise
  for (const [key, candidate] of shape.cases) if (Object.hasOwn(value, key)) return candidate
  return misspelledCase(shape, value) ?? shape.otherwise
}

/** The case of an object that has neither a deciding key nor a property of the other shape, but a key that is close to a deciding one. */
function misspelledCase({ cases, otherwise }: KeyedShape, value: JsonObject): Shape | undefined {
  const keys = Object.keys(value)
  if (otherwise.kind === 'object' && keys.some((key) => [key, ...synonymsOf(key)].some((name) => otherwise.properties.has(name))))
    return undefined
  const meant = keys.map((key) => suggest(key, cases.keys())).find((key) => key !== undefined)
  return meant === undefined ? undefined : cases.get(meant)
}

/** The keys of a task that are kinds, without the `do` of a loop. */
export function kindsOf(task: JsonObject): TaskKind[] {
  const kinds = taskKinds.filter((kind) => Object.hasOwn(task, kind))
  return kinds[0] === 'for' ? kinds.filter((kind) => kind !== 'do') : kinds
}

/** The shape of a task of one kind; for a call, that of what it calls. */
export function shapeOfKind(kind: TaskKind, task: JsonObject): ObjectShape {
  if (kind !== 'call') return taskShapes[kind]
  const called = task['call']
  return (typeof called === 'string' ? callShapes.get(called) : undefined) ?? functionCallShape
}
