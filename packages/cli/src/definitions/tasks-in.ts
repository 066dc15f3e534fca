import type { CompiledWorkflow, TaskNode } from '@millrace/engine'

/** Every task of a workflow once, each before those inside it; those of an extension where it first applies. */
export function tasksIn(workflow: CompiledWorkflow): readonly TaskNode[] {
  // The tasks of an extension are shared by all tasks that it applies to.
  return [...new Set(workflow.tasks.tasks.flatMap(withInner))]
}

function withInner(node: TaskNode): readonly TaskNode[] {
  const extensions = node.extensions ?? []
  const before = extensions.flatMap((extension) => extension.before.tasks)
  const after = extensions.flatMap((extension) => extension.after.tasks)
  return [...before.flatMap(withInner), node, ...[...innerOf(node), ...after].flatMap(withInner)]
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
