/** How long requests of one kind took, in milliseconds, and how many went wrong. */
export interface Series {
  readonly count: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
  readonly failed: number
  /** The first few ways in which they did. */
  readonly failures: readonly string[]
}

export interface Sample {
  readonly ms: number
  /** What went wrong, if anything did. */
  readonly failure?: string
}

const failuresShown = 3

/**
 * Sums up what a client saw that asks every `everyMs` and never twice at a time. While one answer is late, the requests that would have been
 * sent meanwhile are not; they would have waited as well, and are counted as if they had.
 *
 * Source: HdrHistogram, `recordValueWithExpectedInterval` (against coordinated omission).
 */
export function summarize(samples: readonly Sample[], everyMs: number): Series {
  const times = samples.flatMap(({ ms }) => withThoseNotSent(ms, everyMs)).toSorted((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  const failures = samples.flatMap(({ failure }) => failure ?? [])
  return {
    count: samples.length,
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: at(1),
    failed: failures.length,
    failures: [...new Set(failures)].slice(0, failuresShown),
  }
}

function withThoseNotSent(ms: number, everyMs: number): readonly number[] {
  const times = [ms]
  for (let left = ms - everyMs; left >= everyMs; left -= everyMs) times.push(left)
  return times
}
