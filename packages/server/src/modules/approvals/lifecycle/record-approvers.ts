import { planOf, stageAt } from '#modules/approvals/approval-plan.ts'
import { type Executor, findWithoutApprovers, writeApprovers } from '#modules/approvals/approval-store.ts'
import type { Approval } from '#modules/approvals/model.ts'
import { findStarters } from '#modules/approvals/people-store.ts'

const pendingMax = 50

/** Records the approvers of the present stage, for the list of approvals that a person can decide. @returns ids of users who may not decide. */
export async function recordApprovers(tx: Executor, approval: Approval, now: Date): Promise<readonly string[]> {
  const { accountId, executionId, id } = approval
  const plan = planOf(approval)
  const approverKeys = stageAt(plan, now).approvers.map(({ key }) => key)
  const excludedUserIds = plan.excludeStarter ? await findStarters(tx, accountId, executionId) : []
  await writeApprovers(tx, accountId, id, { approverKeys, excludedUserIds })
  return excludedUserIds
}

/**
 * Records the approvers of the newest approvals that the approval processor has not reached, so that a list includes approvals opened a moment ago. Few of
 * them: where thousands are opened at once, a reader does not do the processor's work.
 */
export async function recordPendingApprovers(tx: Executor, accountId: string, now: Date): Promise<void> {
  for (const approval of await findWithoutApprovers(tx, accountId, pendingMax)) await recordApprovers(tx, approval, now)
}
