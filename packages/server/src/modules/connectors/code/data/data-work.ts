import { type EffectCall, type Json, type JsonObject, standardError, WorkflowError } from '@millrace/engine'
import { createJobThreads, ThreadPoolError } from '@millrace/engine/threads'
import type { DataJob, DataOperation, DataOutcome } from './data-job.ts'

/** Computes an operation for a call. Raises a validation error for a document that cannot be read or written. */
export type DataWork = (call: Pick<EffectCall, 'accountId' | 'signal'>, operation: DataOperation, args: JsonObject) => Promise<Json>

const tooMuch = (): DataOutcome => ({ kind: 'invalid', detail: 'It takes too long or too much memory. Work on smaller parts.' })

/** Work in threads of their own: documents that are made to be slow or large stop neither the process nor other accounts. */
export function createDataWork(): DataWork {
  const pool = createJobThreads<DataJob, DataOutcome>({
    module: new URL('./data-thread.ts', import.meta.url),
    maxOldGenerationSizeMb: 512,
    stackSizeMb: 4,
    idleMs: 10_000,
    queuedMax: 50,
    processorMsMax: 20_000,
    stopped: tooMuch,
  })
  return async ({ accountId, signal }, operation, args) => {
    const outcome = await pool.run({ operation, arguments: args }, { accountId, signal }).catch((error: unknown) => {
      if (!(error instanceof ThreadPoolError)) throw error
      const { data } = standardError('runtime', 'Too many documents are being read at once: try again.')
      throw new WorkflowError({ ...data, status: 503 }, { cause: error })
    })
    if (outcome.kind === 'done') return outcome.value
    throw standardError('validation', outcome.detail)
  }
}
