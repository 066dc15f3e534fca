/** What a sender must send in a second, on average. */
const bytesPerSecondMin = 1024
/** A sender that was fast may then be silent for so long. */
const aheadMsMax = 30_000

/**
 * Measures whether a sender keeps the least pace. Only the time in which its reader waits counts: a reader may be slow itself.
 * @param graceMs how far behind a sender may be.
 */
export function createPace(graceMs: number) {
  let aheadMs = graceMs

  return {
    /** Undefined if nothing arrives before the sender is too far behind. */
    async within<T>(arrival: Promise<T>): Promise<T | undefined> {
      const began = performance.now()
      const end = Promise.withResolvers<undefined>()
      // After a stop of this thread, what has arrived meanwhile is read first.
      const timer = setTimeout(() => setImmediate(() => end.resolve(undefined)), Math.max(aheadMs, 0))
      // An arrival after the end may fail.
      arrival.catch(() => undefined)
      try {
        return await Promise.race([arrival, end.promise])
      } finally {
        clearTimeout(timer)
        aheadMs -= performance.now() - began
      }
    },

    count(bytes: number): void {
      aheadMs = Math.min(aheadMs + (bytes / bytesPerSecondMin) * 1000, Math.max(aheadMsMax, graceMs))
    },
  }
}
