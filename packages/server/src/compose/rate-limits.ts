import type { Variable } from '#config/variables.ts'
import type { Limited, RatePolicy } from '#platform/http/index.ts'
import { addressList } from '#platform/net/address-list.ts'
import type { Logger } from './logger.ts'

/** The variable that changes each limit. */
const variableOf: Readonly<Record<RatePolicy['name'], Variable>> = {
  global: 'MILLRACE_RATE_LIMIT_GLOBAL',
  auth: 'MILLRACE_RATE_LIMIT_AUTH',
  refresh: 'MILLRACE_RATE_LIMIT_REFRESH',
  execution: 'MILLRACE_RATE_LIMIT_EXECUTION',
  credential: 'MILLRACE_RATE_LIMIT_CREDENTIAL',
  credentialExecution: 'MILLRACE_RATE_LIMIT_CREDENTIAL_EXECUTION',
}

/** Logs who goes over which limit, and what changes it. */
export function logLimited(logger: Logger): (limited: Limited) => void {
  return ({ policy: { name, limit, windowSeconds }, subject }) =>
    logger.info({ subject, limit: `${limit}/${windowSeconds}`, variable: variableOf[name] }, 'rate limit exceeded')
}

/** Whether an address is in one of the given addresses and ranges; undefined without any. */
export function exemptionOf(entries: readonly string[]): ((ip: string) => boolean) | undefined {
  return entries.length === 0 ? undefined : addressList(entries)
}
