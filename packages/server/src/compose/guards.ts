import type { Database } from '#platform/db/database.ts'
import {
  createAheadRateLimiter,
  type AuditPort,
  createIdempotencyStore,
  createMemoryRateLimiter,
  createPostgresRateLimiter,
  type Guards,
} from '#platform/http/index.ts'
import type { Authentication } from './authentication.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface GuardsDeps {
  readonly database: Database
  readonly authenticate: Authentication['authenticate']
  readonly flags: ReadonlySet<string>
  readonly audit: AuditPort
  readonly logger: Logger
  readonly system: System
  /** Whether other processes may serve the same installation, so that requests have to be counted together. */
  readonly shared: boolean
}

/** Fills the ports that stand between the transport and the handlers. */
export function createGuards({ database, authenticate, flags, audit, logger, system, shared }: GuardsDeps): Guards {
  const local = createMemoryRateLimiter({ now: system.now })
  const onError = (error: unknown) => logger.warn({ err: error }, 'requests are counted by this process alone')
  return {
    authenticate,
    flagEnabled: (flag) => flags.has(flag),
    transaction: (accountId, fn) => database.account(accountId, fn),
    audit,
    idempotency: createIdempotencyStore({ db: database.system, randomBytes: system.randomBytes }),
    rateLimiter: shared
      ? createAheadRateLimiter({ shared: createPostgresRateLimiter({ db: database.system, fallback: local, onError }), now: system.now })
      : local,
  }
}
