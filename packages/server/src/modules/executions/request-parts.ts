import type { RequestContext } from '#platform/http/index.ts'

/** How long anybody may have an answer wait. */
const waitSecondsMax = 300

/** How long the caller wants the answer to wait, by `Prefer`. */
export function waitSecondsOf({ prefer: { waitSeconds } }: RequestContext): number | undefined {
  return waitSeconds === undefined ? undefined : Math.min(waitSeconds, waitSecondsMax)
}

export function waitHeader(seconds: number | undefined): { 'preference-applied'?: string } {
  return seconds === undefined ? {} : { 'preference-applied': `wait=${seconds}` }
}
