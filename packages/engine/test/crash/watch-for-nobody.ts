import type { Outage } from './observations.ts'
import type { WorkerPool } from './worker-pool.ts'

const LOOK_MS = 20

/** Notes when no process is there to do anything. */
export function watchForNobody(workers: Pick<WorkerPool, 'ready'>): { stop(): readonly Outage[] } {
  const outages: Outage[] = []
  let fromMs: number | undefined
  function look(): void {
    const nobody = workers.ready().length === 0
    if (nobody) fromMs ??= Date.now()
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
