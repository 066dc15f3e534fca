import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { databaseDefaults } from '#platform/db/database.ts'
import { pooledClient } from '#platform/db/database-client.ts'
import { typeParsers } from '#platform/db/parsers.ts'
import { keepAlive, watchedSocket } from '#platform/db/watched-socket.ts'
import type { Logger } from './logger.ts'

/** How the connections that an installation may open are shared out. */
export interface ConnectionShares {
  /** Requests, sign-in and reading. */
  readonly database: number
  /** The engine needs few, since its writes go out together. */
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
 * What a process that cannot be reached any more holds is let go after so long: as long as it may be silent before others take over what it
 * ran, which waits for its locks.
 */
const STALL_MS = 10_000
/** Longer than any statement of the engine takes, the time included that it waits for others. */
const SILENCE_MS = 30_000

/** The engine's own connections: prepared statements, which Kysely has not, and nobody else's long queries in front of its writes. */
export function openEnginePool({ url, shares, logger }: ConnectionDeps): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
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
    // While the pool closes, connections may end in any way.
    if (!pool.ending) logger.warn({ err: error }, 'an idle connection of the engine broke')
  })
  return pool
}

/**
 * The queue, started; it brings its own schema up to date by itself.
 * @param runsMaintenance whether this process looks after what jobs leave behind; one process of an installation suffices.
 */
export async function startQueue({ url, shares, logger }: ConnectionDeps, runsMaintenance: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: url,
    schema: 'pgboss',
    application_name: 'millrace queue',
    max: shares.queue,
    ...keepAlive,
    ...pooledClient,
    supervise: runsMaintenance,
    schedule: runsMaintenance,
    // Warnings are for the log; kept in a table they would have to be looked after, too.
    persistWarnings: false,
  })
  boss.on('error', (error) => logger.warn({ err: error }, 'the queue had an error'))
  boss.on('warning', (warning) => logger.debug({ warning }, 'the queue warns'))
  await boss.start()
  return boss
}
