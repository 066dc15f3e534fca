import { Fault } from '@millrace/contract'
import type { GuardedFetch } from './guarded-fetch.ts'

/** Refuses a host to which nothing could be sent, where a user gives it. What a name leads to is known when something is sent. */
export function requireReachable(http: Pick<GuardedFetch, 'refusalOf'>, hostname: string, pointer: string): void {
  const refusal = http.refusalOf(hostname)
  if (refusal === undefined) return
  throw new Fault('request_invalid', { errors: [{ pointer, detail: `Must be an address that may be reached: ${refusal.message}.` }] })
}
