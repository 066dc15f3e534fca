import { Fault, type Scope } from '@millrace/contract'
import { type EffectFunction, itemsOf, membersOf, standardError, textOf, WorkflowError } from '@millrace/engine'
import * as z from 'zod'
import { isAccountOperation } from './parameters.ts'
import type { Readers } from './readers.ts'

export interface AccountReadDeps {
  readonly readers: Readers
  /** What those who started an execution may do now, all of them together. */
  readonly scopesOf: (accountId: string, executionId: string) => Promise<ReadonlySet<Scope>>
}

/** `call: account-read`: reads data of the account with the rights of those who started the execution. */
export function createAccountRead({ readers, scopesOf }: AccountReadDeps): EffectFunction {
  return async ({ accountId, executionId, arguments: given, signal }) => {
    const { operation, operations, arguments: args } = membersOf(given)
    const name = textOf(operation) ?? ''
    if (!isAccountOperation(name) || !itemsOf(operations).includes(name))
      throw standardError('validation', `The operation ${JSON.stringify(name)} is not one of those that the call permits.`)
    const { scope, parameters, run } = readers[name]
    if (!(await scopesOf(accountId, executionId)).has(scope))
      throw standardError('authorization', `Who started the execution does not have the scope ${scope}, which ${name} needs.`)
    const parsed = parameters.safeParse(args ?? {})
    if (!parsed.success) throw standardError('validation', `The arguments of ${name} are not valid: ${z.prettifyError(parsed.error)}`)
    try {
      return await run(parsed.data, { accountId, signal })
    } catch (error) {
      throw error instanceof Fault ? workflowErrorOf(error) : error
    }
  }
}

function workflowErrorOf(fault: Fault): WorkflowError {
  const { data } = standardError('validation', fault.message)
  return new WorkflowError(fault.code === 'not_found' ? { ...data, status: 404, title: 'Not found' } : data, { cause: fault })
}
