import type { JsonValue } from '@millrace/contract'
import { entryOf, nextDueAt, type Plan, planOf, type Stage } from '#modules/approvals/approval-plan.ts'
import {
  closeApprovalsOfEndedWaits,
  type Executor,
  findApproval,
  lockDueApproval,
  postpone,
  writeEnd,
  writeStagesTaken,
} from '#modules/approvals/approval-store.ts'
import { findDecisions } from '#modules/approvals/deciding/decision-store.ts'
import { invite, type InviteDeps } from '#modules/approvals/mail/invite.ts'
import type { Approval } from '#modules/approvals/model.ts'
import { deadlineError, resultOutput } from '#modules/approvals/output.ts'
import { recordApprovers } from './record-approvers.ts'
import { resumeExecution, type ResumeDeps } from './resume-execution.ts'
import { withdrawRequests } from './withdraw-requests.ts'

/** What happens to an approval without a person, for the audit log. */
export interface ApprovalEvent extends Pick<Approval, 'accountId' | 'executionId' | 'id'> {
  readonly event: 'approval.escalated' | 'approval.expired'
  readonly details: Readonly<Record<string, JsonValue>>
}

export interface DueApprovalDeps extends InviteDeps, ResumeDeps {
  /** Writes to the audit log in the transaction of the event. */
  readonly audit: (tx: Executor, event: ApprovalEvent) => Promise<void>
  readonly now: () => number
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

const endedWaitsMax = 500
const retryDelayMs = 60_000

/** Closes open approvals whose waits ended without a verdict, and drops their mails with them. @returns whether there may be more. */
export async function closeAbandoned({ db, now }: Pick<DueApprovalDeps, 'db' | 'now'>): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const { endedWaits, approvalIds } = await closeApprovalsOfEndedWaits(tx, new Date(now()), endedWaitsMax)
    await withdrawRequests(tx, approvalIds, new Date(now()))
    return endedWaits === endedWaitsMax
  })
}

/**
 * Does the next work of one due approval: invites approvers, escalates, applies the deadline, or resumes the execution. Each step is one transaction
 * with its mails. Approvals that another process has locked are skipped. @returns whether an approval was due.
 */
export async function processDueApproval(deps: DueApprovalDeps): Promise<boolean> {
  const { db, now, warn } = deps
  let approvalId: string | undefined
  try {
    const step = await db.transaction().execute(async (tx) => {
      const due = await lockDueApproval(tx, new Date(now()))
      if (due === undefined) return undefined
      approvalId = due.id
      const approval = await findApproval(tx, due.accountId, due.id)
      return approval === undefined ? 'done' : takeStep(tx, approval, deps)
    })
    if (step === 'resume' && approvalId !== undefined) await resumeExecution(deps, approvalId)
    return step !== undefined
  } catch (error) {
    if (approvalId === undefined) throw error
    warn('an approval could not be processed', { approvalId, error })
    await postpone(db, approvalId, new Date(now() + retryDelayMs))
    return true
  }
}

/** @returns `resume` if the execution is to be resumed with the result after the commit. */
async function takeStep(tx: Executor, approval: Approval, deps: DueApprovalDeps): Promise<'resume' | 'done'> {
  const { accountId, id, state, isAwaited } = approval
  if (state !== 'open') return 'resume'
  const now = new Date(deps.now())
  if (!isAwaited) {
    await writeEnd(tx, accountId, id, { state: 'closed', at: now, output: undefined, dueAt: undefined })
    await withdrawRequests(tx, [id], now)
    return 'done'
  }
  const plan = planOf(approval)
  if (plan.deadlineAt !== undefined && plan.deadlineAt <= now) {
    await expire(tx, approval, { plan, at: now, audit: deps.audit })
    return 'resume'
  }
  const excludedUserIds = await recordApprovers(tx, approval, now)
  const begun = plan.stages.filter(({ at }, number) => number === 0 || at <= now).length
  for (const [number, stage] of plan.stages.entries()) {
    if (number < approval.stagesTaken || number >= begun) continue
    await invite(tx, approval, { stage, number, excludedUserIds, now }, deps)
    if (number > approval.escalated) await deps.audit(tx, escalationOf(approval, stage))
  }
  await writeStagesTaken(tx, accountId, id, { stagesTaken: begun, dueAt: nextDueAt(plan, begun) })
  return 'done'
}

function escalationOf(approval: Approval, { newApprovers, notify }: Stage): ApprovalEvent {
  const details = { asked: newApprovers.map(entryOf), notified: notify.map(({ address }) => address) }
  return { ...approval, event: 'approval.escalated', details }
}

interface Expiry {
  readonly plan: Plan
  readonly at: Date
  readonly audit: DueApprovalDeps['audit']
}

async function expire(tx: Executor, approval: Approval, { plan, at, audit }: Expiry): Promise<void> {
  const { accountId, id } = approval
  const { onDeadline, details } = plan
  const decisions = (await findDecisions(tx, accountId, [id])).get(id) ?? []
  const result = { id, approved: onDeadline === 'approve', outcome: 'expired', decisions, at, details } as const
  const output = onDeadline === 'fail' ? deadlineError(plan) : resultOutput(result)
  await writeEnd(tx, accountId, id, { state: 'expired', at, output, dueAt: at })
  await audit(tx, { ...approval, event: 'approval.expired', details: { decision: onDeadline } })
}
