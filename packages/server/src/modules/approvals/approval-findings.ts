import type { JsonObject } from '@millrace/engine'
import { approvalProblem } from './approval-problem.ts'
import type { Executor } from './approval-store.ts'
import { type ApproverFinding, approverFindings } from './approver-findings.ts'

/** What is doubtful about an approval before it opens. */
export interface ApprovalFinding {
  readonly code: 'unanswerable_approval' | 'too_few_approvers' | 'starter_only_approval' | ApproverFinding['code']
  readonly message: string
  readonly hint: string
  /** JSON Pointer inside of the arguments. */
  readonly pointer: string
}

const advice = {
  unanswerable_approval: { hint: 'Name other approvers, or invite a user.', pointer: '/approvers' },
  too_few_approvers: { hint: 'Name more approvers, or require fewer.', pointer: '/required' },
  starter_only_approval: { hint: 'Name other approvers, invite a user, or set `excludeStarter: false`.', pointer: '/approvers' },
} as const

/** What is doubtful about an approval with these arguments, as far as they are not made by expressions. */
export async function approvalFindings(
  executor: Executor,
  accountId: string,
  args: JsonObject,
  installation: { readonly sendsMail: boolean },
): Promise<readonly ApprovalFinding[]> {
  const problem = await approvalProblem(executor, accountId, args, installation)
  const ofAll = problem === undefined ? [] : [{ ...problem, ...advice[problem.code] }]
  return [...ofAll, ...(await approverFindings(executor, accountId, args, installation))]
}
