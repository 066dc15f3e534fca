import { type ExecutionSubject, findSubjects } from '@millrace/engine/storage'
import type { Executor } from './approval-store.ts'
import type { Approval } from './model.ts'

/** The execution that waits for an approval. */
export interface AskingExecution extends ExecutionSubject {
  /** The name of its workflow; undefined for one that was deleted for good. */
  readonly workflowName: string | undefined
}

/** The names of workflows by id. */
export type WorkflowNames = (tx: Executor, accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** The executions that ask, by id. */
export async function askingExecutions(
  tx: Executor,
  accountId: string,
  approvals: readonly Approval[],
  workflowNames: WorkflowNames,
): Promise<ReadonlyMap<string, AskingExecution>> {
  const subjects = await findSubjects(
    tx,
    accountId,
    approvals.map(({ executionId }) => executionId),
  )
  const names = await workflowNames(tx, accountId, [...new Set(Array.from(subjects.values(), ({ workflowId }) => workflowId))])
  return new Map(Array.from(subjects, ([id, subject]) => [id, { ...subject, workflowName: names.get(subject.workflowId) }]))
}
