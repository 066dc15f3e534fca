import type { Task } from '@millrace/dsl'
import type { Finish } from '#core/node.ts'
import { compiled, type CompileContext, optional } from './context.ts'
import { compileTransformation } from './expression.ts'
import { compileCheck } from './schema.ts'

/** Compiles what becomes of a raw output; `what` names its task to people. */
export function compileFinish(
  { output, export: exported }: Pick<Task, 'output' | 'export'>,
  what: string,
  { expressions, installation }: CompileContext,
): Finish {
  return {
    ...compiled('outputAs', output?.as, compileTransformation, expressions),
    ...optional('outputCheck', compileCheck(output?.schema, `the output of ${what}`, installation)),
    ...compiled('exportAs', exported?.as, compileTransformation, expressions),
    ...optional('exportCheck', compileCheck(exported?.schema, `the context after ${what}`, installation)),
  }
}
