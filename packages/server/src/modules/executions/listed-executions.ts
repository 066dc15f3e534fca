import { type ExecutionSummary, findOpenWaits, type OpenWait } from '@millrace/engine/storage'
import type { Tx } from '#platform/http/index.ts'

/** An approval that was not decided before its deadline, and what followed. */
interface LapsedApproval {
  readonly endedAt: Date
  readonly onDeadline: 'approve' | 'reject' | 'fail'
}

export interface ListDeps {
  /** The last approval of each execution that was not decided in time, by the id of the execution. */
  readonly findLapsedApprovals: (tx: Tx, accountId: string, executionIds: readonly string[]) => Promise<ReadonlyMap<string, LapsedApproval>>
}

/** An execution as a list has it. */
export interface ListedExecution {
  readonly execution: ExecutionSummary
  readonly lapsedApproval: LapsedApproval | undefined
  /** Of one that waits. */
  readonly waitsFor: OpenWait | undefined
}

/** Executions with what a list says about them beside their own rows. */
export async function listedExecutions(
  { findLapsedApprovals }: ListDeps,
  tx: Tx,
  accountId: string,
  executions: readonly ExecutionSummary[],
): Promise<readonly ListedExecution[]> {
  const ids = executions.map(({ id }) => id)
  const lapsed = await findLapsedApprovals(tx, accountId, ids)
  const waiting = executions.flatMap(({ id, state }) => (state === 'waiting' ? [id] : []))
  const waits = await findOpenWaits(tx, accountId, waiting)
  return executions.map((execution) => ({ execution, lapsedApproval: lapsed.get(execution.id), waitsFor: waits.get(execution.id) }))
}
