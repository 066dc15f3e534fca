import { describe } from '#src/values/describe.ts'
import type { Node } from './ast.ts'

/** The message for a key that is a constant but no string; `undefined` when the key may be right. */
export function constantKeyFault(key: Node): string | undefined {
  if (key.kind === 'literal' && typeof key.value !== 'string') return `Cannot use ${describe(key.value)} as object key`
  if (key.kind === 'array' && key.body === undefined) return `Cannot use ${describe([])} as object key`
  if (key.kind === 'object' && key.entries.length === 0) return `Cannot use ${describe({})} as object key`
  return undefined
}
