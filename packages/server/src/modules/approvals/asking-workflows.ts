import { type Executor, findWorkflowIds } from './approval-store.ts'
import type { Approval } from './model.ts'

/** The workflow whose execution waits for an approval. */
export interface AskingWorkflow {
  readonly id: string
  /** Undefined for a workflow that was deleted for good. */
  readonly name: string | undefined
}

/** The names of workflows by id. */
export type WorkflowNames = (tx: Executor, accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** The workflows that ask, by id of the execution. */
export async function askingWorkflows(
  tx: Executor,
  accountId: string,
  approvals: readonly Approval[],
  workflowNames: WorkflowNames,
): Promise<ReadonlyMap<string, AskingWorkflow>> {
  const executionIds = approvals.map(({ executionId }) => executionId)
  const ids = await findWorkflowIds(tx, executionIds)
  const names = await workflowNames(tx, accountId, [...new Set(ids.values())])
  return new Map([...ids].map(([executionId, id]) => [executionId, { id, name: names.get(id) }]))
}
