import { type CompiledWorkflow, compileWorkflow } from '@millrace/engine'
import { catalog } from '@millrace/server/catalog'
import type { CheckedDefinition } from './check-definition.ts'

/** A definition that is ready to run, and the text that it came from. */
export interface LoadedDefinition {
  readonly checked: CheckedDefinition
  readonly workflow: CompiledWorkflow
  /** `namespace/name:version`. */
  readonly id: string
}

/** Compiles a definition; undefined when it has errors. */
export function loadDefinition(checked: CheckedDefinition): LoadedDefinition | undefined {
  if (checked.definition === undefined) return undefined
  const workflow = compileWorkflow(checked.definition, { functions: catalog })
  return { checked, workflow, id: workflowId(workflow.document) }
}

export function workflowId({ namespace, name, version }: CompiledWorkflow['document']): string {
  return `${namespace}/${name}:${version}`
}
