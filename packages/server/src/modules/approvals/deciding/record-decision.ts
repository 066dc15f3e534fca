import { Fault } from '@millrace/contract'
import { type Plan, planOf, type Stage, stageAt, stagesFrom } from '#modules/approvals/approval-plan.ts'
import { hasVerdict } from '#modules/approvals/approval-state.ts'
import { type Executor, lockApproval, writeEnd } from '#modules/approvals/approval-store.ts'
import {
  type Approval,
  type Choice,
  type Decision,
  type GivenDecision,
  type Person,
  waitingGroupOf,
  waitingKind,
} from '#modules/approvals/model.ts'
import { decisionView, resultOutput } from '#modules/approvals/output.ts'
import { findPeople, findStarters } from '#modules/approvals/people-store.ts'
import { settleNotifications } from '#modules/notifications/index.ts'
import { checkDecision } from './check-decision.ts'
import { findDecisions, insertDecision } from './decision-store.ts'
import { approverKeyFor, canStillBeApproved, isSamePerson, verdictOf } from './verdict.ts'

export interface DecisionRequest {
  readonly approvalId: string
  /** The execution that the request names; `undefined` for a request by a link. */
  readonly executionId: string | undefined
  /** `undefined` for a user who no longer exists. */
  readonly person: Person | undefined
  readonly given: GivenDecision
  readonly via: 'api' | 'link'
  readonly mailId: string | undefined
}

export interface DecisionDeps {
  readonly now: () => Date
  readonly newId: () => string
  /** How long this process has to resume the execution before another one does. */
  readonly resumeDelayMs: number
}

/** The decisions of an approval in its present stage. */
interface Tally {
  readonly plan: Plan
  readonly stage: Stage
  readonly decisions: readonly Decision[]
}

/**
 * Records a decision, and the verdict if there is one now. It runs in the transaction of the caller and locks the approval, so that simultaneous decisions
 * count one after another.
 *
 * Faults: `not_found`, `approval_answered`, `forbidden`, `approval_closed`, `approval_decided`, `answer_invalid`.
 */
export async function recordDecision(tx: Executor, accountId: string, request: DecisionRequest, deps: DecisionDeps): Promise<Approval> {
  const { approvalId, executionId, person, given, via, mailId } = request
  const approval = await lockApproval(tx, accountId, approvalId)
  if (approval === undefined || (executionId !== undefined && approval.executionId !== executionId))
    throw new Fault('not_found', { detail: 'There is no such approval.' })
  const at = deps.now()
  const plan = planOf(approval)
  const stage = stageAt(plan, at)
  const earlier = (await findDecisions(tx, accountId, [approvalId])).get(approvalId) ?? []
  assertFirstDecision(earlier, person, mailId, approval)
  if (person === undefined) throw new Fault('forbidden', { detail: 'The user to whom this link was sent no longer exists.' })
  const approverKey = await assertApprover(tx, approval, { plan, stage, decisions: earlier }, person)
  assertOpen(approval, plan, at)
  checkDecision(plan, given)
  const decision: Decision = { person, approverKey, ...given, via, mailId, at }
  await insertDecision(tx, accountId, { id: deps.newId(), approvalId, decision })
  // Others are asked until there is a verdict.
  const { userId } = person
  if (userId !== undefined)
    await settleNotifications(tx, { kind: waitingKind, groupKeys: [waitingGroupOf(approvalId)], of: { accountId, userId }, at })
  const tally = { plan, stage, decisions: [...earlier, decision] }
  const verdict =
    verdictOf(plan, stage, tally.decisions) ?? (given.choice === 'reject' ? await rejectionByRemaining(tx, approval, tally) : undefined)
  return verdict === undefined
    ? approval
    : writeVerdict(tx, approval, tally, { verdict, at, resumeAt: new Date(at.getTime() + deps.resumeDelayMs) })
}

async function writeVerdict(
  tx: Executor,
  approval: Approval,
  { plan, decisions }: Tally,
  { verdict, at, resumeAt }: { readonly verdict: Choice; readonly at: Date; readonly resumeAt: Date },
): Promise<Approval> {
  const { accountId, id } = approval
  const state = verdict === 'approve' ? 'approved' : 'rejected'
  const output = resultOutput({ id, approved: verdict === 'approve', outcome: state, decisions, at, details: plan.details })
  await writeEnd(tx, accountId, id, { state, at, output, dueAt: resumeAt })
  return { ...approval, state, endedAt: at }
}

/** Every person decides once, and every link works once, also after its address has passed to another person. */
function assertFirstDecision(
  decisions: readonly Decision[],
  person: Person | undefined,
  mailId: string | undefined,
  { state }: Approval,
): void {
  const earlier = decisions.find(
    (decision) => (person !== undefined && isSamePerson(decision.person, person)) || (mailId !== undefined && decision.mailId === mailId),
  )
  if (earlier === undefined) return
  const { choice, at } = earlier
  throw new Fault('approval_answered', {
    detail: `The decision "${choice}" was recorded on ${at.toISOString()}, and the approval is ${state}. A decision is final.`,
    extensions: { state, answer: decisionView(earlier) },
  })
}

/** @returns the key of the approver for which the person decides. */
async function assertApprover(
  tx: Executor,
  { accountId, executionId }: Approval,
  { plan, stage, decisions }: Tally,
  person: Person,
): Promise<string> {
  const approverKey = approverKeyFor(person, stage, decisions)
  if (approverKey === undefined) throw new Fault('forbidden', { detail: 'You are not, or no longer, an approver of this approval.' })
  if (!plan.excludeStarter || person.userId === undefined) return approverKey
  const starters = await findStarters(tx, accountId, executionId)
  if (starters.includes(person.userId))
    throw new Fault('forbidden', {
      detail:
        'You started this execution, and the workflow excludes its starter from this approval. `excludeStarter: false` in the workflow would include you.',
    })
  return approverKey
}

function assertOpen({ state, isAwaited, endedAt }: Approval, { deadlineAt }: Plan, now: Date): void {
  if (hasVerdict(state))
    throw new Fault('approval_decided', {
      detail: `The approval is ${state} since ${endedAt?.toISOString()}.`,
      extensions: { state },
    })
  if (state === 'closed' || !isAwaited) throw new Fault('approval_closed', { extensions: { state: 'closed' } })
  if (deadlineAt !== undefined && deadlineAt <= now)
    throw new Fault('approval_decided', {
      detail: `The deadline of this approval was ${deadlineAt.toISOString()}.`,
      extensions: { state: 'expired' },
    })
}

/** The verdict is a rejection as soon as the approvers who have not decided are too few for an approval, those of later stages included. */
async function rejectionByRemaining(
  tx: Executor,
  { accountId, executionId }: Approval,
  { plan, stage, decisions }: Tally,
): Promise<'reject' | undefined> {
  const starters = plan.excludeStarter ? await findStarters(tx, accountId, executionId) : []
  for (const later of stagesFrom(plan, stage)) {
    const remaining = (await findPeople(tx, accountId, later.approvers)).filter(
      (one) => !decisions.some(({ person }) => isSamePerson(person, one)) && (one.userId === undefined || !starters.includes(one.userId)),
    )
    if (canStillBeApproved(plan, later, decisions, remaining)) return undefined
  }
  return 'reject'
}
