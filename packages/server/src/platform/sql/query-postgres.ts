import pg from 'pg'
import { DatabaseClient } from '#platform/db/database-client.ts'
import { errorCode } from '#platform/error-code.ts'
import { collectRows } from './collect-rows.ts'
import { connectTimeoutMs, SqlError, type SqlQuery, type SqlResult, type SqlRunner, type SqlServer } from './sql-query.ts'

/** Dates and times without zone stay the text that PostgreSQL writes: a Date would move them to the zone of this process. */
const asText: ReadonlySet<number> = new Set([1082, 1114])
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    asText.has(oid) ? (text: string) => text : pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
}

/** Runs one statement on a connection of its own. Throws SqlError, or the signal's reason. */
export const queryPostgres: SqlRunner = async (server, query, signal) => {
  signal.throwIfAborted()
  const client = new DatabaseClient(settingsOf(server, query))
  const stop = (): void => void client.end().catch(() => undefined)
  signal.addEventListener('abort', stop)
  let isLate = false
  // For a server that does not obey its own limit.
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, connectTimeoutMs + query.timeoutMs)
  try {
    await client.connect()
    return await run(client, query)
  } catch (error) {
    signal.throwIfAborted()
    throw isLate ? new SqlError('timeout', 'The statement took too long.', { cause: error }) : sqlError(error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function settingsOf(
  { host, address, port = 5432, database, username, password, tls }: SqlServer,
  { timeoutMs }: SqlQuery,
): pg.ClientConfig {
  return {
    host: address,
    port,
    database,
    user: username,
    password: password ?? '',
    ssl: tls === 'verify' ? { servername: host, rejectUnauthorized: true } : false,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: timeoutMs,
    application_name: 'millrace workflow',
    types,
  }
}

function run(client: pg.Client, query: SqlQuery): Promise<SqlResult> {
  const { rows, add } = collectRows(query)
  return new Promise((resolve, reject) => {
    // Always the extended protocol, which takes one statement alone.
    const config = { text: query.text, values: query.values.map(parameter), queryMode: 'extended' }
    const submitted = client.query(new pg.Query(config))
    let isRefused = false
    submitted.on('row', (row) => {
      // Rows that are on their way already still arrive.
      if (isRefused) return
      try {
        add(row)
      } catch (error) {
        isRefused = true
        reject(error)
      }
    })
    submitted.on('end', ({ rowCount }) => resolve({ rows, rowCount: rowCount ?? rows.length }))
    submitted.on('error', reject)
  })
}

/** Objects and lists as JSON; pg would write a list as an array of PostgreSQL. */
function parameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

function sqlError(error: unknown): unknown {
  if (error instanceof SqlError || !(error instanceof Error)) return error
  const code = errorCode(error) ?? ''
  if (code === '57014') return new SqlError('timeout', 'The statement took too long.', { cause: error })
  if (code.startsWith('28') || code === '3D000') return new SqlError('denied', error.message, { cause: error })
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('08')) return new SqlError('refused', `${error.message} (${code})`, { cause: error })
  return new SqlError('unreachable', `The database cannot be used: ${error.message}`, { cause: error })
}
