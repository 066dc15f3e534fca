import type { Outage } from './observations.ts'
import type { WorkerPool } from './worker-pool.ts'

const LOOK_MS = 20

/** Records the times in which no process is ready. */
export function watchForNoProcess(workers: Pick<WorkerPool, 'ready'>): { stop(): readonly Outage[] } {
  const outages: Outage[] = []
  let fromMs: number | undefined
  function look(): void {
    const isOutage = workers.ready().length === 0
    if (isOutage) fromMs ??= Date.now()
    else if (fromMs !== undefined) {
      outages.push({ fromMs, toMs: Date.now(), what: 'no process' })
      fromMs = undefined
    }
  }
  look()
  const timer = setInterval(look, LOOK_MS)
  return {
    stop() {
      clearInterval(timer)
      return outages
    },
  }
}
