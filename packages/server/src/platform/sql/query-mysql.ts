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
  const connection = createConnection(settingsOf(server))
  connection.on('error', () => undefined)
  let isLate = false
  const stop = (): void => connection.destroy()
  const timer = setTimeout(() => {
    isLate = true
    stop()
  }, query.timeoutMs + connectTimeoutMs)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([run(connection, query), stopped(connection)])
  } catch (error) {
    signal.throwIfAborted()
    throw isLate ? new SqlError('timeout', 'The statement took too long.', { cause: error }) : sqlError(error)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function settingsOf({ host, address, port = 3306, database, username, password, tls }: SqlServer): ConnectionOptions {
  return {
    // The name is for the certificate; the socket goes to the address that was checked.
    host,
    stream: () => connect({ host: address, port }),
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
  if (/^ER_(?:ACCESS_DENIED|DBACCESS_DENIED|BAD_DB)/.test(code)) return new SqlError('denied', error.message, { cause: error })
  if (code.startsWith('ER_')) return new SqlError('refused', `${error.message} (${code})`, { cause: error })
  return new SqlError('unreachable', `The database cannot be used: ${error.message}`, { cause: error })
}
