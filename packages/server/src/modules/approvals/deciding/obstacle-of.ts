import { type Approver, planOf, stageAt, stagesFrom } from '#modules/approvals/approval-plan.ts'
import type { Executor } from '#modules/approvals/approval-store.ts'
import type { ApprovalMail, ApprovalRecord, Person } from '#modules/approvals/model.ts'
import { findExcluded } from '#modules/approvals/people-store.ts'
import { canStillBeApproved, isSamePerson } from './verdict.ts'

/**
 * Why people cannot approve an open approval. `no_one`: no person who may decide now can be reached; `too_few`: now and after all escalations, fewer people can
 * approve than are required. `undefined` for one that can be approved.
 */
export type Obstacle = 'no_one' | 'too_few'

export async function obstacleOf(
  tx: Executor,
  { approval, decisions, mails }: ApprovalRecord,
  {
    now,
    sendsMail,
    peopleOf,
  }: {
    readonly now: Date
    readonly sendsMail: boolean
    /** The people whom approvers name or include. */
    readonly peopleOf: (approvers: readonly Approver[]) => Promise<readonly Person[]>
  },
): Promise<Obstacle | undefined> {
  if (approval.state !== 'open' || !approval.isAwaited) return undefined
  const plan = planOf(approval)
  const starters = plan.excludeStarter ? await findExcluded(tx, approval) : []
  const canDecide = (person: Person) => {
    if (decisions.some((decision) => isSamePerson(decision.person, person))) return false
    return person.userId === undefined ? isReached(person, mails, sendsMail) : !starters.includes(person.userId)
  }
  const present = stageAt(plan, now)
  let isApprovable = false
  for (const stage of stagesFrom(plan, present)) {
    const remaining = (await peopleOf(stage.approvers)).filter(canDecide)
    if (stage === present && remaining.length === 0) return 'no_one'
    isApprovable = canStillBeApproved(plan, stage, decisions, remaining)
    if (isApprovable) break
  }
  return isApprovable ? undefined : 'too_few'
}

/** Whether a person from outside has the link, or will get it. The mails of a stage are made about a second after it has begun. */
function isReached({ email }: Person, mails: readonly ApprovalMail[], sendsMail: boolean): boolean {
  const mail = mails.find(({ kind, email: to }) => kind === 'link' && to === email)
  return mail === undefined ? sendsMail : mail.sentAt !== undefined || mail.nextAttemptAt !== undefined
}
