import type { Json, JsonObject } from '@millrace/dsl'
import { jsonAt } from '#src/document/task-json.ts'

/** A new step as it is meant in a list of tasks: in a loop its examples read the item, since the data around it is rarely what a round works on. */
export function inLoop(definition: Json | undefined, list: string, task: JsonObject): JsonObject {
  const item = itemAt(definition, list)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only strings inside of the object change.
  return item === undefined ? task : (reading(task, item) as JsonObject)
}

/** The variable of the innermost loop around a list; undefined outside of loops. */
function itemAt(definition: Json | undefined, list: string): string | undefined {
  for (let at = list; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const { for: loop } = Object(jsonAt(definition, at))
    if (typeof loop === 'object' && loop !== null && list.startsWith(`${at}/do`)) return String(Object(loop).each ?? 'item')
  }
  return undefined
}

/** `${ . }` becomes `${ $item }`, and `${ .total > 1000 }` becomes `${ $item.total > 1000 }`. */
function reading(value: Json, item: string): Json {
  if (typeof value === 'string') return value.replace(/^\$\{ \. /, `\${ $${item} `).replace(/^\$\{ \.(?=\w)/, `\${ $${item}.`)
  if (Array.isArray(value)) return value.map((one) => reading(one, item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, reading(one, item)]))
}
