import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { EventLoopDelay } from './model.ts'

const resolutionMs = 20
const windowMs = 60_000

/** Measures how late timers fire. */
export interface EventLoopWatch {
  /** Over the last half to whole minute, in milliseconds. */
  read(): EventLoopDelay
  stop(): void
}

/** Two histograms, each reset every minute, half a minute apart; the older one is read, so that it always has values. */
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

/** The histogram has the times between ticks of a timer, in nanoseconds; before the first tick the value is NaN. */
function lateness(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, Math.round((nanoseconds / 1e6 - resolutionMs) * 100) / 100) : 0
}
