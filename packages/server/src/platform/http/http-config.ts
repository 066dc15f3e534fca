import type { RateLimits } from './rate-limit/rate-limit.ts'

/** What the transport can be told. */
export interface HttpConfig {
  readonly rateLimits: RateLimits
  /** Origins that browsers may call from; none by default. `*` allows all, without credentials. */
  readonly corsOrigins: readonly string[]
  /** Proxies in front whose `X-Forwarded-For` is believed: none, or their addresses and networks. */
  readonly trustedProxies: readonly string[]
  /** Tells browsers to come back by HTTPS only; for installations that are served so. */
  readonly hsts: boolean
  /** In development and tests: replies are held against their schema, and faults against the declared errors. */
  readonly strict: boolean
  /** A request has to have arrived by then, its body included. */
  readonly requestTimeoutMs: number
  /** The head of a request has to have arrived by then. */
  readonly headersTimeoutMs: number
  /** A connection without a request is closed then. */
  readonly keepAliveTimeoutMs: number
}

export const httpConfigDefault: HttpConfig = {
  rateLimits: {
    global: { limit: 100, windowSeconds: 60 },
    auth: { limit: 10, windowSeconds: 60 },
    execution: { limit: 30, windowSeconds: 60 },
  },
  corsOrigins: [],
  trustedProxies: [],
  hsts: false,
  strict: false,
  requestTimeoutMs: 30_000,
  headersTimeoutMs: 15_000,
  keepAliveTimeoutMs: 72_000,
}
