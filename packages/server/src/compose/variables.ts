import { variables } from '@millrace/contract'
import { createVariables, deleteVariablesOf, variableHandlers, type VariablesDeps } from '#modules/variables/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** Variables and secrets of accounts. */
export function composeVariables(
  { variableValues: values, system: { now, newId } }: FeatureParts,
  { hasWorkflow }: Pick<VariablesDeps, 'hasWorkflow'>,
): Feature {
  const service = createVariables({ now, newId, values, hasWorkflow })
  return { groups: { variables: served(variables, variableHandlers(service)) }, purge: deleteVariablesOf }
}
