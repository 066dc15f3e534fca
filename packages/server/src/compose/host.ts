import type { PasswordCost } from '#platform/auth/password-hasher.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

/** The parameters of a server that come from its process and not from the configuration. */
export interface Host {
  readonly logger: Logger
  readonly system: System
  /** Checks responses against their schema and faults against the declared errors; for development and tests. */
  readonly strict?: boolean
  /** Cost of hashing passwords; tests use a low one. */
  readonly passwordCost?: PasswordCost
}
