import type { PasswordCost } from '#platform/auth/password-hasher.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

/** What a server is given beside its configuration. */
export interface Host {
  readonly logger: Logger
  readonly system: System
  /** Holds replies against their schema and faults against the declared errors; for development and tests. */
  readonly strict?: boolean
  /** Of hashing passwords; tests take a cheap one. */
  readonly passwordCost?: PasswordCost
}
