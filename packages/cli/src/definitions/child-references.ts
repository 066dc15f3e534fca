import type { CompiledWorkflow } from '@millrace/engine'
import { tasksIn } from './tasks-in.ts'

/** A workflow that a task runs. */
export interface ChildReference {
  readonly namespace: string
  readonly name: string
  /** A version, or `latest`. */
  readonly version: string
  /** JSON Pointer of the task. */
  readonly reference: string
}

/** Every workflow that a definition runs by `run: workflow`, in the order of its tasks. */
export function childReferences(workflow: CompiledWorkflow): readonly ChildReference[] {
  return tasksIn(workflow).flatMap(({ body, reference }) => {
    if (body.kind !== 'run-workflow') return []
    const { namespace, name, version } = body
    return [{ namespace, name, version, reference }]
  })
}
