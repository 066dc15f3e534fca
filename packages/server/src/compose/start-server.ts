import type { Config } from '#config/read-config.ts'
import { loadSecretKey } from '#config/secret-key.ts'
import { createAuditLog } from '#modules/audit/index.ts'
import { servedJwks } from '#platform/auth/serve-jwks.ts'
import { composeApprovals } from './approvals.ts'
import { createAuthentication } from './authentication.ts'
import { composeAccountDeletion } from './accounts.ts'
import { composeEvents } from './events.ts'
import { openInfrastructure } from './infrastructure.ts'
import { createGuards } from './guards.ts'
import { startHttp } from './http.ts'
import { startMaintenance } from './maintenance.ts'
import { serveHealth, serveModules } from './modules.ts'
import type { Host } from './host.ts'
import { createShutdown } from './shutdown.ts'
import { watchHealth } from './health.ts'

/** A server that runs. */
export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string
  /** The one-time code that makes the first user the operator; undefined when the installation has one. */
  readonly operatorCode: string | undefined
  /**
   * Stops within the configured time: accepts nothing more, finishes or parks running executions, closes everything. Rejects if that takes
   * longer, for example without a database; the process can then be ended, and other processes claim its executions.
   */
  close(): Promise<void>
}

/** Starts all parts for the configured roles, and resolves when it serves requests. If a part fails, those that were started are stopped. */
export async function startServer(config: Config, host: Host): Promise<RunningServer> {
  await using starting = new AsyncDisposableStack()
  const { logger, system } = host
  const shutdown = createShutdown(config.shutdownMs, system)
  for (const warning of config.warnings) logger.warn(warning)
  const infrastructure = await openInfrastructure(config, host, shutdown, starting)
  const { database, shared } = infrastructure

  const audit = createAuditLog({ db: database.system, now: system.now, newId: system.newId })
  const secretKey = config.secretKey ?? (await loadSecretKey({ home: config.home, randomBytes: system.randomBytes }))
  const issuer = config.http.publicUrl ?? 'millrace'
  const accounts = composeAccountDeletion({ ...infrastructure, system })
  const authentication = createAuthentication({
    ...host,
    database,
    audit,
    issuer,
    clearAccount: accounts.stop,
    secretKey: secretKey.reveal(),
  })
  starting.defer(() => authentication.flush())
  const health = await watchHealth(config, host, infrastructure, starting)
  const { authenticate } = authentication
  const guards = createGuards({ ...host, database, authenticate, audit, shared, flags: config.flags ?? new Set() }, starting)
  const { closing } = shutdown
  const events = composeEvents({ ...infrastructure, secretKey: secretKey.reveal(), logger, system, closing })
  const approvals = composeApprovals({ ...infrastructure, secretKey: secretKey.reveal(), address: config.http, logger, system })
  if (config.roles.has('scheduler')) {
    approvals.processor.start()
    starting.defer(() => approvals.processor.stop())
  }
  if (config.roles.has('worker')) {
    events.dispatcher.start()
    starting.defer(() => events.dispatcher.stop(shutdown.cutOffMs()))
  }
  // A process without the role api serves its health alone.
  const groups = config.roles.has('api')
    ? {
        ...serveModules({ ...infrastructure, authentication, health, serveEvents: events.serve, system, closing }),
        ...approvals.groups,
        jwks: servedJwks(authentication.keys),
      }
    : serveHealth(health)
  const url = await startHttp(config.http, { guards, groups }, host, shutdown, starting)
  if (config.roles.has('scheduler') || config.roles.has('worker')) {
    const maintenance = startMaintenance({ ...infrastructure, accounts, logger, system }, config.roles)
    starting.defer(() => maintenance.stop())
  }
  const operatorCode = config.roles.has('api') ? await authentication.issueOperatorCode() : undefined

  const running = starting.move()
  let closed: Promise<void> | undefined
  const close = () => {
    shutdown.begin()
    return shutdown.bound(running.disposeAsync())
  }
  return { url, operatorCode, close: () => (closed ??= close()) }
}
