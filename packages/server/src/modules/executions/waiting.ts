import { pause } from '@millrace/engine'
import type { Patience } from './service.ts'

export interface WaitingDeps {
  /** Aborts when waiting is over, whatever has come of it. */
  readonly closing: AbortSignal
  readonly now: () => number
}

/** How often is looked, at first and at most. */
const pauseMsFirst = 20
const pauseMsMax = 250

/** Makes a function that reads something until `done` holds for it, or nobody waits any more; gives what it read last. */
export function createWaiting({ closing, now }: WaitingDeps) {
  return async <T>(read: () => Promise<T>, done: (value: T) => boolean, { waitMs, signal }: Patience): Promise<T> => {
    const deadlineMs = now() + waitMs
    const over = AbortSignal.any([closing, signal])
    for (let pauseMs = pauseMsFirst; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
      const value = await read()
      const leftMs = deadlineMs - now()
      if (done(value) || leftMs <= 0 || over.aborted) return value
      await pause(Math.min(pauseMs, leftMs), over)
    }
  }
}
