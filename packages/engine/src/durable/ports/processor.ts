import type { ThreadJob, ThreadResults } from '#computing/thread-job.ts'
import type { Computation, ComputationOutcome } from '#core/computation.ts'
import type { Turn } from '#core/work.ts'

/** `isJournalled`: the computation ran out of time or memory. The failure must be journalled, because a replay might not run out. */
export type ComputationEnd = ComputationOutcome & { readonly isJournalled?: boolean }

/** Does the pure work of executions: in short turns on the thread that serves requests, and long computations in other threads. */
export interface Processor {
  /** Interrupts the walks on this thread; undefined if walks do not share it. */
  readonly turn: Turn | undefined
  /** Runs `work` when it is the account's turn: in a later turn of the event loop, unless this one has time left. */
  schedule(accountId: string, work: () => void): void
  /** Like `schedule`, with the result of `work`. Rejects if the signal aborts before it begins. */
  inTurn<T>(accountId: string, work: () => T, signal?: AbortSignal): Promise<T>
  /** Computes in another thread. Rejects when the signal aborts, or with ThreadPoolError when too many computations of the account are queued. */
  compute(accountId: string, computation: Computation, signal?: AbortSignal): Promise<ComputationEnd>
  /** Does a job in another thread. Rejects as `compute` does, and with RanOutError when it runs out of time or memory. */
  perform<J extends ThreadJob>(accountId: string, job: J, signal?: AbortSignal): Promise<ThreadResults[J['kind']]>
}

/** A job exceeded the time or the memory of a thread. */
export class RanOutError extends Error {
  override readonly name = 'RanOutError'
}

/** For a process that serves no requests: walks are never interrupted. */
export const ownProcessor: Processor = {
  turn: undefined,
  schedule: (_accountId, work) => void setImmediate(work),
  inTurn: async (_accountId, work, signal) => {
    signal?.throwIfAborted()
    return work()
  },
  compute: () => Promise.reject(new Error('a walk without a turn requested another thread')),
  // Loaded on demand: most local runs do not need it.
  perform: async (_accountId, job, signal) => {
    signal?.throwIfAborted()
    return (await import('#computing/perform-job.ts')).performJob(job)
  },
}
