import { suggest } from '#src/diagnostics/suggest.ts'
import type { Path } from '#src/parse/pointer.ts'
import { kindsOf, shapeOfKind } from '#src/shape/choose.ts'
import type { ObjectShape } from '#src/shape/shape.ts'
import { isObject } from '#src/shape/variables.ts'
import { taskShapes } from '#src/shape/task-shapes.ts'
import { taskKinds } from '#src/tasks/task-kind.ts'
import type { JsonObject } from '#src/json.ts'
import type { Finding, Site } from '#src/validate/facts.ts'
import { alternatives, quoted, wrongType } from '#src/validate/wording.ts'

/** Tasks of one document, including those inside other tasks, of functions and of extensions. */
export const tasksMax = 5000

/** The one shape that a task is checked against, decided by its keys; undefined, with a finding, when they decide nothing. */
export function shapeOfTask({ facts, value, path }: Site): ObjectShape | undefined {
  if (!isObject(value)) {
    facts.findings.push(wrongType(path, value, 'a task, an object', `Write what it does below its name: ${alternatives(taskKinds)}.`))
    return undefined
  }
  if (facts.tasks.length >= tasksMax) {
    // One more entry than allowed marks that the excess is reported.
    if (facts.tasks.length === tasksMax) {
      facts.findings.push(tooMany(path))
      facts.tasks.push({ task: {}, path })
    }
    return undefined
  }
  facts.tasks.push({ task: value, path })
  const kinds = kindsOf(value)
  const [kind] = kinds
  const misspelledLoop =
    kind === 'do' ? Object.keys(value).find((key) => suggest(key, ['for']) === 'for' && !taskShapes.do.properties.has(key)) : undefined
  if (kind === undefined || misspelledLoop !== undefined) {
    facts.findings.push(misspelledLoop === undefined ? noKind(value, path) : misspelled(misspelledLoop, 'for', path))
    return undefined
  }
  for (const other of kinds.slice(1)) {
    const message = `A task does one thing, and this has both ${quoted(kind)} and ${quoted(other)}.`
    facts.findings.push({ code: 'invalid_task', path: { parent: path, key: other }, at: 'key', message, hint: 'Make two tasks of it.' })
  }
  // The shape of one kind would report the other kind's properties as unknown, which adds nothing.
  return kinds.length > 1 ? undefined : shapeOfKind(kind, value)
}

function tooMany(path: Path | undefined): Finding {
  const message = `The document has more than ${tasksMax} tasks.`
  const hint = 'Split the workflow: move parts of it into workflows of their own and call them with run: workflow.'
  return { code: 'document_too_large', path, at: 'key', message, hint }
}

function noKind(value: JsonObject, path: Path | undefined): Finding {
  for (const key of Object.keys(value)) {
    const close = suggest(key, taskKinds)
    if (close === undefined) continue
    return misspelled(key, close, path)
  }
  const message = 'The task does not say what it does.'
  return { code: 'invalid_task', path, at: 'key', message, hint: `Add one of ${taskKinds.join(', ')}.` }
}

function misspelled(key: string, close: string, path: Path | undefined): Finding {
  const message = `${quoted(key)} is not something that a task can do.`
  return { code: 'invalid_task', path: { parent: path, key }, at: 'key', message, hint: `Did you mean ${quoted(close)}?` }
}
