import type { ErrorData, TaskNode } from '@millrace/engine'
import { childReferences } from '#definitions/child-references.ts'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import type { LoadedDefinition } from '#definitions/load-definition.ts'

/** Keeps the task that raised an error, since its `instance` alone does not name the workflow. */
export interface FaultOrigin {
  faulted(node: TaskNode, error: ErrorData): void
  /** The workflow that raised the last error; undefined when the root did. */
  workflowIn(bundle: WorkflowBundle): LoadedDefinition | undefined
}

export function createFaultOrigin(): FaultOrigin {
  let last: { readonly node: TaskNode; readonly error: ErrorData } | undefined
  return {
    faulted(node, error) {
      // An error passes from the task that raised it through all tasks around it.
      if (last?.error !== error) last = { node, error }
    },
    workflowIn(bundle) {
      if (last === undefined || last.node.body.kind !== 'run-workflow') return undefined
      const { instance } = last.error
      if (instance === undefined || instance === last.node.reference) return undefined
      const child = bundle.find(last.node.body)
      return child === undefined ? undefined : workflowWith(instance, child, bundle, new Set())
    },
  }
}

/** The workflow that contains the task: the child, or a workflow that it ran. */
function workflowWith(instance: string, workflow: LoadedDefinition, bundle: WorkflowBundle, seen: Set<string>): LoadedDefinition {
  seen.add(workflow.id)
  if (workflow.checked.parsed.positions.value(instance) !== undefined) return workflow
  for (const reference of childReferences(workflow.workflow)) {
    const next = bundle.find(reference)
    if (next === undefined || seen.has(next.id)) continue
    const owner = workflowWith(instance, next, bundle, seen)
    if (owner.checked.parsed.positions.value(instance) !== undefined) return owner
  }
  return workflow
}
