/** A statement with a name, which PostgreSQL plans once for each connection. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Runs prepared statements, which Kysely has not: for look-ups so frequent that planning would cost more than they do. */
export interface Prepared {
  query<Row extends object>(statement: PreparedStatement): Promise<{ readonly rows: Row[] }>
}
