const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Pauses after each attempt that failed, before jitter: eleven attempts within about a day. */
const pausesMs = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 10 * hour] as const

export const attemptsMax = pausesMs.length + 1
/** Nobody may put an attempt off for longer. */
const retryAfterMsMax = 24 * hour
/** Of the pause, up or down, so that what failed together does not come back together. */
const jitter = 0.2

/**
 * How long to wait after the given attempt (from 1); undefined when it was the last one. `chance` lies between 0 and 1.
 * What the endpoint asks for by `Retry-After` can make the pause longer, never shorter.
 */
export function pauseAfter(attempt: number, retryAfterMs: number | undefined, chance: number): number | undefined {
  const pauseMs = pausesMs[attempt - 1]
  if (pauseMs === undefined) return undefined
  const jittered = Math.round(pauseMs * (1 - jitter + 2 * jitter * chance))
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, retryAfterMsMax))
}

/** Reads `Retry-After`: seconds, or a date. Undefined for what is neither. Source: RFC 9110, section 10.2.3. */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * second
  // Date.parse reads much that is no date of HTTP, numbers with signs among it.
  const at = /^\s*[A-Z][a-z]{2},/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
