import type { CompiledWorkflow, TaskNode } from '@millrace/engine'

/** Every task of a workflow, each before those inside it. */
export function tasksIn(workflow: CompiledWorkflow): readonly TaskNode[] {
  return workflow.tasks.tasks.flatMap(withInner)
}

function withInner(node: TaskNode): readonly TaskNode[] {
  return [node, ...innerOf(node).flatMap(withInner)]
}

function innerOf({ body }: TaskNode): readonly TaskNode[] {
  switch (body.kind) {
    case 'do':
    case 'for':
      return body.tasks.tasks
    case 'fork':
      return body.branches
    case 'try':
      return [...body.tasks.tasks, ...(body.catch.tasks?.tasks ?? [])]
    case 'listen':
      return body.foreach?.tasks?.tasks ?? []
    case 'function':
      return [body.node]
    case 'message':
    case 'answer':
    case 'emit':
    case 'pass':
    case 'run-workflow':
    case 'set':
    case 'switch':
    case 'raise':
    case 'wait':
    case 'call':
      return []
  }
}
