import type { Approval } from './model.ts'
import { findStarters } from './people-store.ts'
import { planOf, stepAt } from './plan.ts'
import { type Executor, findUntold, writeAsked } from './store.ts'

const atATime = 200

/** Puts down whom an approval asks at a time, for the list of what somebody can answer. @returns who may not answer. */
export async function noteAsked(tx: Executor, approval: Approval, now: Date): Promise<readonly string[]> {
  const { accountId, executionId, id } = approval
  const plan = planOf(approval)
  const asked = stepAt(plan, now).step.asked.map(({ key }) => key)
  const barred = plan.excludeStarter ? await findStarters(tx, accountId, executionId) : []
  await writeAsked(tx, accountId, id, { asked, barred })
  return barred
}

/** The same for approvals that were opened a moment ago, so that a list never lacks what the keeper has not come to yet. */
export async function noteUntold(tx: Executor, accountId: string, now: Date): Promise<void> {
  for (;;) {
    const untold = await findUntold(tx, accountId, atATime)
    for (const approval of untold) await noteAsked(tx, approval, now)
    if (untold.length < atATime) return
  }
}
