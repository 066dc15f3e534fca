import type { QueueState } from '@millrace/engine/storage'

export type Status = 'ok' | 'degraded' | 'down'

/** A part outside of the server that an installation can be given, such as a mail server or a model runtime. */
export interface Part {
  readonly name: string
  readonly configured: boolean
  /** Asks the part for a sign of life; rejects with what is wrong. */
  readonly probe: (signal: AbortSignal) => Promise<void>
}

export interface PartHealth {
  readonly name: string
  readonly configured: boolean
  /** Null when it is not configured, and so was not tried. */
  readonly reachable: boolean | null
  readonly latencyMs: number | null
  readonly detail: string | null
}

export interface DatabaseHealth {
  readonly status: Status
  readonly latencyMs: number | null
  readonly migrations: { readonly applied: number; readonly pending: number }
  readonly pool: PoolUse
}

export interface PoolUse {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

export interface DiskSpace {
  readonly freeBytes: number
  readonly totalBytes: number
}

export interface EventLoopDelay {
  readonly mean: number
  readonly p99: number
}

/** The worst of several. */
export function worst(statuses: readonly Status[]): Status {
  if (statuses.includes('down')) return 'down'
  return statuses.includes('degraded') ? 'degraded' : 'ok'
}

/** An installation without parts is whole; one whose parts do not answer works with less. */
export function statusOfParts(parts: readonly PartHealth[]): Status {
  return parts.some(({ reachable }) => reachable === false) ? 'degraded' : 'ok'
}

/** Jobs that wait longer than this say that nobody works, or that there are too few who do. */
const waitingSecondsMax = 60
const diskShareMin = 0.05
const delayMsMax = 500

export interface Strain {
  readonly queue: QueueState
  readonly disk: DiskSpace | null
  readonly eventLoopDelayMs: EventLoopDelay
}

/** Whether a server that works is about to work badly. */
export function statusOfStrain({ queue, disk, eventLoopDelayMs }: Strain): Status {
  const strained =
    (queue.oldestWaitingSeconds ?? 0) > waitingSecondsMax ||
    (disk !== null && disk.freeBytes < disk.totalBytes * diskShareMin) ||
    eventLoopDelayMs.p99 > delayMsMax
  return strained ? 'degraded' : 'ok'
}
