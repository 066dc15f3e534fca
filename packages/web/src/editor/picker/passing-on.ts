import type { JsonObject } from '@millrace/dsl'

/** A new step that is called for its effect: those behind it get what it got, and not its receipt. */
export function passingOn(task: JsonObject): JsonObject {
  return { ...task, output: { as: '${ $input }' } }
}
