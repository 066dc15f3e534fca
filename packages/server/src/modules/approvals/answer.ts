import { Fault } from '@millrace/contract'
import { findAnswers, insertAnswer } from './answer-store.ts'
import { checkVerdict } from './check-verdict.ts'
import type { Answer, Approval, Decision, Person, Verdict } from './model.ts'
import { answerView, outputOf } from './output.ts'
import { findPeople, findStarters } from './people-store.ts'
import { type Plan, planOf, type Step, stepAt } from './plan.ts'
import { type Executor, lockApproval, writeEnd } from './store.ts'
import { askedAs, isWithinReach, outcomeOf } from './tally.ts'

export interface Answering {
  readonly approvalId: string
  /** The execution in whose name it is asked for; `undefined` for whoever has a link. */
  readonly executionId: string | undefined
  /** `undefined` for a user who is gone. */
  readonly person: Person | undefined
  readonly verdict: Verdict
  readonly via: 'api' | 'link'
  readonly mailId: string | undefined
}

export interface AnswerDeps {
  readonly now: () => Date
  readonly newId: () => string
  /** How long whoever decides has for handing it over, before somebody else does. */
  readonly handOverMs: number
}

/**
 * Takes an answer, and with it perhaps the decision. All in the transaction of the caller, under the lock of the approval: answers that come at
 * the same time are counted one after another.
 *
 * Faults: `not_found`, `approval_answered`, `forbidden`, `approval_closed`, `approval_decided`, `answer_invalid`.
 */
export async function recordAnswer(tx: Executor, accountId: string, answering: Answering, deps: AnswerDeps): Promise<Approval> {
  const { approvalId, executionId, person, verdict, via, mailId } = answering
  const approval = await lockApproval(tx, accountId, approvalId)
  if (approval === undefined || (executionId !== undefined && approval.executionId !== executionId))
    throw new Fault('not_found', { detail: 'There is no such approval.' })
  const at = deps.now()
  const plan = planOf(approval)
  const { step, last } = stepAt(plan, at)
  const answers = (await findAnswers(tx, accountId, [approvalId])).get(approvalId) ?? []
  assertFirst(answers, person, mailId, approval)
  if (person === undefined) throw new Fault('forbidden', { detail: 'The user whom this link was sent to is gone.' })
  const entry = await assertAsked(tx, approval, { plan, step, person, answers })
  assertOpen(approval, plan, at)
  checkVerdict(plan, verdict)
  const answer: Answer = { person, askedAs: entry, ...verdict, via, mailId, at }
  await insertAnswer(tx, accountId, { id: deps.newId(), approvalId, answer })
  const all = [...answers, answer]
  const decision =
    outcomeOf(plan, step, all) ??
    (last && verdict.decision === 'reject' ? await decidedByReach(tx, approval, { plan, step, answers: all }) : undefined)
  if (decision === undefined) return approval
  const state = decision === 'approve' ? 'approved' : 'rejected'
  const output = outputOf({ id: approvalId, approved: decision === 'approve', outcome: state, answers: all, at, details: plan.details })
  await writeEnd(tx, accountId, approvalId, { state, at, output, dueAt: new Date(at.getTime() + deps.handOverMs) })
  return { ...approval, state, endedAt: at }
}

/** Everybody answers once, and so does every link, whoever has its address by now. */
function assertFirst(answers: readonly Answer[], person: Person | undefined, mailId: string | undefined, { state }: Approval): void {
  const earlier = answers.find((answer) => answer.person.key === person?.key || (mailId !== undefined && answer.mailId === mailId))
  if (earlier === undefined) return
  const { decision, at } = earlier
  throw new Fault('approval_answered', {
    detail: `This was answered with "${decision}" on ${at.toISOString()}, and the approval is ${state}. An answer is final.`,
    extensions: { state, answer: answerView(earlier) },
  })
}

async function assertAsked(
  tx: Executor,
  { accountId, executionId }: Approval,
  {
    plan,
    step,
    person,
    answers,
  }: { readonly plan: Plan; readonly step: Step; readonly person: Person; readonly answers: readonly Answer[] },
): Promise<string> {
  const entry = askedAs(person, step, answers)
  if (entry === undefined)
    throw new Fault('forbidden', { detail: 'You are not, or not any more, among those who are asked for this approval.' })
  if (!plan.excludeStarter || person.userId === undefined) return entry
  const starters = await findStarters(tx, accountId, executionId)
  if (starters.includes(person.userId))
    throw new Fault('forbidden', {
      detail: 'You started this execution, and this approval is for others. With `excludeStarter: false` the workflow would let you.',
    })
  return entry
}

function assertOpen({ state, awaited, endedAt }: Approval, { deadlineAt }: Plan, now: Date): void {
  if (state === 'approved' || state === 'rejected' || state === 'expired')
    throw new Fault('approval_decided', {
      detail: `This was decided before: ${state} since ${endedAt?.toISOString()}.`,
      extensions: { state },
    })
  if (state === 'closed' || !awaited) throw new Fault('approval_closed', { extensions: { state: 'closed' } })
  if (deadlineAt !== undefined && deadlineAt <= now)
    throw new Fault('approval_decided', {
      detail: `The deadline of this approval was on ${deadlineAt.toISOString()}.`,
      extensions: { state: 'expired' },
    })
}

/** A rejection once all those who could still approve cannot bring it about any more. */
async function decidedByReach(
  tx: Executor,
  { accountId, executionId }: Approval,
  { plan, step, answers }: { readonly plan: Plan; readonly step: Step; readonly answers: readonly Answer[] },
): Promise<Decision | undefined> {
  const starters = plan.excludeStarter ? await findStarters(tx, accountId, executionId) : []
  const people = await findPeople(tx, accountId, step.asked)
  const left = people.filter(
    ({ key, userId }) => !answers.some(({ person }) => person.key === key) && (userId === undefined || !starters.includes(userId)),
  )
  return isWithinReach(plan, step, answers, left) ? undefined : 'reject'
}
