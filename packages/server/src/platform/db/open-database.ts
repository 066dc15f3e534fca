import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createDatabase, type Database, databaseDefaults } from './database.ts'
import { DatabaseClient } from './database-client.ts'
import { errorCode } from '#platform/error-code.ts'
import { startEmbedded } from './embedded/start-embedded.ts'
import { migrate } from './migrate.ts'
import type { Migration } from './migration-files.ts'

export interface OpenDatabaseOptions {
  /** A PostgreSQL 16 or newer; `undefined` starts the built-in one under `home`. */
  readonly url: string | undefined
  /** MILLRACE_HOME, absolute. */
  readonly home: string
  readonly migrations: readonly Migration[]
  /** Connections of both pools together. */
  readonly connectionsMax: number
  readonly randomBytes: (size: number) => Uint8Array
  /** How long to wait for a PostgreSQL that is not reachable yet, for example when both start together. Default 30 s. */
  readonly connectTimeoutMs?: number
  readonly onMigrated?: (migration: Migration, durationMs: number) => void
  /** Called once when PostgreSQL is not reachable yet. */
  readonly onWaiting?: (waiting: { readonly host: string; readonly seconds: number; readonly reason: string }) => void
  /** Called when an idle connection breaks. */
  readonly onError?: (error: Error) => void
}

/** The database of an installation, with a supported version and all migrations applied. */
export interface OpenDatabase {
  readonly database: Database
  /** The connection string, for parts with connections of their own. Contains the password. */
  readonly url: string
  readonly kind: 'embedded' | 'external'
  /** The version of the server, for example `18.4`. */
  readonly version: string
  /** Closes the pools and stops the built-in PostgreSQL. */
  close(): Promise<void>
}

const versionNumberMin = 160_000

/** Starts or connects to PostgreSQL, checks its version and applies all pending migrations. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const embedded = options.url === undefined ? await startEmbedded(options) : undefined
  const url = embedded?.url ?? options.url ?? ''
  try {
    const version = await waitForServer(url, options.connectTimeoutMs ?? 30_000, options.onWaiting)
    await migrate({ url, migrations: options.migrations, ...(options.onMigrated && { onApplied: options.onMigrated }) })
    const half = Math.max(1, Math.floor(options.connectionsMax / 2))
    const database = createDatabase({
      ...databaseDefaults,
      url,
      systemConnectionsMax: half,
      accountConnectionsMax: half,
      ...(options.onError && { onError: options.onError }),
    })
    const close = async () => {
      await database.close()
      await embedded?.stop()
    }
    return { database, url, version, kind: embedded === undefined ? 'external' : 'embedded', close }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** Waits until the server accepts connections, and returns its version. Errors that waiting cannot resolve (password, database name, version) are thrown at once. */
export async function waitForServer(url: string, timeoutMs: number, onWaiting?: OpenDatabaseOptions['onWaiting']): Promise<string> {
  const since = performance.now()
  let reported = false
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    try {
      return await readVersion(url)
    } catch (cause) {
      if (!isPassing(cause)) throw new Error(`PostgreSQL refuses the connection: ${messageOf(cause)}. Check DATABASE_URL.`, { cause })
      const limitMs = isUnknownHost(cause) ? Math.min(unknownHostMs, timeoutMs) : timeoutMs
      if (performance.now() + pauseMs > since + limitMs) {
        throw new Error(
          `PostgreSQL did not answer within ${limitMs / 1000} s: ${messageOf(cause)}. Is it running, and DATABASE_URL right?`,
          { cause },
        )
      }
      if (!reported) onWaiting?.({ host: hostOf(url), seconds: limitMs / 1000, reason: messageOf(cause) })
      reported = true
    }
    await delay(pauseMs)
  }
}

/** A name that does not exist is rarely one that will exist in a moment; in a cluster that starts, it is. */
const unknownHostMs = 5_000

function isUnknownHost(error: unknown): boolean {
  return errorCode(error) === 'ENOTFOUND'
}

/** Where a connection string leads, without its password. */
function hostOf(url: string): string {
  const { host, searchParams } = new URL(url)
  return host === '' ? (searchParams.get('host') ?? 'localhost') : host
}

class UnsupportedVersion extends Error {}

async function readVersion(url: string): Promise<string> {
  const client = new DatabaseClient({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'millrace start' })
  try {
    await client.connect()
    const result = await client.query<{ readonly number: string; readonly version: string }>(
      `select current_setting('server_version_num') as number, split_part(current_setting('server_version'), ' ', 1) as version`,
    )
    const { number = '0', version = 'unknown' } = result.rows[0] ?? {}
    if (Number(number) < versionNumberMin) {
      throw new UnsupportedVersion(
        `it is version ${version}, and Millrace needs 16 or newer. Upgrade it, or unset DATABASE_URL to use the built-in one`,
      )
    }
    return version
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Codes of PostgreSQL: 08… connection, 53300 too many connections, 57P03 starting up or shutting down. */
function isPassing(error: unknown): boolean {
  if (error instanceof UnsupportedVersion) return false
  if (error instanceof pg.DatabaseError) return error.code === '57P03' || error.code === '53300' || error.code?.startsWith('08') === true
  // Not from the server: the port is not open yet, or the name does not resolve yet.
  return true
}

function messageOf(error: unknown): string {
  // A host with several addresses fails with one error for each.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
