const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Delays after each failed attempt, before jitter: eleven attempts within about a day. */
const delaysMs = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 10 * hour] as const

export const attemptsMax = delaysMs.length + 1
/** The longest delay that an endpoint can request. */
const retryAfterMsMax = 24 * hour
/** The fraction by which a delay varies, so that deliveries that failed together are not retried together. */
const jitter = 0.2

/**
 * The delay in milliseconds after an attempt (from 1); undefined after the last one. `Retry-After` of the endpoint makes a delay longer, never shorter.
 * @param chance between 0 and 1, for the jitter.
 */
export function retryDelayAfter(attempt: number, retryAfterMs: number | undefined, chance: number): number | undefined {
  const delayMs = delaysMs[attempt - 1]
  if (delayMs === undefined) return undefined
  const jittered = Math.round(delayMs * (1 - jitter + 2 * jitter * chance))
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, retryAfterMsMax))
}

/** Parses `Retry-After`: seconds or a date; undefined for other text. Source: RFC 9110, section 10.2.3. */
export function retryAfterMsOf(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * second
  // Date.parse accepts much that is not an HTTP date, such as signed numbers.
  const at = /^\s*[A-Z][a-z]{2},/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
