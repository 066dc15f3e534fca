/** The durations of requests of one kind, in milliseconds, and the number of failures. */
export interface Series {
  readonly count: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
  readonly failed: number
  /** The first few errors. */
  readonly failures: readonly string[]
}

export interface Sample {
  readonly ms: number
  /** The error, if any. */
  readonly failure?: string
}

const failuresShown = 3

/**
 * Summarises the requests of a client that sends one every `everyMs` and never two at a time. While a response is late, the requests that would have been
 * sent meanwhile are missing; they count as if they had been sent and had waited as well.
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
