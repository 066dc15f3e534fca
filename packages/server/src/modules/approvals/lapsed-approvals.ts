import { planOf } from './approval-plan.ts'
import { type Executor, listLastExpired } from './approval-store.ts'

/** An approval that was not decided before its deadline, and what followed. */
export interface LapsedApproval {
  readonly endedAt: Date
  readonly onDeadline: 'approve' | 'reject' | 'fail'
}

/** The last approval of each execution that was not decided in time, by the id of the execution; one statement for all. */
export async function findLapsedApprovals(
  tx: Executor,
  accountId: string,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, LapsedApproval>> {
  const expired = await listLastExpired(tx, accountId, executionIds)
  return new Map(
    expired.flatMap((approval) =>
      approval.endedAt === undefined
        ? []
        : [[approval.executionId, { endedAt: approval.endedAt, onDeadline: planOf(approval).onDeadline }] as const],
    ),
  )
}
