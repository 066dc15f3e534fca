import type { EngineDeps, EngineOptions } from './engine-deps.ts'
import type { RunRegistry } from './run-registry.ts'
import { createLoop } from './loop.ts'
import type { ClaimedJob } from '#durable/ports/store.ts'

/** Executions taken from the queue in one go. */
const BATCH = 50
/** How often the queue is looked at when nothing calls. */
const IDLE_MS = 500
/** So long after a take that failed it may still come to be committed. */
const IN_DOUBT_MS = 60_000
/** How often the queue hears that jobs are still under way. */
const TOUCH_MS = 10_000
/** A suspect that has run for so long without killing this process lets the next one in. */
const SUSPECT_MS = 30_000

/** Takes executions from the queue while there is room. */
export interface Worker {
  start(): void
  /** Something was put on the queue here: no need to wait for the next look. */
  wake(): void
  stop(): Promise<void>
}

export function createWorker(deps: EngineDeps, runs: RunRegistry, options: EngineOptions): Worker {
  const { queue, store, reporter, now } = deps
  /** Jobs. */
  const underWay = new Set<string>()
  let finished: string[] = []
  let touching: NodeJS.Timeout | undefined
  let inDoubtUntilMs = 0
  let suspected = { jobId: '', sinceMs: 0 }
  const loop = createLoop(IDLE_MS, () =>
    takeSome().catch((error: unknown) => {
      reporter.warn('the queue could not be read', { error })
      return false
    }),
  )

  const suspectRuns = () => underWay.has(suspected.jobId) && now() - suspected.sinceMs < SUSPECT_MS

  async function takeSome(): Promise<boolean> {
    if (now() < inDoubtUntilMs) runs.lose(await store.findUnackedClaims([...underWay, ...finished]))
    const done = finished.splice(0)
    const room = Math.min(options.liveMax - runs.size(), BATCH)
    if (room <= 0) {
      if (done.length > 0) await queue.done(done)
      return false
    }
    const taken = await store.claim(room, { done, suspectsMax: suspectRuns() ? 0 : 1 }).catch((error: unknown) => {
      finished.push(...done)
      inDoubtUntilMs = now() + IN_DOUBT_MS
      throw error
    })
    if (loop.stopped && taken.length > 0) {
      // Taken while it was told to stop: others do it, and it begins nothing of it.
      await store.release(taken.map(({ execution }) => execution.head.id))
      finished.push(...taken.map(({ jobId }) => jobId))
      return false
    }
    for (const one of taken) void carry(one)
    return taken.length > 0
  }

  async function carry({ jobId, execution, suspect }: ClaimedJob): Promise<void> {
    underWay.add(jobId)
    if (suspect) suspected = { jobId, sinceMs: now() }
    try {
      const run = await runs.resume(execution)
      if (suspect) void run.progressed.then(() => acquit(jobId))
      await run.end
    } catch (error) {
      reporter.warn('an execution could not be resumed', { executionId: execution.head.id, error })
      runs.lose([execution.head.id])
    } finally {
      underWay.delete(jobId)
      finished.push(jobId)
      loop.wake()
    }
  }

  /** Whoever gets on does not count as a suspect any more, and others need not wait for its end. */
  function acquit(jobId: string): void {
    if (suspected.jobId !== jobId) return
    suspected = { jobId: '', sinceMs: 0 }
    loop.wake()
  }

  return {
    start() {
      loop.start()
      touching = setInterval(() => {
        const jobs = [...underWay]
        if (jobs.length > 0) queue.touch(jobs).catch((error: unknown) => reporter.warn('jobs could not be kept', { error }))
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
