import { toTypeId } from '#platform/ids.ts'
import type { Variable } from './model.ts'

export function variableView({ id, name, kind, workflowId, environment, value, description, revision, createdAt, updatedAt }: Variable) {
  return {
    id: toTypeId('var', id),
    name,
    kind,
    scope: workflowId === undefined ? ('account' as const) : ('workflow' as const),
    workflowId: workflowId === undefined ? null : toTypeId('wf', workflowId),
    environment,
    ...(value === undefined ? {} : { value }),
    masked: kind === 'secret',
    description,
    revision,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
