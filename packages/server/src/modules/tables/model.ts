import type { JsonValue } from '@millrace/contract'

/** A table of an account, by its name. */
export interface DataTable {
  readonly name: string
  readonly rowCount: number
  readonly bytes: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export type Columns = Readonly<Record<string, JsonValue>>

/** A row of a table, by its key. */
export interface DataRow {
  readonly key: string
  readonly columns: Columns
  /** Of the key and the columns as JSON. */
  readonly bytes: number
  readonly revision: number
  /** Who wrote it last, as `kind:id`: a user, an API key or an execution. */
  readonly writtenBy: string
  /** Whether that was a test of a draft. */
  readonly byTest: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date | undefined
}

/** Tables of one account. */
export const tablesMax = 200
/** Rows of one account, in all tables together. */
export const rowsMax = 100_000

/** A column that a row must have, with the text of its value; that of a number, true or false is JSON. */
export interface ColumnValue {
  readonly name: string
  readonly value: string
}
