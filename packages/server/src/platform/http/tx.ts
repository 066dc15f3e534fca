import type { Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** An open transaction. */
export type Tx = Transaction<Rows>
