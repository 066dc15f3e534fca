/** Reads `Retry-After`, seconds or a date, as milliseconds from now; undefined when it is absent or invalid. Source: RFC 9110, section 10.2.3. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim()
  if (text === undefined || text === '') return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.round(Number(text) * 1000), Number.MAX_SAFE_INTEGER)
  // Every form of an HTTP date has letters and a colon; Date.parse alone would take `-5` and the like for a date.
  const at = /[a-z].*:/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
