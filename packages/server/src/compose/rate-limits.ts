import { BlockList, isIP } from 'node:net'
import type { Variable } from '#config/variables.ts'
import type { Limited, RatePolicy } from '#platform/http/index.ts'
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
  if (entries.length === 0) return undefined
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  // An IPv4 caller of a socket for both families has a mapped address, which BlockList matches with IPv4 rules.
  return (ip) => list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}
