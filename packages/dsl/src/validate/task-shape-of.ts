import { suggest } from '#src/diagnostics/suggest.ts'
import type { Path } from '#src/parse/pointer.ts'
import { kindsOf, shapeOfKind } from '#src/shape/choose.ts'
import type { ObjectShape } from '#src/shape/shape.ts'
import { isObject } from '#src/shape/variables.ts'
import { taskKinds } from '#src/tasks/task-kind.ts'
import type { Json, JsonObject } from '#src/types/json.ts'
import type { Facts } from './facts.ts'
import { alternatives, quoted, wrongType } from './wording.ts'

/** The one shape that a task is checked against, decided by its keys; undefined, and a diagnostic, when they decide nothing. */
export function shapeOfTask(facts: Facts, value: Json, path: Path | undefined): ObjectShape | undefined {
  if (!isObject(value)) {
    facts.findings.push(wrongType(path, value, 'a task, an object', `Write what it does below its name: ${alternatives(taskKinds)}.`))
    return undefined
  }
  facts.tasks.push({ task: value, path })
  const kinds = kindsOf(value)
  const [kind] = kinds
  if (kind === undefined) {
    facts.findings.push(noKind(value, path))
    return undefined
  }
  for (const other of kinds.slice(1)) {
    const message = `A task does one thing, and this has both ${quoted(kind)} and ${quoted(other)}.`
    facts.findings.push({ code: 'invalid_task', path: { parent: path, key: other }, at: 'key', message, hint: 'Make two tasks of it.' })
  }
  // The shape of one kind would call the other kind's properties unknown, which says nothing new.
  return kinds.length > 1 ? undefined : shapeOfKind(kind, value)
}

function noKind(value: JsonObject, path: Path | undefined) {
  for (const key of Object.keys(value)) {
    const close = suggest(key, taskKinds)
    if (close === undefined) continue
    const message = `${quoted(key)} is not something that a task can do.`
    return { code: 'invalid_task', path: { parent: path, key }, at: 'key', message, hint: `Did you mean ${quoted(close)}?` } as const
  }
  const message = 'The task does not say what it does.'
  return { code: 'invalid_task', path, at: 'key', message, hint: `Add one of ${taskKinds.join(', ')}.` } as const
}
