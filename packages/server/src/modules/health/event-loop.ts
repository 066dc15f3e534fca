import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { EventLoopDelay } from './model.ts'

const resolutionMs = 20
const windowMs = 60_000

/** Watches how late timers are. */
export interface EventLoopWatch {
  /** Over the last half to whole minute, in milliseconds. */
  read(): EventLoopDelay
  stop(): void
}

/** Two histograms, each begun anew every minute, half a minute apart; the older one is read, so there is always something in it. */
export function watchEventLoop(): EventLoopWatch {
  const histograms = [monitorEventLoopDelay({ resolution: resolutionMs }), monitorEventLoopDelay({ resolution: resolutionMs })] as const
  for (const histogram of histograms) histogram.enable()
  let older = 0
  const timer = setInterval(() => {
    histograms[older === 0 ? 0 : 1].reset()
    older = 1 - older
  }, windowMs / 2).unref()
  return {
    read() {
      const histogram = histograms[older === 0 ? 0 : 1]
      return { mean: lateness(histogram.mean), p99: lateness(histogram.percentile(99)) }
    },
    stop() {
      clearInterval(timer)
      for (const histogram of histograms) histogram.disable()
    },
  }
}

/** What is measured is the time from one tick of a timer to the next, in nanoseconds; without a tick yet it is not a number. */
function lateness(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, Math.round((nanoseconds / 1e6 - resolutionMs) * 100) / 100) : 0
}
