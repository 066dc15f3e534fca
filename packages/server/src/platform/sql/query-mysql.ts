import { connect } from 'node:net'
import type { Connection, ConnectionOptions } from 'mysql2'
import { errorCode } from '#platform/error-code.ts'
import { collectRows } from './collect-rows.ts'
import { connectTimeoutMs, SqlError, type SqlQuery, type SqlResult, type SqlRunner, type SqlServer } from './sql-query.ts'

/** Runs one statement on a connection of its own. Throws SqlError, or the signal's reason. */
export const queryMysql: SqlRunner = async (server, query, signal) => {
  signal.throwIfAborted()
  // Loaded when it is needed: most installations call no MySQL.
  const { createConnection } = await import('mysql2')
  const socket = connect({ host: server.address, port: server.port ?? 3306 })
  const connection = createConnection({ ...settingsOf(server), stream: socket })
  connection.on('error', () => undefined)
  const ended = Promise.withResolvers<never>()
  const late = (): void => ended.reject(new SqlError('timeout', 'The statement took too long.'))
  const abort = (): void => ended.reject(signal.reason)
  // For a server that does not obey its own limit.
  const timer = setTimeout(late, query.timeoutMs + connectTimeoutMs)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([limited(connection, query), stopped(connection), ended.promise])
  } catch (error) {
    signal.throwIfAborted()
    throw sqlError(error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // mysql2 only ends its side of the socket, and would wait for what the server still does.
    connection.destroy()
    socket.destroy()
  }
}

/** The variables of MySQL and MariaDB that bound a statement; MySQL applies its own to queries alone. */
const limits = [
  (timeoutMs: number) => `set session max_execution_time = ${timeoutMs}`,
  (timeoutMs: number) => `set session max_statement_time = ${timeoutMs / 1_000}`,
]
const unknownVariable = 1193
const tooLate: ReadonlySet<unknown> = new Set([1969, 3024])

async function limited(connection: Connection, query: SqlQuery): Promise<SqlResult> {
  for (const limit of limits) {
    const error = await new Promise<Error | null>((done) => void connection.query(limit(query.timeoutMs), (failed) => done(failed)))
    if (error === null) break
    if (numberOf(error) !== unknownVariable) throw error
  }
  return run(connection, query)
}

function numberOf(error: Error): unknown {
  return Reflect.get(error, 'errno')
}

function settingsOf({ host, database, username, password, tls }: SqlServer): ConnectionOptions {
  return {
    // The name is for the certificate; the socket goes to the address that was checked.
    host,
    database,
    user: username,
    password: password ?? '',
    ...(tls === 'verify' ? { ssl: { rejectUnauthorized: true, verifyIdentity: true } } : {}),
    connectTimeout: connectTimeoutMs,
    // A hostile server cannot ask for files of this one.
    flags: ['-LOCAL_FILES'],
    dateStrings: true,
    supportBigNumbers: true,
  }
}

function run(connection: Connection, query: SqlQuery): Promise<SqlResult> {
  const { rows, add } = collectRows(query)
  return new Promise((resolve, reject) => {
    let changed = 0
    const values = query.values.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value))
    const command = connection.execute({ sql: query.text, values })
    command.on('result', (row: object) => {
      if ('affectedRows' in row && 'insertId' in row && 'serverStatus' in row) {
        changed = Number(row.affectedRows)
        return
      }
      try {
        add(row)
      } catch (error) {
        reject(error)
      }
    })
    command.on('error', reject)
    command.on('end', () => resolve({ rows, rowCount: rows.length > 0 ? rows.length : changed }))
  })
}

/** Rejects when the connection ends, which leaves a waiting command without an end of its own. */
function stopped(connection: Connection): Promise<never> {
  return new Promise((_, reject) => {
    connection.on('end', () => reject(new Error('the connection ended')))
    connection.on('error', reject)
  })
}

function sqlError(error: unknown): unknown {
  if (error instanceof SqlError || !(error instanceof Error)) return error
  const code = errorCode(error) ?? ''
  if (tooLate.has(numberOf(error))) return new SqlError('timeout', 'The statement took too long.', { cause: error })
  if (/^ER_(?:ACCESS_DENIED|DBACCESS_DENIED|BAD_DB)/.test(code)) return new SqlError('denied', error.message, { cause: error })
  if (code.startsWith('ER_') || typeof Reflect.get(error, 'sqlState') === 'string')
    return new SqlError('refused', `${error.message} (${code})`, { cause: error })
  return new SqlError('unreachable', `The database cannot be used: ${error.message}`, { cause: error })
}
