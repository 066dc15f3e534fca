/** A statement with a name, which PostgreSQL plans once for each connection. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Runs prepared statements, which Kysely has not: for look-ups so frequent that planning would cost more than they do. */
export interface Prepared {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Who writes a statement knows what its rows are; so pg has it.
  query<Row extends object>(statement: PreparedStatement): Promise<{ readonly rows: Row[] }>
}
