import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { createIdSource } from '#platform/ids.ts'
import { isProcessAlive, pidNamespace } from '#platform/process-liveness.ts'

/** Time, randomness and the machine, which other parts take as parameters. */
export interface System {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds on a monotonic clock. */
  readonly clock: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
  /** Processes with the same host can check whether one another are alive. */
  readonly host: string
  readonly pid: number
  readonly lives: (pid: number) => boolean
  readonly memory: () => { readonly rss: number; readonly heapUsed: number }
}

export function thisSystem(): System {
  const now = () => Date.now()
  return {
    now,
    clock: () => performance.now(),
    newId: createIdSource({ now, randomBytes }),
    randomBytes,
    host: `${hostname()}/${pidNamespace()}`,
    pid: process.pid,
    lives: isProcessAlive,
    memory: () => process.memoryUsage(),
  }
}
