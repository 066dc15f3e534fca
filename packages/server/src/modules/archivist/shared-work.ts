import { Fault } from '@millrace/contract'

export interface SharedWorkDeps {
  readonly now: () => number
  /** Computations of one account at the same time. */
  readonly perAccountMax?: number
}

/** One computation that requests ask for, by account and name. */
export interface WantedWork<T> {
  readonly accountId: string
  readonly name: string
  readonly compute: () => Promise<T>
  /** Whether a later computation would give the same, so that this one is kept for a while. */
  readonly isFinal: (value: T) => boolean
}

const keptMs = 60_000
const keptBytesMax = 32 * 1024 * 1024
const perAccountDefault = 2
const waitingMax = 20

interface Kept<T> {
  readonly value: T
  readonly bytes: number
  readonly until: number
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Shares costly computations: requests for the same one get one result, a final result is kept for a minute in bounded memory, and the
 * computations of an account wait for each other, so that a reader cannot take the processor from other accounts.
 */
export function createSharedWork<T>({ now, perAccountMax = perAccountDefault }: SharedWorkDeps) {
  const kept = new Map<string, Kept<T>>()
  const pending = new Map<string, Promise<T>>()
  const lines = new Map<string, Line>()
  let keptBytes = 0

  function drop(key: string): void {
    keptBytes -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  function keep(key: string, value: T): void {
    // The oldest comes first.
    for (const [other, { until }] of kept) if (until <= now()) drop(other)
    const bytes = JSON.stringify(value).length
    if (bytes > keptBytesMax) return
    kept.set(key, { value, bytes, until: now() + keptMs })
    keptBytes += bytes
    for (const other of kept.keys()) if (keptBytes > keptBytesMax) drop(other)
  }

  async function inLine<R>(accountId: string, work: () => Promise<R>): Promise<R> {
    const line = lines.get(accountId) ?? { running: 0, waiting: [] }
    lines.set(accountId, line)
    if (line.running >= perAccountMax) {
      if (line.waiting.length >= waitingMax)
        throw new Fault('overloaded', {
          detail: `${waitingMax} replays and receipts of the account wait already. Try again later.`,
          retryAfterSeconds: 10,
        })
      await new Promise<void>((resolve) => line.waiting.push(resolve))
    } else line.running += 1
    try {
      return await work()
    } finally {
      // The next one takes over the place.
      const next = line.waiting.shift()
      if (next !== undefined) next()
      else if (--line.running === 0) lines.delete(accountId)
    }
  }

  return async ({ accountId, name, compute, isFinal }: WantedWork<T>): Promise<T> => {
    const key = `${accountId}/${name}`
    const found = kept.get(key)
    if (found !== undefined && found.until > now()) return found.value
    if (found !== undefined) drop(key)
    const shared = pending.get(key)
    if (shared !== undefined) return await shared
    const work = inLine(accountId, compute)
    pending.set(key, work)
    try {
      const value = await work
      if (isFinal(value)) keep(key, value)
      return value
    } finally {
      pending.delete(key)
    }
  }
}
