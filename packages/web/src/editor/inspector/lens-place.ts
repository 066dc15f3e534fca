import type { Json } from '@millrace/dsl'
import { shapeAt } from '@millrace/dsl/shapes'
import { below, jsonAt } from '#src/document/task-json.ts'
import type { LensRequest } from '#src/rehearse/lens.ts'

/** Properties of a task whose expressions are evaluated on the task's own input or output. Those of `listen` and `foreach` read something else. */
const read = new Set(['if', 'input', 'output', 'export', 'set', 'with', 'switch', 'emit', 'raise', 'run', 'wait', 'timeout'])

/** Conditions that read what the first task of a list gets: in an iteration of a loop, or after an error was caught. */
const before: Readonly<Record<string, string>> = { while: 'do', 'catch/when': 'catch/do', 'catch/exceptWhen': 'catch/do' }

/** When the expression at a pointer is evaluated, and whether it needs no `${ }`; undefined where its values cannot be known. */
export function lensPlace(json: Json, task: string, pointer: string): Pick<LensRequest, 'task' | 'moment' | 'bare'> | undefined {
  if (!pointer.startsWith(`${task}/`)) return undefined
  const path = pointer.slice(task.length + 1)
  const list = before[path]
  if (list !== undefined) {
    const first = firstTask(json, `${task}/${list}`)
    return first === undefined ? undefined : { task: first, moment: 'taskInput', bare: true }
  }
  if (!read.has(path.split('/')[0] ?? '') && path !== 'for/in') return undefined
  const found = shapeAt(json, pointer)
  if (found === undefined) return undefined
  const { shape, stage } = found
  const text = shape.kind === 'union' ? shape.string : shape
  return { task, moment: stage, bare: text?.kind === 'string' && text.reading === 'expression' }
}

function firstTask(json: Json, list: string): string | undefined {
  const tasks = jsonAt(json, list)
  const first = Array.isArray(tasks) ? tasks[0] : undefined
  const [name] = first !== null && typeof first === 'object' ? Object.keys(first) : []
  return name === undefined ? undefined : below(`${list}/0`, name)
}
