import { findSubjects } from '@millrace/engine/storage'
import type { Config } from '#config/read-config.ts'
import { createConsents } from '#modules/consents/index.ts'
import type { Database } from '#platform/db/database.ts'
import {
  type AuditPort,
  createIdempotencyStore,
  createMemoryRateLimiter,
  createOptimisticRateLimiter,
  createPostgresRateLimiter,
  type Guards,
  type RateLimiter,
} from '#platform/http/index.ts'
import type { Authentication } from './authentication.ts'
import type { Flags } from './flags.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface GuardsDeps {
  readonly database: Database
  readonly authenticate: Authentication['authenticate']
  readonly config: Config
  readonly flags: Flags
  readonly audit: AuditPort
  readonly logger: Logger
  readonly system: System
  /** Whether other processes may serve the same installation; rate limits are then counted in the database. */
  readonly shared: boolean
}

/** Makes the ports that the kernel of the HTTP server calls around every handler. */
export function createGuards(deps: GuardsDeps, running: AsyncDisposableStack): Guards {
  const { database, authenticate, config, flags, audit } = deps
  const consents = createConsents(deps.system)
  return {
    authenticate,
    flagEnabled: (flag) => flags.has(flag),
    flagEnabledFor: flags.hasFor,
    now: () => new Date(deps.system.now()),
    gateOpen: (gate) => config.billing.gates.has(gate),
    hasConsent: async (accountId) => (await consents.crossBorder(database.system, accountId)).state === 'given',
    workflowOfExecution: async (accountId, id) => (await findSubjects(database.system, accountId, [id])).get(id)?.workflowId,
    transaction: (accountId, fn) => database.account(accountId, fn),
    audit,
    idempotency: createIdempotencyStore({ db: database.system, randomBytes: deps.system.randomBytes }),
    rateLimiter: createRateLimiter(deps, running),
  }
}

function createRateLimiter({ database, logger, system: { now }, shared }: GuardsDeps, running: AsyncDisposableStack): RateLimiter {
  if (!shared) return createMemoryRateLimiter({ now })
  const onError = (error: unknown) =>
    logger.warn({ err: error }, 'rate limits are counted in this process only: the database does not answer')
  const limiter = createOptimisticRateLimiter({ shared: createPostgresRateLimiter(database.system), now, onError })
  running.defer(() => limiter.settled())
  return limiter
}
