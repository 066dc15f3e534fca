import type { approvals, Reply } from '@millrace/contract'
import { labelsView } from '#modules/executions/index.ts'
import { type AccountFile, shownFileView } from '#modules/files/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { stateOf } from './approval-state.ts'
import type { Obstacle } from './deciding/obstacle-of.ts'
import type { Approval, ApprovalMail, ApprovalRecord, LinkContent } from './model.ts'
import { decisionView } from './output.ts'
import { entryOf, type Plan, planOf, stageAt } from './approval-plan.ts'
import type { AskingExecution } from './asking-executions.ts'

type ListedView = Reply<typeof approvals.list>['data'][number]
type ApprovalView = Reply<typeof approvals.answer>

/** An approval as a list shows it, with the execution that asks. */
export function listedView(approval: Approval, execution: AskingExecution | undefined): ListedView {
  return {
    ...summaryView(approval),
    workflowId: execution === undefined ? null : toTypeId('wf', execution.workflowId),
    workflowName: execution?.workflowName ?? null,
    ...(execution === undefined ? {} : { executionCreatedAt: execution.createdAt.toISOString(), ...labelsView(execution.labels) }),
  }
}

function summaryView(approval: Approval) {
  const { title, deadlineAt, onDeadline } = planOf(approval)
  return {
    id: toTypeId('apr', approval.id),
    executionId: toTypeId('exec', approval.executionId),
    position: approval.position,
    title,
    state: stateOf(approval),
    openedAt: approval.openedAt.toISOString(),
    endedAt: approval.endedAt?.toISOString() ?? null,
    deadlineAt: deadlineAt?.toISOString() ?? null,
    onDeadline: deadlineAt === undefined ? null : onDeadline,
  }
}

/** What a reply says of an approval besides its record. */
interface ApprovalContext {
  readonly now: Date
  /** Whether the caller can still decide. */
  readonly mayDecide: boolean
  readonly obstacle: Obstacle | undefined
  /** Those that the details name. */
  readonly files: readonly AccountFile[]
}

export function approvalView(
  { approval, decisions, mails }: ApprovalRecord,
  { now, mayDecide, obstacle, files }: ApprovalContext,
): ApprovalView {
  const plan = planOf(approval)
  const { approvers } = stageAt(plan, approval.endedAt ?? now)
  return {
    ...summaryView(approval),
    description: plan.description ?? null,
    ...(plan.details === undefined ? {} : { details: plan.details }),
    files: files.map(shownFileView),
    form: plan.form ?? null,
    approvers: approvers.map(entryOf),
    ...escalationsView(plan),
    required: plan.required,
    reasonFor: [...plan.reasonFor],
    excludeStarter: plan.excludeStarter,
    answers: decisions.map(decisionView),
    mayDecide,
    ...(obstacle === undefined ? {} : { obstacle }),
    mails: mails.map(mailView),
  }
}

function escalationsView({ stages: [, ...later] }: Plan): Pick<ApprovalView, 'escalations'> {
  if (later.length === 0) return {}
  return {
    escalations: later.map(({ at, approvers, notify }) => ({
      at: at.toISOString(),
      approvers: approvers.map(entryOf),
      notify: notify.map(({ address }) => address),
    })),
  }
}

/** The approval as the recipient of a link sees it: after its end or their decision without description, details and form. */
export function linkedView({ link, approval, decision, isAsked, files }: LinkContent): Reply<typeof approvals.show> {
  const plan = planOf(approval)
  return {
    title: plan.title,
    description: isAsked ? (plan.description ?? null) : null,
    ...(isAsked && plan.details !== undefined ? { details: plan.details } : {}),
    files: files.map(shownFileView),
    form: isAsked ? (plan.form ?? null) : null,
    reasonFor: [...plan.reasonFor],
    state: stateOf(approval),
    openedAt: approval.openedAt.toISOString(),
    deadlineAt: plan.deadlineAt?.toISOString() ?? null,
    email: link.email,
    answer: decision === undefined ? null : decisionView(decision),
  }
}

function mailView({ email, kind, attempts, nextAttemptAt, sentAt, failure }: ApprovalMail): ApprovalView['mails'][number] {
  const state = sentAt !== undefined ? 'sent' : nextAttemptAt !== undefined ? 'pending' : failure !== undefined ? 'failed' : 'dropped'
  return { to: email, kind, state, attempts, sentAt: sentAt?.toISOString() ?? null, failure: failure ?? null }
}
