import type { RequestContext } from '#platform/http/index.ts'

/** The longest time for which a response may be delayed. */
const waitSecondsMax = 300

/** How long the caller wants the response to wait for the end of the execution, by `Prefer`. */
export function preferredWaitSeconds({ prefer: { waitSeconds } }: RequestContext): number | undefined {
  return waitSeconds === undefined ? undefined : Math.min(waitSeconds, waitSecondsMax)
}

export function preferenceHeader(seconds: number | undefined): { 'preference-applied'?: string } {
  return seconds === undefined ? {} : { 'preference-applied': `wait=${seconds}` }
}
