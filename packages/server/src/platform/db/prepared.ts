/** A named statement, which PostgreSQL plans once for each connection. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Runs prepared statements, which Kysely does not support, for look-ups so frequent that planning would cost more than executing them. */
export interface Prepared {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- The author of a statement states the type of its rows, as with pg.
  query<Row extends object>(statement: PreparedStatement): Promise<{ readonly rows: Row[] }>
}
