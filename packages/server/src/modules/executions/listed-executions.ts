import { type ExecutionSummary, findOpenWaits, type OpenWait } from '@millrace/engine/storage'
import type { Tx } from '#platform/http/index.ts'

/** What came of the approvals of an execution. */
interface EndedApprovals {
  /** The last one that was not decided before its deadline, and what followed. */
  readonly lapsed?: { readonly endedAt: Date; readonly onDeadline: 'approve' | 'reject' | 'fail' }
  /** The last one that people decided. */
  readonly decided?: { readonly endedAt: Date; readonly verdict: 'approved' | 'rejected' }
}

export interface ListDeps {
  /** By the id of the execution; those without ended approvals are not in it. */
  readonly findEndedApprovals: (tx: Tx, accountId: string, executionIds: readonly string[]) => Promise<ReadonlyMap<string, EndedApprovals>>
}

/** An execution as a list has it. */
export interface ListedExecution {
  readonly execution: ExecutionSummary
  readonly approvals: EndedApprovals | undefined
  /** Of one that waits. */
  readonly waitsFor: OpenWait | undefined
}

/** Executions with what a list says about them beside their own rows. */
export async function listedExecutions(
  { findEndedApprovals }: ListDeps,
  tx: Tx,
  accountId: string,
  executions: readonly ExecutionSummary[],
): Promise<readonly ListedExecution[]> {
  const ids = executions.map(({ id }) => id)
  const ended = await findEndedApprovals(tx, accountId, ids)
  const waiting = executions.flatMap(({ id, state }) => (state === 'waiting' ? [id] : []))
  const waits = await findOpenWaits(tx, accountId, waiting)
  return executions.map((execution) => ({ execution, approvals: ended.get(execution.id), waitsFor: waits.get(execution.id) }))
}
