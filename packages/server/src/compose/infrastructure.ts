import { createProcessor, createResourceFetcher, createScriptPool, type Engine, type Processor } from '@millrace/engine'
import type { Retention } from '@millrace/engine/storage'
import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import { catalog } from '#catalog/catalog.ts'
import type { Config } from '#config/read-config.ts'
import { type CompiledDefinitions, createDefinitions, createPinning, type PinResources } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { openDatabase } from '#platform/db/open-database.ts'
import { openRetention } from './open-retention.ts'
import { openOutside, type Outside } from './open-outside.ts'
import { expansions, openModels, type OpenModels } from './open-models.ts'
import { openEnginePool, shareConnections, startQueue } from './connections.ts'
import { httpEnvironment, startEngine, openLifecycleInterest } from './engine.ts'
import { mailConnections } from './mail-connections.ts'
import { type InstallationMail, openMail } from './mail.ts'
import { logMigrations, readMigrations } from './migrations.ts'
import type { Host } from './host.ts'
import { openAccountSecrets, openSecrets, type Secrets } from './secrets.ts'
import type { Shutdown } from './shutdown.ts'

/** The parts that run without requests: the database, the queue, the engine. */
export interface Infrastructure extends Secrets, OpenModels, Outside {
  readonly database: Database
  /** Whether other processes may use the same database. */
  readonly shared: boolean
  readonly enginePool: pg.Pool
  readonly boss: PgBoss
  readonly processor: Processor
  readonly definitions: CompiledDefinitions
  readonly mailer: InstallationMail['mailer']
  readonly mailTrouble: InstallationMail['mailTrouble']
  readonly pinResources: PinResources
  readonly engine: Engine
  readonly retention: Retention
}

/** Size of the cache of compiled definitions, in characters of their text. */
const compiledCharactersMax = 64 * 1024 * 1024

/** @param running collects what has to be stopped, in the order of its start. */
export async function openInfrastructure(
  config: Config,
  host: Host,
  shutdown: Shutdown,
  running: AsyncDisposableStack,
): Promise<Infrastructure> {
  const { logger, system } = host
  // First, since it fails fastest.
  const secretsFile = await openSecrets(config, logger, system, running)
  const shares = shareConnections(config.database.connectionsMax)
  const migrations = await readMigrations()
  const migrated = logMigrations(logger)
  const { database, url, kind, version, close } = await openDatabase({
    url: config.database.url?.reveal(),
    home: config.home,
    migrations,
    connectionsMax: shares.database,
    randomBytes: system.randomBytes,
    onMigrated: migrated.onMigrated,
    onWaiting: (waiting) => logger.warn(waiting, 'waiting for PostgreSQL'),
    onError: (error) => logger.warn({ err: error }, 'idle database connection lost'),
  })
  running.defer(close)
  migrated.logSum()
  logger.debug({ kind, version }, 'connected to PostgreSQL')
  const ofAccounts = await openAccountSecrets(config, { database, fallback: secretsFile }, { logger, system })
  const { secrets } = ofAccounts
  const enginePool = openEnginePool({ url, shares, logger })
  running.defer(() => enginePool.end())
  const boss = await startQueue({ url, shares, logger }, config.roles.has('scheduler'))
  running.defer(() => boss.stop({ graceful: false }))
  const outside = await openOutside(config, { database, sealing: ofAccounts.sealing, logger, system }, running)
  const { http, departures, connectors, policies } = outside
  const opened = openModels(config, { ...outside, ...system, database, sealing: ofAccounts.sealing, logger }, running)
  const processor = createProcessor()
  running.defer(() => processor.close())
  const definitions = createDefinitions({ db: database.system, functions: catalog, processor, charactersMax: compiledCharactersMax })
  const { mailer, mailTrouble } = openMail(config.mail, { database, departures, logger, system })
  running.defer(() => mailer?.close())
  const scripts = createScriptPool()
  running.defer(() => scripts.close())
  const fetchResource = createResourceFetcher({ http, ...httpEnvironment(system) })
  const pinResources = createPinning({
    fetchResource,
    processor,
    functions: catalog,
    findFunctions: connectors.source.manifests,
    expansions,
    readSecrets: secrets.read,
  })
  const lifecycle = await openLifecycleInterest(database, logger)
  running.defer(() => lifecycle.stop())
  const parts = {
    attemptLogs: outside.attemptLogs,
    functions: opened.functions,
    connectors: connectors.functions,
    pool: enginePool,
    db: database.system,
    boss,
    definitions,
    processor,
    http,
    httpOf: outside.httpOf,
    scripts,
    secrets,
    mailer,
    policies,
    useMailConnection: mailConnections({ connections: outside.connections, departures, now: system.now }),
    lifecycle,
    logger,
    system,
  }
  const engine = await startEngine(parts, config.engine, config.roles)
  await engine.work()
  running.defer(() => engine.close(shutdown.deadlineMs()))
  const retention = await openRetention(config, { db: database.system, logger, now: system.now })
  return {
    database,
    shared: kind === 'external',
    enginePool,
    boss,
    processor,
    definitions,
    ...ofAccounts,
    mailer,
    mailTrouble,
    pinResources,
    engine,
    ...outside,
    ...opened,
    retention,
  }
}
