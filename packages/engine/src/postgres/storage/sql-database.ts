import type { QueryExecutorProvider } from 'kysely'

/** Runs statements: a connection, a transaction, or a pool. The caller chooses its role, by which an account reads only its own rows. */
export type SqlExecutor = QueryExecutorProvider

/** A database of Kysely, whatever tables its type knows: the engine's SQL names its own tables. */
export interface SqlDatabase extends SqlExecutor {
  transaction(): { execute<T>(act: (tx: SqlExecutor) => Promise<T>): Promise<T> }
  /** One connection for several statements, such as those under a session lock. */
  connection(): { execute<T>(act: (session: SqlDatabase) => Promise<T>): Promise<T> }
}

/** Runs prepared statements, which PostgreSQL plans once for each connection: for frequent look-ups, whose planning would cost more than they do. */
export interface PreparedStatements {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The author of a statement knows the type of its rows, as with pg.
  query<Row extends object>(statement: {
    readonly name: string
    readonly text: string
    readonly values: unknown[]
  }): Promise<{ readonly rows: Row[] }>
}
