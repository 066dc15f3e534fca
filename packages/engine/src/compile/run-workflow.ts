import type { RunTask } from '@millrace/dsl'
import type { RunWorkflowBody } from '#core/node.ts'
import type { CompileContext } from './context.ts'
import { compileTemplate } from './expression.ts'

export function compileRun(task: RunTask, context: CompileContext): RunWorkflowBody {
  const { workflow, await: waits } = task.run
  if (workflow === undefined) throw new Error('a process that is no workflow was not refused before compiling')
  return {
    kind: 'run-workflow',
    namespace: workflow.namespace,
    name: workflow.name,
    version: workflow.version,
    input: compileTemplate(workflow.input ?? {}, context.expressions),
    await: waits ?? true,
  }
}
