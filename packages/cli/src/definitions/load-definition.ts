import { type CompiledWorkflow, compileWorkflow, type Json } from '@millrace/engine/definition'
import type { CheckedDefinition } from './check-definition.ts'

/** A definition that is ready to run, and the text that it came from. */
export interface LoadedDefinition {
  readonly checked: CheckedDefinition
  readonly workflow: CompiledWorkflow
  /** `namespace/name:version`. */
  readonly id: string
}

/** Compiles a definition; undefined when it has errors. @param resources what it takes from elsewhere, by URI. */
export function loadDefinition(checked: CheckedDefinition, resources: Readonly<Record<string, Json>> = {}): LoadedDefinition | undefined {
  if (checked.definition === undefined) return undefined
  const workflow = compileWorkflow(checked.definition, { functions: checked.known.functions, resources })
  return { checked, workflow, id: workflowId(workflow.document) }
}

export function workflowId({ namespace, name, version }: CompiledWorkflow['document']): string {
  return `${namespace}/${name}:${version}`
}
