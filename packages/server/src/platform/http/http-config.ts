import type { RateLimits } from './rate-limit/rate-limit.ts'

/** The configuration of the HTTP server. */
export interface HttpConfig {
  readonly rateLimits: RateLimits
  /** Whether the requests of an address are not counted; none is exempt unless given. */
  readonly isExempt?: ((ip: string) => boolean) | undefined
  /** Origins from which browsers may call; none by default. `*` allows all origins. */
  readonly corsOrigins: readonly string[]
  /** Addresses and networks of proxies whose `X-Forwarded-For` is used; none by default. */
  readonly trustedProxies: readonly string[]
  /** Sends `Strict-Transport-Security`; for installations that are served over HTTPS. */
  readonly hsts: boolean
  /** For development and tests: checks replies against their schema, and Faults against the declared errors. */
  readonly strict: boolean
  /** Timeout for a complete request, including its body. */
  readonly requestTimeoutMs: number
  /** Timeout for the head of a request. */
  readonly headersTimeoutMs: number
  /** How far a body that is read while it arrives may be behind the least pace. */
  readonly uploadGraceMs: number
  /** Timeout of a connection without a request. */
  readonly keepAliveTimeoutMs: number
}

export const httpConfigDefault: HttpConfig = {
  rateLimits: {
    global: { limit: 100, windowSeconds: 60 },
    auth: { limit: 10, windowSeconds: 60 },
    refresh: { limit: 60, windowSeconds: 60 },
    execution: { limit: 30, windowSeconds: 60 },
  },
  corsOrigins: [],
  trustedProxies: [],
  hsts: false,
  strict: false,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 15_000,
  uploadGraceMs: 10_000,
  keepAliveTimeoutMs: 72_000,
}
