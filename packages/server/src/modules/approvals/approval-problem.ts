import { isObject, itemsOf, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { planOf } from './approval-plan.ts'
import type { Executor } from './approval-store.ts'
import { countUsers, findPeople } from './people-store.ts'

interface ApprovalProblem {
  readonly code: 'unanswerable_approval' | 'starter_only_approval'
  readonly message: string
}

/**
 * Why no person can decide an approval with these arguments, as far as is known before it opens; undefined for one that can be decided, and for arguments
 * that expressions make.
 */
export async function approvalProblem(executor: Executor, accountId: string, args: JsonObject): Promise<ApprovalProblem | undefined> {
  const escalation = itemsOf(args['escalation'])
  const named = [...itemsOf(args['approvers']), ...escalation.flatMap((item) => itemsOf(membersOf(item)['approvers']))]
  const isKnown = Array.isArray(args['approvers']) && (args['escalation'] === undefined || Array.isArray(args['escalation']))
  if (!isKnown || named.some(isMade) || typeof args['excludeStarter'] === 'string') return undefined
  const { stages, excludeStarter } = planOf({ arguments: args, openedAt: new Date(0) })
  const people = await findPeople(
    executor,
    accountId,
    stages.flatMap(({ approvers }) => approvers),
  )
  const [only, another] = people
  if (only === undefined)
    return { code: 'unanswerable_approval', message: 'No user of this account is among the approvers, so no person can decide.' }
  if (!excludeStarter || another !== undefined || only.userId === undefined || (await countUsers(executor, accountId)) > 1) return undefined
  const message = `Only ${only.email} can decide, and is excluded as the one who starts the workflow: the account has no other user.`
  return { code: 'starter_only_approval', message }
}

/** Whether an expression makes an approver. */
function isMade(approver: Json): boolean {
  const text = typeof approver === 'string' ? approver : isObject(approver) ? approver['role'] : undefined
  return typeof text !== 'string' || text.includes('${')
}
