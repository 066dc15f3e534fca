import { setImmediate } from 'node:timers/promises'

/** Matching runs no longer than this without a turn of the event loop. */
const STRETCH_MS = 5

/** Runs interruptible computations of one slice. */
export interface Yielder {
  /** Runs a computation to its end and lets the event loop do its other work in between. */
  run<T>(computation: Generator<void, T>): Promise<T>
}

/** @param elapsed milliseconds of a monotonic clock. */
export function createYielder(elapsed: () => number): Yielder {
  let since = elapsed()
  return {
    async run(computation) {
      for (let step = computation.next(); ; step = computation.next()) {
        if (step.done === true) return step.value
        if (elapsed() - since < STRETCH_MS) continue
        await setImmediate()
        since = elapsed()
      }
    },
  }
}
