import { pause } from '@millrace/engine'
import { withLinkedSignal } from '#platform/linked-signal.ts'
import type { WaitOptions } from '#modules/executions/execution-service.ts'

export interface PollerDeps {
  /** Aborts when all waiting ends. */
  readonly closing: AbortSignal
  readonly now: () => number
}

const pauseMsFirst = 20
const pauseMsMax = 250

/** Makes a function that reads until `done` is true of the value, the time is over or the client has disconnected; it returns the last value. */
export function createPoller({ closing, now }: PollerDeps) {
  return async <T>(read: () => Promise<T>, done: (value: T) => boolean, { waitMs, signal }: WaitOptions): Promise<T> => {
    const deadlineMs = now() + waitMs
    return withLinkedSignal(closing, signal, async (over) => {
      for (let pauseMs = pauseMsFirst; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
        const value = await read()
        const leftMs = deadlineMs - now()
        if (done(value) || leftMs <= 0 || over.aborted) return value
        await pause(Math.min(pauseMs, leftMs), over)
      }
    })
  }
}
