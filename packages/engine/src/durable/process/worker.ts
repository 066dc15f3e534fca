import type { EngineDeps, EngineOptions } from './engine-deps.ts'
import type { RunRegistry } from './run-registry.ts'
import { createLoop } from './loop.ts'
import type { ClaimedJob } from '#durable/ports/store.ts'

/** Jobs claimed at one time. */
const BATCH_MAX = 50
/** How often the queue is polled when nothing wakes the worker. */
const IDLE_MS = 500
/** For this time after a claim failed with a broken connection, its commit may still take effect. */
const IN_DOUBT_MS = 60_000
/** How often the heartbeat of running jobs is extended. */
const TOUCH_MS = 10_000
/** A crash suspect blocks other suspects for this time. */
const SUSPECT_MS = 30_000

/** Claims executions from the queue and runs them, while there is room. */
export interface Worker {
  start(): void
  /** Polls the queue at once: this process has added a job. */
  wake(): void
  stop(): Promise<void>
}

export function createWorker(deps: EngineDeps, runs: RunRegistry, options: EngineOptions): Worker {
  const { queue, store, reporter, now } = deps
  /** Ids of executions by their jobs. */
  const running = new Map<string, string>()
  let finished: string[] = []
  let touching: NodeJS.Timeout | undefined
  let inDoubtUntilMs = 0
  let currentSuspect = { jobId: '', sinceMs: 0 }
  const loop = createLoop(options.idleMs ?? IDLE_MS, () =>
    runs.exclusively(claimBatch).catch((error: unknown) => {
      reporter.warn('failed to claim jobs', { error })
      return false
    }),
  )

  const isSuspectRunning = () => running.has(currentSuspect.jobId) && now() - currentSuspect.sinceMs < SUSPECT_MS

  async function claimBatch(): Promise<boolean> {
    if (now() < inDoubtUntilMs) runs.addLost(await store.findUnackedClaims([...running.values()]))
    const done = finished.splice(0)
    const endLater = () => void finished.push(...done)
    const room = Math.min(options.liveMax - runs.size(), BATCH_MAX)
    if (room <= 0) {
      if (done.length === 0) return false
      await queue.done(done).catch((error: unknown) => {
        endLater()
        throw error
      })
      return false
    }
    const lease = runs.lease()
    const claimed = await store.claim(room, { done, suspectsMax: isSuspectRunning() ? 0 : 1 }).catch((error: unknown) => {
      endLater()
      inDoubtUntilMs = now() + IN_DOUBT_MS
      throw error
    })
    if (loop.isStopped() && claimed.length > 0) {
      // Claimed while the worker was being stopped: another process runs them.
      await store.release(claimed.map(({ execution }) => execution.head.id))
      finished.push(...claimed.map(({ jobId }) => jobId))
      return false
    }
    for (const job of claimed) void runClaimed(job, lease)
    return claimed.length > 0
  }

  async function runClaimed({ jobId, execution, suspect }: ClaimedJob, lease: number): Promise<void> {
    running.set(jobId, execution.head.id)
    if (suspect) currentSuspect = { jobId, sinceMs: now() }
    try {
      const run = await runs.resume(execution, lease)
      if (suspect) void run?.firstEntryCommitted.then(() => releaseSuspect(jobId))
      await run?.end
    } catch (error) {
      reporter.warn('claimed execution failed to start', { executionId: execution.head.id, error })
      runs.addLost([execution.head.id])
    } finally {
      running.delete(jobId)
      finished.push(jobId)
      loop.wake()
    }
  }

  /** After progress the execution is not a crash suspect any more, and the next suspect may be claimed. */
  function releaseSuspect(jobId: string): void {
    if (currentSuspect.jobId !== jobId) return
    currentSuspect = { jobId: '', sinceMs: 0 }
    loop.wake()
  }

  return {
    start() {
      loop.start()
      touching = setInterval(() => {
        const jobs = [...running.keys()]
        if (jobs.length > 0) queue.touch(jobs).catch((error: unknown) => reporter.warn('failed to extend job heartbeats', { error }))
      }, TOUCH_MS)
    },
    wake: () => loop.wake(),
    async stop() {
      clearInterval(touching)
      await loop.stop()
      if (finished.length > 0) await queue.done(finished.splice(0)).catch(() => undefined)
    },
  }
}
