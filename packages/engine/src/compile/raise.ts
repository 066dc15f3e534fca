import type { RaiseTask } from '@millrace/dsl'
import type { RaiseBody } from '#core/node.ts'
import type { CompileContext } from './context.ts'
import { compileTemplate } from './expression.ts'

export function compileRaise(task: RaiseTask, context: CompileContext): RaiseBody {
  const named = task.raise.error
  const error = typeof named === 'string' ? context.definition.use?.errors?.[named] : named
  if (error === undefined) throw new Error(`"raise: ${JSON.stringify(named)}" names no error of "use.errors"`)
  return { kind: 'raise', error: compileTemplate({ ...error }, context.expressions) }
}
