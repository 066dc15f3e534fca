import type { PasswordCost } from '#platform/auth/password-hasher.ts'
import type { Database } from '#platform/db/database.ts'
import type { Logger } from './logger.ts'
import { createOutageLog, pingOf } from './outage-log.ts'
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

/** The host with a logger that reports an outage of the database once, from `watch` until `stop`. */
export function watchOutages(given: Host) {
  const outages = createOutageLog(given.logger, given.system.now)
  const host: Host = { ...given, logger: outages.logger }
  return { host, watch: (database: Database) => outages.watch(pingOf(database)), isOut: outages.isOut, stop: () => outages.stop() }
}
