import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { createAccountDialect } from './account-dialect.ts'
import { pooledClient } from './database-client.ts'
import { typeParsers } from './parsers.ts'
import type { Prepared } from './prepared.ts'
import type { Rows } from './rows.ts'
import { commonSettings, withSettings } from './session-settings.ts'
import { keepAlive, watchedSocket } from './watched-socket.ts'

export interface DatabaseConfig {
  readonly url: string
  /** Connections of the system pool, for the engine, migrations and sign-in. */
  readonly systemConnectionsMax: number
  /** Connections of the account pool, for requests. */
  readonly accountConnectionsMax: number
  /** How long a caller waits for a free connection. */
  readonly acquireTimeoutMs: number
  /** How long one statement of a request may run. */
  readonly statementTimeoutMs: number
  /** How long a transaction may be idle. */
  readonly idleInTransactionTimeoutMs: number
  /** Called when an idle connection breaks; the pool replaces it. */
  readonly onError?: (error: Error) => void
}

/** The current connections of one pool. */
export interface PoolStats {
  readonly max: number
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

/** An open transaction. */
export type Tx = Transaction<Rows>

/** The two connection pools of PostgreSQL. */
export interface Database {
  /** The owner's connections: they see the rows of every account. For the engine, sign-in and migrations. */
  readonly system: Kysely<Rows>
  /** The same connections, for frequent look-ups by prepared statements. */
  readonly prepared: Prepared
  /** Runs `fn` in a transaction that reads and writes only the rows of one account: row-level security applies even where a condition is missing. */
  account<T>(accountId: string, fn: (tx: Tx) => Promise<T>): Promise<T>
  stats(): { readonly system: PoolStats; readonly account: PoolStats }
  /** Waits for running queries and closes all connections. */
  close(): Promise<void>
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Defaults fit one process on a small machine; an installation of several processes divides `max_connections` among them. */
export const databaseDefaults = {
  systemConnectionsMax: 16,
  accountConnectionsMax: 16,
  acquireTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  idleInTransactionTimeoutMs: 60_000,
} as const satisfies Omit<DatabaseConfig, 'url'>

/** Makes the two pools. Connects on first use, not here. */
export function createDatabase(config: DatabaseConfig): Database {
  const systemPool = createPool(config, config.systemConnectionsMax, withSettings(config.url, commonSettings))
  const accountPool = createPool(config, config.accountConnectionsMax, {
    // Set when the connection starts, so that it never has another role.
    ...withSettings(config.url, { ...commonSettings, role: 'millrace_account' }),
    statement_timeout: config.statementTimeoutMs,
    // The statement timeout of the server is shorter.
    idleTimeoutMillis: config.statementTimeoutMs,
    stream: watchedSocket(config.statementTimeoutMs + 15_000),
  })
  const system = new Kysely<Rows>({ dialect: new PostgresDialect({ pool: systemPool }) })
  const { dialect, within } = createAccountDialect(accountPool)
  const account = new Kysely<Rows>({ dialect })
  let closing: Promise<void> | undefined
  return {
    system,
    prepared: systemPool,
    async account(accountId, fn) {
      if (!uuid.test(accountId)) throw new Error(`account() needs a UUID, not ${JSON.stringify(accountId)}`)
      return await within(accountId, async () => await account.transaction().execute(fn))
    },
    stats: () => ({ system: statsOf(systemPool), account: statsOf(accountPool) }),
    close: () => (closing ??= close([system, account], [systemPool, accountPool])),
  }
}

function createPool(config: DatabaseConfig, max: number, settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    max,
    connectionTimeoutMillis: config.acquireTimeoutMs,
    idle_in_transaction_session_timeout: config.idleInTransactionTimeoutMs,
    idleTimeoutMillis: 60_000,
    application_name: 'millrace',
    ...keepAlive,
    ...pooledClient,
    types: typeParsers,
    ...settings,
  })
  // A pool forgets its connections before they are closed: at the end the built-in PostgreSQL may close them first.
  pool.on('error', (error) => {
    if (!pool.ending) config.onError?.(error)
  })
  return pool
}

async function close(databases: readonly Kysely<Rows>[], pools: readonly pg.Pool[]): Promise<void> {
  await Promise.all(databases.map((database) => database.destroy()))
  // Kysely ends a pool only if it has connected through it.
  await Promise.all(pools.filter((pool) => !pool.ending).map((pool) => pool.end()))
}

function statsOf(pool: pg.Pool): PoolStats {
  return { max: pool.options.max ?? 0, open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
}
