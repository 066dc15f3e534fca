import type { ExecutionKey, ExecutionReader, StoredExecution } from '@millrace/engine/storage'
import { createBatcher } from '#platform/batching/batcher.ts'

/** Reads single executions, with those that other requests read at the same time in one statement. */
export function createExecutionLookup(
  reader: Pick<ExecutionReader, 'executions'>,
): (key: ExecutionKey) => Promise<StoredExecution | undefined> {
  return createBatcher({ load: reader.executions, lanes: 2, keysMax: 200 })
}
