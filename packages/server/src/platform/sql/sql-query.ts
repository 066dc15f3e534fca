import type { JsonValue } from '@millrace/contract'

/** A database server that a user named. */
export interface SqlServer {
  readonly host: string
  /** Of the host, checked by the guard. */
  readonly address: string
  readonly port: number | undefined
  readonly database: string
  readonly username: string
  readonly password: string | undefined
  readonly tls: 'verify' | 'none'
}

/** One statement with its values. */
export interface SqlQuery {
  readonly text: string
  readonly values: readonly JsonValue[]
  readonly rowsMax: number
  /** Of all rows as JSON. */
  readonly bytesMax: number
  /** Of the statement. */
  readonly timeoutMs: number
}

export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, JsonValue>>[]
  /** Rows that were returned or changed. */
  readonly rowCount: number
}

export type SqlRunner = (server: SqlServer, query: SqlQuery, signal: AbortSignal) => Promise<SqlResult>

/** `unreachable`: no connection. `denied`: wrong credentials. `refused`: the statement failed. */
export type SqlFailure = 'unreachable' | 'denied' | 'refused' | 'timeout' | 'too-large'

/** A statement that failed; the message is for the author of a workflow. */
export class SqlError extends Error {
  readonly failure: SqlFailure

  constructor(failure: SqlFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SqlError'
    this.failure = failure
  }
}

export const connectTimeoutMs = 10_000
