import type { JsonObject } from '@millrace/engine'
import { approvalProblem } from './approval-problem.ts'
import type { Executor } from './approval-store.ts'
import { type ApproverFinding, approverFindings } from './approver-findings.ts'

/** What is doubtful about an approval before it opens. */
export interface ApprovalFinding {
  readonly code: 'unanswerable_approval' | 'starter_only_approval' | ApproverFinding['code']
  readonly message: string
  readonly hint: string
  /** JSON Pointer inside of the arguments. */
  readonly pointer: string
}

const hints = {
  unanswerable_approval: 'Name other approvers, or invite a user.',
  starter_only_approval: 'Name other approvers, invite a user, or set `excludeStarter: false`.',
} as const

/** What is doubtful about an approval with these arguments, as far as they are not made by expressions. */
export async function approvalFindings(
  executor: Executor,
  accountId: string,
  args: JsonObject,
  installation: { readonly sendsMail: boolean },
): Promise<readonly ApprovalFinding[]> {
  const problem = await approvalProblem(executor, accountId, args)
  const ofAll = problem === undefined ? [] : [{ ...problem, hint: hints[problem.code], pointer: '/approvers' }]
  return [...ofAll, ...(await approverFindings(executor, accountId, args, installation))]
}
