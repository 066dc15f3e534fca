import type { Json } from '@millrace/dsl'
import { shapeAt } from '@millrace/dsl/shapes'
import type { LensRequest } from '#src/rehearse/lens.ts'

/** Properties of a task whose expressions are evaluated on the task's own input or output. Those of `catch`, `listen` and `foreach` read something else. */
const read = new Set(['if', 'input', 'output', 'export', 'set', 'with', 'switch', 'emit', 'raise', 'run', 'wait', 'timeout'])

/** When the expression at a pointer is evaluated, and whether it needs no `${ }`; undefined where its values cannot be known. */
export function lensPlace(json: Json, task: string, pointer: string): Pick<LensRequest, 'task' | 'moment' | 'bare'> | undefined {
  if (!pointer.startsWith(`${task}/`)) return undefined
  const path = pointer.slice(task.length + 1)
  if (!read.has(path.split('/')[0] ?? '') && path !== 'for/in') return undefined
  const found = shapeAt(json, pointer)
  if (found === undefined) return undefined
  const { shape, stage } = found
  const text = shape.kind === 'union' ? shape.string : shape
  return { task, moment: stage, bare: text?.kind === 'string' && text.reading === 'expression' }
}
