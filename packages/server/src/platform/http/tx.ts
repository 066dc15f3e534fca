import type { Transaction } from 'kysely'
import type { Rows } from '#migrations/rows.ts'

/** An open transaction. */
export type Tx = Transaction<Rows>
