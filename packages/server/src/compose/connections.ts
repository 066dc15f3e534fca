import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { databaseDefaults } from '#platform/db/database.ts'
import { pooledClient } from '#platform/db/database-client.ts'
import { typeParsers } from '#platform/db/parsers.ts'
import { commonSettings, withSettings } from '#platform/db/session-settings.ts'
import { keepAlive, watchedSocket } from '#platform/db/watched-socket.ts'
import type { Logger } from './logger.ts'

/** The numbers of connections that the parts of a process may open. */
export interface ConnectionShares {
  /** For requests, sign-in and reading. */
  readonly database: number
  /** Few suffice, since the engine batches its writes. */
  readonly engine: number
  readonly queue: number
}

export function shareConnections(connectionsMax: number): ConnectionShares {
  const queue = Math.max(1, Math.floor(connectionsMax / 16))
  const engine = Math.max(1, Math.floor(connectionsMax / 4) - queue)
  return { queue, engine, database: Math.max(2, connectionsMax - engine - queue) }
}

export interface ConnectionDeps {
  readonly url: string
  readonly shares: ConnectionShares
  readonly logger: Logger
}

/**
 * PostgreSQL ends a transaction that is idle for so long, which releases the locks of a stalled process. It equals the time after which
 * other processes claim the executions of that process and need those locks.
 */
const STALL_MS = 10_000
/** Longer than any statement of the engine, including its wait for locks. */
const SILENCE_MS = 30_000

/** The engine's own connections: it needs prepared statements, which Kysely lacks, and no long query may delay its writes. */
export function openEnginePool({ url, shares, logger }: ConnectionDeps): pg.Pool {
  const pool = new pg.Pool({
    ...withSettings(url, commonSettings),
    max: shares.engine,
    connectionTimeoutMillis: databaseDefaults.acquireTimeoutMs,
    idleTimeoutMillis: 2 * STALL_MS,
    idle_in_transaction_session_timeout: STALL_MS,
    application_name: 'millrace engine',
    ...keepAlive,
    ...pooledClient,
    stream: watchedSocket(SILENCE_MS),
    types: typeParsers,
  })
  pool.on('error', (error) => {
    // Connections may break in any way while the pool closes.
    if (!pool.ending) logger.warn({ err: error }, 'idle database connection of the engine lost')
  })
  return pool
}

/**
 * Starts pg-boss, which migrates its own schema.
 * @param runsMaintenance whether this process deletes ended jobs, retries lost ones and evaluates schedules; one process suffices.
 */
export async function startQueue({ url, shares, logger }: ConnectionDeps, runsMaintenance: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    ...withSettings(url, commonSettings),
    schema: 'pgboss',
    application_name: 'millrace queue',
    max: shares.queue,
    ...keepAlive,
    ...pooledClient,
    supervise: runsMaintenance,
    schedule: runsMaintenance,
    // Warnings go to the log; a table of them would have to be maintained, too.
    persistWarnings: false,
  })
  boss.on('error', (error) => logger.warn({ err: error }, 'job queue error'))
  boss.on('warning', (warning) => logger.debug({ warning }, 'job queue warning'))
  await boss.start()
  return boss
}
