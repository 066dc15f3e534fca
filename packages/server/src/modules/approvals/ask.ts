import type { Approval } from './model.ts'
import { findStarters } from './people-store.ts'
import { planOf, stepAt } from './plan.ts'
import { type Executor, findUntold, writeAsked } from './store.ts'

const untoldMax = 50

/** Puts down whom an approval asks at a time, for the list of what somebody can answer. @returns who may not answer. */
export async function noteAsked(tx: Executor, approval: Approval, now: Date): Promise<readonly string[]> {
  const { accountId, executionId, id } = approval
  const plan = planOf(approval)
  const asked = stepAt(plan, now).step.asked.map(({ key }) => key)
  const barred = plan.excludeStarter ? await findStarters(tx, accountId, executionId) : []
  await writeAsked(tx, accountId, id, { asked, barred })
  return barred
}

/**
 * The same for the newest of those that were opened a moment ago, so that a list does not lack what the keeper has not come to yet. Few of
 * them: where thousands are opened at once, whoever reads does not do the keeper's work.
 */
export async function noteUntold(tx: Executor, accountId: string, now: Date): Promise<void> {
  for (const approval of await findUntold(tx, accountId, untoldMax)) await noteAsked(tx, approval, now)
}
