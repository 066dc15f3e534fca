import type { Json } from '#src/json.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Badge } from './outline.ts'

const plain = ['if', 'timeout', 'input', 'output', 'export'] as const satisfies readonly Badge[]

/** The badges of a task; `metadata.note` is a note, and `metadata.disabled` marks a task that the editor has disabled. */
export function badgesOf(task: Json): readonly Badge[] {
  if (!isObject(task)) return []
  const metadata = objectAt(task, 'metadata')
  const caught = objectAt(task, 'catch')
  const disabled = metadata?.['disabled'] !== undefined
  return [
    ...plain.filter((key) => Object.hasOwn(task, key) && !(disabled && key === 'if')),
    ...(caught?.['retry'] === undefined ? [] : (['retry'] as const)),
    ...(typeof metadata?.['note'] === 'string' ? (['note'] as const) : []),
    ...(disabled ? (['disabled'] as const) : []),
  ]
}
