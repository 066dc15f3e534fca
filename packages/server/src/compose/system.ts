import { randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { createIdSource } from '#platform/ids.ts'

/** What of time, chance and the machine reaches the rest as parameters. */
export interface System {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds on a clock that only goes forward. */
  readonly clock: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
  /** Processes with the same host can see whether one another live. */
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
    lives,
    memory: () => process.memoryUsage(),
  }
}

/** Containers share a host name now and then, and never their process ids: the namespace tells them apart. Only Linux has them. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, and is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
