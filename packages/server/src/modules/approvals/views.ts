import type { approvals, Reply } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'
import type { Approval, ApprovalMail, ApprovalRecord, ApprovalState, Shown } from './model.ts'
import { answerView } from './output.ts'
import { planOf, stepAt } from './plan.ts'

type SummaryView = Reply<typeof approvals.list>['data'][number]
type ApprovalView = Reply<typeof approvals.answer>

export function summaryView(approval: Approval): SummaryView {
  const { title, deadlineAt } = planOf(approval)
  return {
    id: toTypeId('apr', approval.id),
    executionId: toTypeId('exec', approval.executionId),
    position: approval.position,
    title,
    state: stateOf(approval),
    openedAt: approval.openedAt.toISOString(),
    endedAt: approval.endedAt?.toISOString() ?? null,
    deadlineAt: deadlineAt?.toISOString() ?? null,
  }
}

export function approvalView({ approval, answers, mails }: ApprovalRecord, now: Date): ApprovalView {
  const plan = planOf(approval)
  const { asked } = stepAt(plan, approval.endedAt ?? now).step
  return {
    ...summaryView(approval),
    description: plan.description ?? null,
    ...(plan.details === undefined ? {} : { details: plan.details }),
    form: plan.form ?? null,
    approvers: asked.map(({ kind, label }) => (kind === 'role' ? `role:${label}` : label)),
    required: plan.required,
    reasonFor: [...plan.reasonFor],
    excludeStarter: plan.excludeStarter,
    answers: answers.map(answerView),
    mails: mails.map(mailView),
  }
}

/** What somebody gets to see who has nothing but a link: once it is over, what became of it and no more. */
export function linkedView({ link, approval, answer }: Shown): Reply<typeof approvals.show> {
  const plan = planOf(approval)
  const state = stateOf(approval)
  const open = state === 'open'
  return {
    title: plan.title,
    description: open ? (plan.description ?? null) : null,
    ...(open && plan.details !== undefined ? { details: plan.details } : {}),
    form: open ? (plan.form ?? null) : null,
    reasonFor: [...plan.reasonFor],
    state,
    openedAt: approval.openedAt.toISOString(),
    deadlineAt: plan.deadlineAt?.toISOString() ?? null,
    email: link.email,
    answer: answer === undefined ? null : answerView(answer),
  }
}

/** An open one that nothing waits for has ended, and the keeper has not come to it yet. */
export function stateOf({ state, awaited }: Approval): ApprovalState {
  return state === 'open' && !awaited ? 'closed' : state
}

function mailView({ email, kind, attempts, nextAttemptAt, sentAt, failure }: ApprovalMail): ApprovalView['mails'][number] {
  const state = sentAt !== undefined ? 'sent' : nextAttemptAt !== undefined ? 'pending' : failure !== undefined ? 'failed' : 'dropped'
  return { to: email, kind, state, attempts, sentAt: sentAt?.toISOString() ?? null, failure: failure ?? null }
}
