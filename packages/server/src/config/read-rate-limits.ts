import { type RateLimit, rateLimit } from './parse.ts'
import type { Reader } from './reader.ts'

export interface RateLimitSettings {
  readonly global: RateLimit
  readonly auth: RateLimit
  readonly refresh: RateLimit
  readonly execution: RateLimit
  /** Of a signed-in caller; undefined to count all requests by address. */
  readonly credential: RateLimit | undefined
  readonly credentialExecution: RateLimit | undefined
}

const globalDefault: RateLimit = { limit: 100, windowSeconds: 60 }
/** Ten requests a second: a person who opens page after page, in several tabs. */
const credentialDefault: RateLimit = { limit: 600, windowSeconds: 60 }

export function readRateLimits(reader: Reader): RateLimitSettings {
  const global = reader.optional('MILLRACE_RATE_LIMIT_GLOBAL', rateLimit)
  // A limit that an operator sets for each address counts all of its requests, as the interface says.
  const perCaller = global === undefined ? credentialDefault : undefined
  const credential = reader.read('MILLRACE_RATE_LIMIT_CREDENTIAL', rateLimitOrOff, { perCaller })
  return {
    global: global ?? globalDefault,
    auth: reader.read('MILLRACE_RATE_LIMIT_AUTH', rateLimit, { limit: 10, windowSeconds: 60 }),
    refresh: reader.read('MILLRACE_RATE_LIMIT_REFRESH', rateLimit, { limit: 60, windowSeconds: 60 }),
    execution: reader.read('MILLRACE_RATE_LIMIT_EXECUTION', rateLimit, { limit: 30, windowSeconds: 60 }),
    credential: credential.perCaller,
    credentialExecution: reader.optional('MILLRACE_RATE_LIMIT_CREDENTIAL_EXECUTION', rateLimit),
  }
}

function rateLimitOrOff(text: string): { readonly perCaller: RateLimit | undefined } {
  return { perCaller: text === 'off' ? undefined : rateLimit(text) }
}
