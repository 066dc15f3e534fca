import type { QueueState } from '@millrace/engine/storage'
import type { TriedMail } from '#platform/mail/try-smtp.ts'

export type Status = 'ok' | 'degraded' | 'down'

/** An external part of an installation, such as a mail server or a model runtime. */
export interface Part {
  readonly name: string
  readonly configured: boolean
  /** Checks that the part responds; rejects with the reason if it does not. */
  readonly probe: (signal: AbortSignal) => Promise<void>
}

/** What a test mail ended with. */
export interface TestedMail extends TriedMail {
  readonly to: string
  /** Host and port; undefined if no mail server is configured. */
  readonly server: string | undefined
}

export interface PartHealth {
  readonly name: string
  readonly configured: boolean
  /** Null if it is not configured and was not tried. */
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

export const processRoles = ['api', 'worker', 'scheduler'] as const
export type ProcessRole = (typeof processRoles)[number]

/** The roles that no live process has; none while no process records its roles. */
export function missingRolesOf(processes: readonly { readonly roles: readonly string[] }[]): readonly ProcessRole[] {
  const present = new Set(processes.flatMap(({ roles }) => roles))
  return present.size === 0 ? [] : processRoles.filter((role) => !present.has(role))
}

/** The worst of several statuses. */
export function worst(statuses: readonly Status[]): Status {
  if (statuses.includes('down')) return 'down'
  return statuses.includes('degraded') ? 'degraded' : 'ok'
}

/** `ok` without external parts; `degraded` if a part does not respond. */
export function statusOfParts(parts: readonly PartHealth[]): Status {
  return parts.some(({ reachable }) => reachable === false) ? 'degraded' : 'ok'
}

/** Jobs that wait longer than this show that there are no workers, or too few. */
const waitingSecondsMax = 60
const diskShareMin = 0.05
const delayMsMax = 500

export interface Strain {
  readonly queue: QueueState
  readonly disk: DiskSpace | null
  readonly eventLoopDelayMs: EventLoopDelay
}

/** `degraded` when a resource of a working server is nearly exhausted. */
export function statusOfStrain({ queue, disk, eventLoopDelayMs }: Strain): Status {
  const strained =
    (queue.oldestWaitingSeconds ?? 0) > waitingSecondsMax ||
    (disk !== null && disk.freeBytes < disk.totalBytes * diskShareMin) ||
    eventLoopDelayMs.p99 > delayMsMax
  return strained ? 'degraded' : 'ok'
}
