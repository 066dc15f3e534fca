import type { AnyOperation } from '@millrace/contract'
import { type Principal, restricted } from '#platform/auth/principal.ts'
import type { Guards } from '#platform/http/guards.ts'
import { fromTypeId } from '#platform/ids.ts'

/**
 * Throws a Fault `key_restricted` when the API key of a request is limited to workflows, and its path names another one, or an execution of another
 * one. Whether the other one exists does not change the response.
 */
export async function assertWorkflow(
  guards: Pick<Guards, 'workflowOfExecution'>,
  { workflowKeys }: AnyOperation,
  { accountId, workflowIds }: Principal,
  params: unknown,
): Promise<void> {
  if (workflowIds === undefined || workflowKeys === 'filtered') return
  if (workflowKeys !== undefined && 'workflow' in workflowKeys) {
    const id = fromTypeId('wf', textAt(params, workflowKeys.workflow))
    if (id === undefined || !workflowIds.has(id)) throw restricted('the workflow of this request is not one of them')
    return
  }
  const id = workflowKeys === undefined ? undefined : fromTypeId('exec', textAt(params, workflowKeys.execution))
  const workflowId = id === undefined ? undefined : await guards.workflowOfExecution(accountId, id)
  if (workflowId === undefined || !workflowIds.has(workflowId)) throw restricted('the execution of this request is of none of them')
}

function textAt(params: unknown, name: string): string {
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined
  return typeof value === 'string' ? value : ''
}
