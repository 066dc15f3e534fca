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

/** Properties that every task may have, which do not say what it does. */
const commonKeys: ReadonlySet<string> = new Set(['if', 'input', 'output', 'export', 'timeout', 'then', 'metadata', 'with'])

/** What the names of other workflow languages are here. */
const synonyms: Readonly<Record<string, string>> = {
  http: 'call: http, and below with: a method and an endpoint',
  request: 'call: http, and below with: a method and an endpoint',
  email: 'call: email, and below with: to, subject and text',
  approve: 'call: approve, and below with: a title and approvers',
  function: 'call: with the name of the function',
  sleep: 'wait: with a duration, for example wait: PT5M',
  delay: 'wait: with a duration, for example wait: PT5M',
  pause: 'wait: with a duration, for example wait: PT5M',
  parallel: 'fork: with branches',
  branches: 'fork: with branches',
  foreach: 'for: with each and in, and do: beside it',
  loop: 'for: with each and in, and do: beside it',
  while: 'for: with in, and while: beside it',
  choice: 'switch: with one entry for each case',
  case: 'switch: with one entry for each case',
  steps: 'do: with a list of tasks',
  sequence: 'do: with a list of tasks',
  catch: 'try: with a list of tasks, and catch: beside it',
  throw: 'raise: with an error',
  error: 'raise: with an error',
  script: 'run: with script: and its language and code',
  code: 'run: with script: and its language and code',
  shell: 'run: with shell:',
  workflow: 'run: with workflow: and its namespace, name and version',
  assign: 'set: with the data',
  let: 'set: with the data',
  publish: 'emit: with an event',
  subscribe: 'listen: with the events to wait for',
  log: 'set: with the data; the timeline of an execution shows the output of each task',
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
  const key = Object.keys(value).find((candidate) => !commonKeys.has(candidate))
  if (key !== undefined) {
    const message = `${quoted(key)} is not something that a task can do.`
    const hint = Object.hasOwn(synonyms, key) ? `Write ${synonyms[key]}.` : `A task has one of ${taskKinds.join(', ')}.`
    return { code: 'invalid_task', path: { parent: path, key }, at: 'key', message, hint }
  }
  const message = 'The task does not say what it does.'
  return { code: 'invalid_task', path, at: 'key', message, hint: `Add one of ${taskKinds.join(', ')}.` }
}

function misspelled(key: string, close: string, path: Path | undefined): Finding {
  const message = `${quoted(key)} is not something that a task can do.`
  return { code: 'invalid_task', path: { parent: path, key }, at: 'key', message, hint: `Did you mean ${quoted(close)}?` }
}
