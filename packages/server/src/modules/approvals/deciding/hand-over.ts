import { Fault } from '@millrace/contract'
import { planOf } from '#modules/approvals/approval-plan.ts'
import { type Executor, listUndecidable, lockApproval } from '#modules/approvals/approval-store.ts'
import { recordPendingApprovers } from '#modules/approvals/lifecycle/record-approvers.ts'
import type { Approval } from '#modules/approvals/model.ts'
import { findUser } from '#modules/approvals/people-store.ts'
import { reassign, type ReassignRequest } from './reassign.ts'
import { keysOf } from './verdict.ts'

/** Ids of users. */
export interface HandOver extends Pick<ReassignRequest, 'by'> {
  readonly from: string
  readonly to: string
}

/** One removal reassigns so many at most: they are locked until it commits. */
const handedOverMax = 500

/**
 * Lets a user decide what waits for another one alone, who is removed by `remove` in the same transaction.
 *
 * Fault `conflict` if the user cannot decide one of the approvals; the caller rolls back.
 */
export async function handOver(
  tx: Executor,
  accountId: string,
  { from, to, by, now }: HandOver & { readonly now: Date },
  remove: () => Promise<void>,
): Promise<readonly Approval[]> {
  if (from === to) throw new Fault('conflict', { detail: 'The user who is removed cannot decide any more. Name another one.' })
  if ((await findUser(tx, accountId, to)) === undefined)
    throw new Fault('conflict', { detail: 'The user who is to decide is no user of this account.' })
  const open = await lockAskedAlone(tx, accountId, from, now)
  await remove()
  for (const { id: approvalId, executionId, ...approval } of open) {
    try {
      await reassign(tx, accountId, { executionId, approvalId, to, from: undefined, by }, now)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const { title } = planOf(approval)
      throw new Fault('conflict', {
        detail: `${error.details.detail ?? error.message} The approval is ${JSON.stringify(title)}. Nothing was changed.`,
        cause: error,
      })
    }
  }
  return open
}

/** Locks the approvals that this user alone can still decide. They are locked before the account, as by those who decide. */
async function lockAskedAlone(tx: Executor, accountId: string, userId: string, now: Date): Promise<readonly Approval[]> {
  const user = await findUser(tx, accountId, userId)
  if (user === undefined) return []
  await recordPendingApprovers(tx, accountId, now)
  const options = { state: 'open', before: undefined, limit: handedOverMax + 1 } as const
  const asked = await listUndecidable(tx, accountId, options, { userId, ...keysOf(user) })
  if (asked.length > handedOverMax)
    throw new Fault('conflict', {
      detail: `More than ${handedOverMax} approvals wait for this user alone. Remove the user without reassignTo, and reassign them one by one.`,
    })
  const open: Approval[] = []
  for (const { id } of asked.toReversed()) {
    const approval = await lockApproval(tx, accountId, id)
    if (approval?.state === 'open' && approval.isAwaited) open.push(approval)
  }
  return open
}
