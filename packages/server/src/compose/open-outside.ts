import type { Config } from '#config/read-config.ts'
import type { Database } from '#platform/db/database.ts'
import { saveAttemptLogs } from '#modules/executions/index.ts'
import { createPolicyGuard, type PolicyGuard } from '#modules/privacy/index.ts'
import { createGuardedFetch, type GuardedFetch } from '#platform/net/guarded-fetch.ts'
import type { UnreachableName } from '#platform/net/guarded-lookup.ts'
import { createWebFetch, type WebFetch } from '#platform/net/web-fetch.ts'
import type { Sealing } from '#platform/sealing/sealing.ts'
import { type Departures, departingFetch, departingTexts, openDepartures } from './departures.ts'
import { type AttemptLogs, createAttemptLogs } from './attempt-logs.ts'
import type { Logger } from './logger.ts'
import { openConnections, type OpenConnections } from './open-connections.ts'
import { openConnectors, type OpenConnectors } from './open-connectors.ts'
import { openPieces } from './open-pieces.ts'
import type { System } from './system.ts'

/** How the installation reaches services of the outside world. */
export interface Outside {
  readonly http: GuardedFetch
  /** For models whose addresses accounts choose. */
  readonly accountWeb: WebFetch
  readonly departures: Departures
  /** Applies the privacy policies to executions. */
  readonly policies: PolicyGuard
  readonly attemptLogs: AttemptLogs
  /** The requests of one execution. */
  readonly httpOf: ReturnType<typeof departingFetch>
  readonly connections: OpenConnections
  readonly connectors: OpenConnectors
}

export interface OutsideDeps {
  readonly database: Database
  readonly sealing: Sealing
  readonly logger: Logger
  readonly system: System
}

const modelResponseBytesMax = 64 * 1024 * 1024

/** @param running collects what has to be stopped. */
export async function openOutside(
  config: Pick<Config, 'privateNetwork' | 'region' | 'hostRegions' | 'pieces'>,
  { database, sealing, logger, system }: OutsideDeps,
  running: AsyncDisposableStack,
): Promise<Outside> {
  const guard = { allow: config.privateNetwork, onUnreachable: logUnreachable(logger) }
  const http = createGuardedFetch(guard)
  running.defer(() => http.close())
  const accountWeb = createWebFetch({ ...guard, responseBytesMax: modelResponseBytesMax })
  running.defer(() => accountWeb.close())
  const departures = openDepartures(config, { database, system })
  const policies = createPolicyGuard({
    db: database.system,
    now: system.now,
    newId: system.newId,
    onError: (error) => logger.warn({ err: error }, 'decision about personal data not logged'),
  })
  const attemptLogs = createAttemptLogs({
    policies,
    save: (logs) => saveAttemptLogs(database.system, logs),
    now: system.now,
    onError: (error) => logger.warn({ err: error }, 'logs of attempts not saved'),
  })
  running.defer(() => attemptLogs.flush())
  const httpOf = departingFetch(http, departures)
  const connections = openConnections({ database, http, httpOf, sealing, ...guard, system })
  const admitTexts = departingTexts(departures)
  const pieces = await openPieces(config.pieces, logger)
  const connectors = openConnectors({ database, connections, http, httpOf, admitTexts, pieces, system })
  return { http, accountWeb, departures, policies, attemptLogs, httpOf, connections, connectors }
}

/** Authors of workflows do not learn why a name was refused; the operator does. */
function logUnreachable(logger: Logger) {
  return ({ hostname, addresses, error }: UnreachableName) =>
    logger.info({ hostname, addresses, err: error }, addresses.length === 0 ? 'host name not resolved' : 'host name refused')
}
