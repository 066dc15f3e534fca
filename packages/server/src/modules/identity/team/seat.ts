import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/**
 * Reads how many users the plan of an account allows, before a transaction. The function that it returns counts them in the transaction, with a
 * Fault `quota_exceeded` when there is no seat left. Lock the row of the account first, so that no other request takes the seat.
 */
export type SeatOf = (accountId: string) => Promise<(tx: Kysely<Rows>) => Promise<void>>
