import type { RateLimitClass } from '@millrace/contract'

/** At most `limit` requests of one caller within `windowSeconds`. */
export interface RateLimit {
  readonly limit: number
  readonly windowSeconds: number
}

/**
 * `global` counts every request of an address; `auth`, `refresh` and `execution` additionally count the requests of their class. Where they are set,
 * `credential` and `credentialExecution` count the requests of a signed-in caller in place of `global` and `execution`.
 */
export interface RateLimits {
  readonly global: RateLimit
  readonly auth: RateLimit
  readonly refresh: RateLimit
  readonly execution: RateLimit
  readonly credential?: RateLimit | undefined
  readonly credentialExecution?: RateLimit | undefined
}

export interface RatePolicy extends RateLimit {
  readonly name: keyof RateLimits
}

/** Who went over a limit. */
export interface Limited {
  readonly policy: RatePolicy
  /** An address, or a credential in the form of the audit log. */
  readonly subject: string
}

/** The requests of one address that one policy has counted. */
export interface RateCount {
  readonly policy: RatePolicy
  /** Requests in this window, including the current one. */
  readonly hits: number
  readonly resetSeconds: number
}

/** The key of the counter of one policy and one address. */
export function counterKey(policy: string, subject: string): string {
  return `${policy} ${subject}`
}

/** Counts requests. */
export interface RateLimiter {
  /** Counts one request of `subject` against each policy; returns the counts in the order of the policies. */
  consume(policies: readonly RatePolicy[], subject: string): readonly RateCount[] | Promise<readonly RateCount[]>
}

/** The policies that each class of operations counts against. */
export function policiesByClass(limits: RateLimits): Readonly<Record<RateLimitClass, readonly RatePolicy[]>> {
  const global: RatePolicy = { name: 'global', ...limits.global }
  return {
    default: [global],
    auth: [global, { name: 'auth', ...limits.auth }],
    refresh: [global, { name: 'refresh', ...limits.refresh }],
    execution: [global, { name: 'execution', ...limits.execution }],
  }
}

/** The policies of signed-in callers; undefined for the classes that count by address in any case. */
export function credentialPolicies(limits: RateLimits): Partial<Readonly<Record<RateLimitClass, readonly RatePolicy[]>>> {
  const { credential, credentialExecution, execution } = limits
  if (credential === undefined) return {}
  const all: RatePolicy = { name: 'credential', ...credential }
  return { default: [all], execution: [all, { name: 'credentialExecution', ...(credentialExecution ?? execution) }] }
}

export interface RateOutcome {
  readonly headers: Readonly<Record<string, string>>
  /** Seconds to wait; `undefined` when the request is within all limits. */
  readonly retryAfterSeconds: number | undefined
  /** The limit that the request is over, with the longest wait. */
  readonly exceeded: RateCount | undefined
}

/**
 * Derives the headers of a request, which describe the policy that is nearest to its limit, and whether the request is over a limit.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-06, the last one with separate fields.
 */
export function rateOutcomeOf(counts: readonly RateCount[]): RateOutcome {
  let nearest: RateCount | undefined
  let exceeded: RateCount | undefined
  for (const count of counts) {
    if (nearest === undefined || remaining(count) < remaining(nearest)) nearest = count
    if (count.hits > count.policy.limit && count.resetSeconds >= (exceeded?.resetSeconds ?? 0)) exceeded = count
  }
  if (nearest === undefined) return { headers: {}, retryAfterSeconds: undefined, exceeded }
  return {
    headers: {
      'ratelimit-limit': String(nearest.policy.limit),
      'ratelimit-remaining': String(Math.max(0, remaining(nearest))),
      'ratelimit-reset': String(nearest.resetSeconds),
      'ratelimit-policy': counts.map(({ policy }) => `${policy.limit};w=${policy.windowSeconds}`).join(', '),
    },
    retryAfterSeconds: exceeded === undefined ? undefined : Math.max(1, exceeded.resetSeconds),
    exceeded,
  }
}

function remaining({ policy, hits }: RateCount): number {
  return policy.limit - hits
}

/**
 * The subject that an address is counted as: an IPv4 address itself, an IPv6 address as its /64 network, since one customer has at least that network.
 */
export function rateSubject(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined ? before : [...before, ...Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
