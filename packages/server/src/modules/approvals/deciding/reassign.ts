import { Fault, hasRole, isDeciding, type Role } from '@millrace/contract'
import { type Approver, entryOf, planOf, roleOf, stageAt } from '#modules/approvals/approval-plan.ts'
import { hasVerdict } from '#modules/approvals/approval-state.ts'
import { type Executor, findApproval, lockApproval, writeReassigned } from '#modules/approvals/approval-store.ts'
import { recordApprovers } from '#modules/approvals/lifecycle/record-approvers.ts'
import { findOutsideLinks } from '#modules/approvals/mail/mail-store.ts'
import type { Approval, Decision } from '#modules/approvals/model.ts'
import { findPeople, findStarters, findUser } from '#modules/approvals/people-store.ts'
import { findDecisions } from './decision-store.ts'
import { isSamePerson } from './verdict.ts'

export interface ReassignRequest {
  readonly executionId: string
  readonly approvalId: string
  /** The id of the user. */
  readonly to: string
  /** The approver as the reply of the approval has it. */
  readonly from: string | undefined
  /** Who asks for it. */
  readonly by: { readonly userId: string; readonly role: Role }
}

interface Reassigned {
  readonly approval: Approval
  /** As the reply of the approval had them. */
  readonly replaced: readonly string[]
}

/**
 * Makes a user an approver in place of one, or of all for whom no person can decide any more. The approval processor invites the user. Who asks for it may neither
 * replace a role that they do not have, nor take the place of approvers who can decide: they would decide what others are to decide.
 *
 * Faults: `not_found`, `forbidden`, `approval_decided`, `approval_closed`, `conflict`.
 */
export async function reassign(tx: Executor, accountId: string, request: ReassignRequest, now: Date): Promise<Reassigned> {
  const approval = await lockApproval(tx, accountId, request.approvalId)
  if (approval === undefined || approval.executionId !== request.executionId)
    throw new Fault('not_found', { detail: 'There is no such approval.' })
  assertOpen(approval)
  const { excludeStarter } = planOf(approval)
  const starters = excludeStarter ? await findStarters(tx, accountId, approval.executionId) : []
  const decisions = (await findDecisions(tx, accountId, [approval.id])).get(approval.id) ?? []
  await assertCanDecide(tx, accountId, request.to, { starters, decisions })
  const replaced = await replacedBy(tx, approval, { request, starters, decisions, now })
  if (replaced.length === 0)
    throw new Fault('conflict', { detail: 'Persons can decide for every approver. Name the one to replace as `from`.' })
  const added = replaced.map(({ key }) => ({ from: key, to: request.to }))
  await writeReassigned(tx, accountId, approval.id, { reassigned: [...(approval.reassigned ?? []), ...added], dueAt: now })
  const after = (await findApproval(tx, accountId, approval.id)) ?? approval
  await recordApprovers(tx, after, now)
  return { approval: after, replaced: replaced.map(entryOf) }
}

function assertOpen({ state, isAwaited, endedAt }: Approval): void {
  if (hasVerdict(state))
    throw new Fault('approval_decided', { detail: `The approval is ${state} since ${endedAt?.toISOString()}.`, extensions: { state } })
  if (state === 'closed' || !isAwaited) throw new Fault('approval_closed', { extensions: { state: 'closed' } })
}

interface Decided {
  readonly starters: readonly string[]
  readonly decisions: readonly Decision[]
}

async function assertCanDecide(tx: Executor, accountId: string, userId: string, { starters, decisions }: Decided): Promise<void> {
  const user = await findUser(tx, accountId, userId)
  if (user === undefined) throw new Fault('not_found', { detail: 'There is no such user.' })
  if (user.role !== undefined && !isDeciding(user.role))
    throw new Fault('conflict', { detail: 'This user is an auditor, and auditors decide nothing.' })
  if (starters.includes(userId))
    throw new Fault('conflict', { detail: 'This user started the execution, and the workflow excludes its starter.' })
  if (decisions.some(({ person }) => isSamePerson(person, user))) throw new Fault('conflict', { detail: 'This user has decided already.' })
}

type Reassigning = Decided & { readonly request: ReassignRequest; readonly now: Date }

async function replacedBy(tx: Executor, approval: Approval, reassigning: Reassigning): Promise<readonly Approver[]> {
  const { approvers } = stageAt(planOf(approval), reassigning.now)
  const { from, to, by } = reassigning.request
  const mayReplace = (approver: Approver) => {
    const role = roleOf(approver)
    return role === undefined || hasRole(by.role, role)
  }
  const orphaned = await orphanedOf(tx, approval, approvers, reassigning)
  if (from === undefined) {
    const replaced = orphaned.filter(mayReplace)
    if (replaced.length === 0 && orphaned.length > 0) throw roleNeeded(orphaned)
    return replaced
  }
  const named = approvers.filter((approver) => entryOf(approver) === from)
  if (named.length === 0) throw new Fault('conflict', { detail: `${from} is no approver of this approval.` })
  if (!named.every(mayReplace)) throw roleNeeded(named)
  if (to === by.userId && !named.every((approver) => orphaned.includes(approver)))
    throw new Fault('forbidden', {
      detail: `${from} can still decide, so you cannot take this place yourself. Name another user as \`to\`.`,
    })
  return named
}

function roleNeeded(approvers: readonly Approver[]): Fault {
  const labels = approvers.flatMap((approver) => roleOf(approver) ?? [])
  return new Fault('forbidden', {
    detail: `Only a user with the role ${labels.join(' or ')}, or a stronger one, may replace this approver.`,
  })
}

/** The approvers for whom no person can decide any more. */
async function orphanedOf(
  tx: Executor,
  approval: Approval,
  approvers: readonly Approver[],
  { starters, decisions }: Decided,
): Promise<readonly Approver[]> {
  const outsiders = await findOutsideLinks(tx, approval.accountId, approval.id)
  const orphaned: Approver[] = []
  for (const approver of approvers) {
    const people = await findPeople(tx, approval.accountId, [approver])
    const remaining = people.filter((one) => {
      if (decisions.some(({ person }) => isSamePerson(person, one))) return false
      return one.userId === undefined ? outsiders.has(one.email) : !starters.includes(one.userId)
    })
    const hasCounted = decisions.some(({ approverKey }) => approverKey === approver.key)
    if (remaining.length === 0 && !(hasCounted && approver.kind !== 'role')) orphaned.push(approver)
  }
  return orphaned
}
