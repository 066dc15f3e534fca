import { isTerminal } from '@millrace/engine'
import type { ExecutionKey, StoredExecution } from '@millrace/engine/storage'

/** An execution as it is read for people, with the erasure that has replaced data in it. */
export interface ReadExecution extends StoredExecution {
  readonly erased?: { readonly erasureId: string; readonly at: Date } | undefined
}

export type FindErasure = (
  accountId: string,
  execution: StoredExecution,
) => Promise<{ readonly erasureId: string; readonly at: Date } | undefined>

/** Adds the erasure to executions that have ended: data is erased in no others. */
export function withErasure(
  find: (key: ExecutionKey) => Promise<StoredExecution | undefined>,
  erasedOf: FindErasure,
): (key: ExecutionKey) => Promise<ReadExecution | undefined> {
  return async (key) => {
    const execution = await find(key)
    if (execution === undefined || !isTerminal(execution.state)) return execution
    const erased = await erasedOf(key.accountId, execution)
    return erased === undefined ? execution : { ...execution, erased }
  }
}

/** What a timeline has to know of an erasure. */
export function erasedIn({ erased, state }: ReadExecution): { readonly isCompleted: boolean } | undefined {
  return erased === undefined ? undefined : { isCompleted: state === 'completed' }
}
