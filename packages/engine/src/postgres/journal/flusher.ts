import { type Journal, UnwritableError, type Write } from '#durable/ports/journal.ts'
import { concernsOneWrite, FencedError, isUnwritable, sqlStateOf } from '#postgres/sql/pg-errors.ts'
import { type BatchOptions, createBatchScheduler } from './batch-scheduler.ts'
import { commitBatch, type CommitDeps } from './commit-batch.ts'
import { prepareWrite } from './prepare-write.ts'
import type { QueuedWrite } from './write-queue.ts'

export interface FlusherDeps extends CommitDeps {
  /** The id under which this process is registered at the moment. */
  readonly processId: () => string
  /** Called after a commit that may have inserted events or listeners, which the matcher has to match. */
  readonly onEvents: () => void
}

/** Group commit: writes of many executions become one batch, which is one statement or transaction, one commit and one fsync. */
export function createFlusher(deps: FlusherDeps, options: BatchOptions): Journal {
  const scheduler = createBatchScheduler(options, (batch) => flush(deps, batch))
  return {
    write(write) {
      return new Promise((resolve, reject) => {
        // An error of the preparation rejects this write and no other.
        scheduler.add({ prepared: prepareWrite(write), processId: deps.processId(), resolve, reject })
      })
    },
  }
}

/**
 * Commits a batch and settles its writes. If one write makes the batch fail, halves are committed until that write is alone. Writes from before
 * this process was fenced are rejected: under its new id they would pass the fence.
 */
async function flush(deps: FlusherDeps, queued: readonly QueuedWrite[]): Promise<void> {
  const processId = deps.processId()
  const batch = queued.every((waiting) => waiting.processId === processId) ? queued : rejectFenced(queued, processId)
  if (batch.length > 0) await commit(deps, processId, batch)
}

function rejectFenced(queued: readonly QueuedWrite[], processId: string): readonly QueuedWrite[] {
  const fenced = queued.filter((waiting) => waiting.processId !== processId)
  for (const { reject } of fenced) reject(new FencedError('this process was fenced; its executions were reassigned'))
  return queued.filter((waiting) => waiting.processId === processId)
}

async function commit(deps: FlusherDeps, processId: string, batch: readonly QueuedWrite[]): Promise<void> {
  const prepared = batch.map((waiting) => waiting.prepared)
  try {
    const { refused, missed } = await commitBatch(deps, processId, prepared)
    for (const { prepared: own, resolve, reject } of batch) {
      const { executionId } = own.write
      if (missed.has(executionId)) reject(new FencedError('this process has no claim on the execution; another one runs it'))
      else resolve({ refused: refused.has(executionId) })
    }
    if (prepared.some(({ write }) => hasWorkForMatcher(write))) deps.onEvents()
  } catch (cause) {
    const [first] = batch
    if (!concernsOneWrite(cause)) for (const { reject } of batch) reject(cause)
    else if (batch.length === 1 && first !== undefined) first.reject(isUnwritable(cause) ? refusal(cause) : cause)
    else {
      const half = Math.ceil(batch.length / 2)
      await commit(deps, processId, batch.slice(0, half))
      await commit(deps, processId, batch.slice(half))
    }
  }
}

/** Whether a write has events, or waits that may be listeners. */
function hasWorkForMatcher({ events, waits, progress }: Write): boolean {
  return events.length > 0 || (waits?.opened.length ?? 0) > 0 || (progress?.state === 'suspended' && progress.events !== undefined)
}

function refusal(cause: Error): UnwritableError {
  const state = sqlStateOf(cause)
  return new UnwritableError(
    `it cannot be stored: ${state === '' ? 'it is nested too deeply or too large' : `PostgreSQL refuses it (${state})`}`,
    {
      cause,
    },
  )
}
