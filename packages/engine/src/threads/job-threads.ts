import { startThread } from './thread.ts'
import { createThreadPool, type ThreadPool } from './thread-pool.ts'

export interface JobThreadsOptions<Outcome> {
  /** The module of the thread, which performs the jobs it is given. */
  readonly module: URL
  readonly maxOldGenerationSizeMb: number
  readonly stackSizeMb: number
  readonly idleMs: number
  /** How many jobs of one account may wait. */
  readonly queuedMax: number
  /** After how much processor time a job is stopped. */
  readonly processorMsMax: number
  /** The outcome of a job that took too long or failed with its thread. */
  readonly stopped: () => Outcome
}

/** One thread for jobs that would block the process for long, and further ones for accounts that would wait for others. */
export function createJobThreads<Job, Outcome>(options: JobThreadsOptions<Outcome>): ThreadPool<Job, Outcome> {
  const { module, maxOldGenerationSizeMb, stackSizeMb, idleMs, queuedMax, processorMsMax, stopped } = options
  return createThreadPool({
    start: (signal) => startThread(module, undefined, { maxOldGenerationSizeMb, stackSizeMb }, signal),
    threadsMax: 1,
    threadsMaxContended: 3,
    idleMs,
    queuedMax,
    processorMsMax,
    late: stopped,
    crashed: stopped,
    isSpent: () => false,
  })
}
