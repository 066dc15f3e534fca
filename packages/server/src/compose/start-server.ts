import type { Config } from '#config/read-config.ts'
import { createAuditLog } from '#modules/audit/index.ts'
import { createStreamTurns } from '#modules/executions/index.ts'
import { servedJwks } from '#platform/auth/serve-jwks.ts'
import { createEventStreams, eventStreamLimitsDefault, type ServedGroup } from '#platform/http/index.ts'
import { createAuthentication } from './authentication.ts'
import { composeAccountDeletion, composeAccountRestoration } from './accounts.ts'
import { assertDefaultPlan } from './billing.ts'
import { composeSharedParts } from './shared-parts.ts'
import type { Feature } from './feature.ts'
import { composeFeatures } from './features.ts'
import { openInfrastructure } from './infrastructure.ts'
import { openFlags } from './flags.ts'
import { createGuards } from './guards.ts'
import { reservePort, startHttp } from './http.ts'
import { startMaintenance } from './maintenance.ts'
import { serveHealth } from './workflows.ts'
import { type Host, watchOutages } from './host.ts'
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
export async function startServer(configured: Config, given: Host): Promise<RunningServer> {
  await using starting = new AsyncDisposableStack()
  const reserved = await reservePort(configured.http, starting)
  const config = { ...configured, http: { ...configured.http, port: reserved.port } }
  const { host, watch, isOut, stop } = watchOutages(given)
  const { logger, system } = host
  const shutdown = createShutdown(config.shutdownMs, system)
  for (const warning of config.warnings) logger.warn(warning)
  const infrastructure = await openInfrastructure(config, host, shutdown, starting)
  const { database, secretKey } = infrastructure
  await assertDefaultPlan(database.system, config.billing.defaultPlan)
  watch(database)
  starting.defer(stop)

  const audit = createAuditLog({ db: database.system, now: system.now, newId: system.newId, randomBytes: system.randomBytes })
  const flags = await openFlags(config, host, starting)
  const issuer = config.http.publicUrl ?? 'millrace'
  const features: Feature[] = []
  const purge: NonNullable<Feature['purge']> = async (tx, accountId) => {
    for (const feature of features) await feature.purge?.(tx, accountId)
  }
  const commons = composeSharedParts({ ...infrastructure, config, logger, system })
  const accounts = composeAccountDeletion({ ...infrastructure, ...commons, config, system, logger, purge })
  const authentication = createAuthentication({
    ...host,
    database,
    audit,
    issuer,
    config,
    flags,
    mail: commons.mail,
    http: infrastructure.http,
    clearAccount: accounts.stop,
    findDeleted: accounts.findCredential,
    secretKey,
  })
  starting.defer(() => authentication.flush())
  const health = await watchHealth(config, host, { ...infrastructure, isOut }, starting)
  const { authenticate } = authentication
  const guards = createGuards({ ...host, database, authenticate, audit, shared: infrastructure.shared, config, flags }, starting)
  const { closing, cutOffMs } = shutdown
  const parts = {
    ...infrastructure,
    config,
    flags,
    ...commons,
    audit,
    authentication,
    health,
    logger,
    system,
    closing,
    eventStreams: createEventStreams({
      closing,
      limits: eventStreamLimitsDefault,
      turns: createStreamTurns(() => performance.now()),
      logError: (err, message) => logger.error({ err }, message),
    }),
    cutOffMs,
  }
  features.push(commons.feature, composeAccountRestoration(accounts), ...composeFeatures(parts))
  startLoops(features, config, starting)
  // A process without the role api serves its health alone.
  const groups = config.roles.has('api') ? { ...groupsOf(features), jwks: servedJwks(authentication.keys) } : serveHealth(health)
  const forPeople = config.roles.has('api')
  const url = await startHttp(config.http, { guards, groups, health, forPeople, reserved }, host, shutdown, starting)
  if (config.roles.has('scheduler') || config.roles.has('worker')) {
    const maintenance = startMaintenance({ ...infrastructure, accounts, logger, system, ...backgroundOf(features) }, config.roles)
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

function groupsOf(features: readonly Feature[]): Readonly<Record<string, ServedGroup>> {
  return Object.assign({}, ...features.map(({ groups = {} }) => groups))
}

function backgroundOf(features: readonly Feature[]) {
  return {
    more: features.flatMap(({ maintenance = [] }) => maintenance),
    handlers: features.flatMap(({ jobs = [] }) => jobs),
  }
}

/** Starts the loops of the roles of this process; they stop in reverse order. */
function startLoops(features: readonly Feature[], { roles }: Config, running: AsyncDisposableStack): void {
  for (const loop of features.flatMap(({ loops = [] }) => loops).filter(({ role }) => roles.has(role))) {
    loop.start()
    running.defer(async () => void (await loop.stop()))
  }
}
