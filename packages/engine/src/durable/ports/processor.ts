import type { ThreadJob, ThreadResults } from '#computing/thread-job.ts'
import type { Computation, ComputationOutcome } from '#core/computation.ts'
import type { Turn } from '#core/work.ts'

/** A computation that ran out of time or memory: the journal keeps it, since another walk might have more luck. */
export type ComputationEnd = ComputationOutcome & { readonly isJournalled?: boolean }

/** Where the pure work of executions is done: a little at a time on the thread that serves requests, and what takes long in others. */
export interface Processor {
  /** What walks on this thread look at; undefined where they have it for themselves. */
  readonly turn: Turn | undefined
  /** Runs `work` when it is the account's turn: in a later turn of the event loop, unless this one has time left. */
  schedule(accountId: string, work: () => void): void
  /** The same for who waits for it. Rejects when the signal aborts before. */
  inTurn<T>(accountId: string, work: () => T, signal?: AbortSignal): Promise<T>
  /** Computes in another thread. Rejects when the signal aborts, or with ThreadPoolError when the account has too much to be computed. */
  compute(accountId: string, computation: Computation, signal?: AbortSignal): Promise<ComputationEnd>
  /** Does a job in another thread. Rejects as `compute` does, and with RanOutError when it runs out of time or memory. */
  perform<J extends ThreadJob>(accountId: string, job: J, signal?: AbortSignal): Promise<ThreadResults[J['kind']]>
}

/** A job took longer, or needed more memory, than a thread has. */
export class RanOutError extends Error {
  override readonly name = 'RanOutError'
}

/** For a process that has nothing else to do: every walk goes through without a stop. */
export const ownProcessor: Processor = {
  turn: undefined,
  schedule: (_accountId, work) => void setImmediate(work),
  inTurn: async (_accountId, work, signal) => {
    signal?.throwIfAborted()
    return work()
  },
  compute: () => Promise.reject(new Error('a walk that has the processor for itself asked for another thread')),
  // Loaded when it is needed: most of what runs here needs none of it.
  perform: async (_accountId, job, signal) => {
    signal?.throwIfAborted()
    return (await import('#computing/perform-job.ts')).performJob(job)
  },
}
