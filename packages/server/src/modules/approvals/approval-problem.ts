import { isObject, itemsOf, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { entryOf, type Plan, planOf, type Stage } from './approval-plan.ts'
import type { Executor } from './approval-store.ts'
import { approverKeysOf, canStillBeApproved } from './deciding/verdict.ts'
import type { Person } from './model.ts'
import { findPeople, listStartingUsers } from './people-store.ts'

interface ApprovalProblem {
  readonly code: 'unanswerable_approval' | 'too_few_approvers' | 'starter_only_approval'
  readonly message: string
}

interface StagePeople {
  readonly stage: Stage
  /** Who may decide in the stage and can be asked: people from outside need a mail. */
  readonly people: readonly Person[]
}

/**
 * Why people cannot approve an approval with these arguments, as far as is known before it opens; undefined for one that they can, and for arguments that
 * expressions make.
 */
export async function approvalProblem(
  executor: Executor,
  accountId: string,
  args: JsonObject,
  { sendsMail }: { readonly sendsMail: boolean },
): Promise<ApprovalProblem | undefined> {
  const escalation = itemsOf(args['escalation'])
  const named = [...itemsOf(args['approvers']), ...escalation.flatMap((item) => itemsOf(membersOf(item)['approvers']))]
  const isKnown = Array.isArray(args['approvers']) && (args['escalation'] === undefined || Array.isArray(args['escalation']))
  if (!isKnown || named.some(isMade) || typeof args['excludeStarter'] === 'string') return undefined
  const plan = planOf({ arguments: args, openedAt: new Date(0) })
  const stages: StagePeople[] = []
  for (const stage of plan.stages) {
    const people = await findPeople(executor, accountId, stage.approvers)
    stages.push({ stage, people: people.filter(({ userId }) => sendsMail || userId !== undefined) })
  }
  const everyone = new Map(stages.flatMap(({ people }) => people.map((person) => [person.key, person])))
  if (everyone.size === 0) return unanswerable(sendsMail)
  if (!canBeApproved(plan, stages)) return tooFew(plan, stages)
  if (!plan.excludeStarter) return undefined
  // One more than the approvers: a user who is no approver leaves all of them.
  const starters = await listStartingUsers(executor, accountId, everyone.size + 1)
  if (starters.some((starter) => canBeApproved(plan, stages, starter))) return undefined
  const [only, another] = everyone.values()
  const message =
    only !== undefined && another === undefined
      ? `Only ${only.email} can decide, and is excluded as the one who starts the workflow: no other user of the account can start it.`
      : `${required(plan)}, and the user who starts the workflow is excluded: too few approvers are left, whichever user starts it.`
  return { code: 'starter_only_approval', message }
}

function canBeApproved(plan: Plan, stages: readonly StagePeople[], starter?: string): boolean {
  return stages.some(({ stage, people }) =>
    canStillBeApproved(
      plan,
      stage,
      [],
      people.filter(({ userId }) => userId === undefined || userId !== starter),
    ),
  )
}

function unanswerable(sendsMail: boolean): ApprovalProblem {
  const unsent = sendsMail ? '' : ', and this installation sends no mail to others'
  return { code: 'unanswerable_approval', message: `No user of this account is among the approvers${unsent}, so no person can decide.` }
}

function tooFew(plan: Plan, stages: readonly StagePeople[]): ApprovalProblem {
  const count = Math.max(...stages.map(({ people }) => people.length))
  const missing = [...new Set(stages.flatMap(withoutPerson))].join(', ')
  const few = plan.required === 'all' ? `no person decides for ${missing}` : `only ${count} can decide`
  return { code: 'too_few_approvers', message: `${required(plan)}, and ${few}, so that it can only be rejected.` }
}

function required({ required: count }: Plan): string {
  return count === 'all' ? 'Every approver has to approve' : `${count} people have to approve`
}

/** The approvers of a stage for whom no person decides. */
function withoutPerson({ stage, people }: StagePeople): readonly string[] {
  const keys = new Set(people.flatMap(approverKeysOf))
  return stage.approvers.filter(({ key }) => !keys.has(key)).map(entryOf)
}

/** Whether an expression makes an approver. */
function isMade(approver: Json): boolean {
  const text = typeof approver === 'string' ? approver : isObject(approver) ? approver['role'] : undefined
  return typeof text !== 'string' || text.includes('${')
}
