import { onDeadlineOf } from './approval-plan.ts'
import { type Executor, listLastEnded } from './approval-store.ts'

/** What came of the approvals of an execution. */
export interface EndedApprovals {
  /** The last one that was not decided before its deadline, and what followed. */
  readonly lapsed?: { readonly endedAt: Date; readonly onDeadline: 'approve' | 'reject' | 'fail' }
  /** The last one that people decided. */
  readonly decided?: { readonly endedAt: Date; readonly verdict: 'approved' | 'rejected' }
}

/** The ended approvals of executions, by the id of the execution; one statement for all. */
export async function findEndedApprovals(
  tx: Executor,
  accountId: string,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, EndedApprovals>> {
  const ended = new Map<string, EndedApprovals>()
  for (const { executionId, state, endedAt, onDeadline } of await listLastEnded(tx, accountId, executionIds)) {
    const found =
      state === 'expired' ? { lapsed: { endedAt, onDeadline: onDeadlineOf(onDeadline) } } : { decided: { endedAt, verdict: state } }
    ended.set(executionId, { ...ended.get(executionId), ...found })
  }
  return ended
}
