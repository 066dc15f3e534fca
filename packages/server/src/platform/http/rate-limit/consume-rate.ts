import { Fault } from '@millrace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Limited, type RateCount, type RateLimiter, rateOutcomeOf, type RatePolicy, rateSubject } from './rate-limit.ts'

/** How requests are counted. */
export interface RateCounting {
  readonly guards: { readonly rateLimiter: RateLimiter }
  /** Whether requests of an address are not counted; none is exempt unless given. */
  readonly isExempt?: ((ip: string) => boolean) | undefined
  /** Called once for a subject and window that go over a limit. */
  readonly onLimited?: ((limited: Limited) => void) | undefined
}

/** Sign-in is limited for every address: a probe or a proxy does not sign in by itself. */
const alwaysCounted: ReadonlySet<RatePolicy['name']> = new Set(['auth', 'refresh'])

/**
 * Counts a request and sets its rate limit headers; returns a Fault when it is over a limit.
 *
 * @param credential the credential that is counted in place of the address
 */
export async function consumeRate(
  { guards, isExempt, onLimited }: RateCounting,
  policies: readonly RatePolicy[],
  request: FastifyRequest,
  reply: FastifyReply,
  credential?: string,
): Promise<Fault | undefined> {
  const counted = isExempt?.(request.ip) === true ? policies.filter(({ name }) => alwaysCounted.has(name)) : policies
  if (counted.length === 0) return undefined
  const subject = credential ?? rateSubject(request.ip)
  const counts = guards.rateLimiter.consume(counted, subject)
  const { headers, exceeded, retryAfterSeconds } = rateOutcomeOf(counts instanceof Promise ? await counts : counts)
  reply.headers(headers)
  if (exceeded === undefined || retryAfterSeconds === undefined) return undefined
  if (exceeded.hits === exceeded.policy.limit + 1) onLimited?.({ policy: exceeded.policy, subject })
  return new Fault('rate_limited', { retryAfterSeconds, detail: describe(exceeded, retryAfterSeconds) })
}

function describe({ policy: { name, limit, windowSeconds } }: RateCount, seconds: number): string {
  return `More than ${limit} ${counted[name]} in ${windowSeconds} s. Try again in ${seconds} s. The operator of this installation can change this limit.`
}

const counted: Readonly<Record<RatePolicy['name'], string>> = {
  global: 'requests from your address',
  auth: 'requests to sign-in routes from your address',
  refresh: 'requests that refresh a session from your address',
  execution: 'requests that start executions from your address',
  credential: 'requests with your credential',
  credentialExecution: 'requests that start executions with your credential',
}
