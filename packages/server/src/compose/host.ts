import type { PasswordCost } from '#platform/auth/password-hasher.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

/** What a server gets from its process beside the configuration. */
export interface Host {
  readonly logger: Logger
  readonly system: System
  /** Checks responses against their schema and faults against the declared errors; for development and tests. */
  readonly strict?: boolean
  /** Cost of hashing passwords; tests use a low one. */
  readonly passwordCost?: PasswordCost
}
