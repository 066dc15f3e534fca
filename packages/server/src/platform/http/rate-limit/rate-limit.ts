import type { RateLimitClass } from '@millrace/contract'

/** So many requests of one address in so many seconds. */
export interface RateLimit {
  readonly limit: number
  readonly windowSeconds: number
}

/** `global` counts every request; the others, beside it, those of their class. */
export interface RateLimits {
  readonly global: RateLimit
  readonly auth: RateLimit
  readonly execution: RateLimit
}

export interface RatePolicy extends RateLimit {
  readonly name: keyof RateLimits
}

/** Where one address stands with one policy after this request. */
export interface RateStanding {
  readonly policy: RatePolicy
  /** Requests in this window, this one included. */
  readonly hits: number
  readonly resetSeconds: number
}

/** Counts requests. */
export interface RateLimiter {
  /** Counts one request of `subject` against each policy; standings come in the order of the policies. */
  consume(policies: readonly RatePolicy[], subject: string): readonly RateStanding[] | Promise<readonly RateStanding[]>
}

/** The policies that each class of operations counts against. */
export function policiesByClass(limits: RateLimits): Readonly<Record<RateLimitClass, readonly RatePolicy[]>> {
  const global: RatePolicy = { name: 'global', ...limits.global }
  return {
    default: [global],
    auth: [global, { name: 'auth', ...limits.auth }],
    execution: [global, { name: 'execution', ...limits.execution }],
  }
}

export interface RateVerdict {
  readonly headers: Readonly<Record<string, string>>
  /** Seconds to wait; `undefined` when the request is within all limits. */
  readonly retryAfterSeconds: number | undefined
}

/**
 * What the standings mean for a request: its headers tell of the policy that is nearest to its limit.
 *
 * Source: draft-ietf-httpapi-ratelimit-headers-06, the last one with separate fields.
 */
export function judge(standings: readonly RateStanding[]): RateVerdict {
  let nearest: RateStanding | undefined
  let retryAfterSeconds: number | undefined
  for (const standing of standings) {
    if (nearest === undefined || left(standing) < left(nearest)) nearest = standing
    if (standing.hits > standing.policy.limit) retryAfterSeconds = Math.max(retryAfterSeconds ?? 1, standing.resetSeconds)
  }
  if (nearest === undefined) return { headers: {}, retryAfterSeconds: undefined }
  return {
    headers: {
      'ratelimit-limit': String(nearest.policy.limit),
      'ratelimit-remaining': String(Math.max(0, left(nearest))),
      'ratelimit-reset': String(nearest.resetSeconds),
      'ratelimit-policy': standings.map(({ policy }) => `${policy.limit};w=${policy.windowSeconds}`).join(', '),
    },
    retryAfterSeconds,
  }
}

function left(standing: RateStanding): number {
  return standing.policy.limit - standing.hits
}

/**
 * Whom an address counts as: itself, or its /64 network for IPv6, where one customer has at least that many addresses.
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
