import type { Kysely, Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { findDeleted, forgetDeleted, recordDeletion } from './deletion-store.ts'

/** The data that other modules have of an account: each module knows its own. */
export interface AccountData {
  /** In the transaction that deletes the account: from its commit on nothing starts any more. */
  readonly stop: (tx: Transaction<Rows>, accountId: string, at: Date) => Promise<void>
  /** Cancels the executions that have not ended. */
  readonly cancelExecutions: (accountId: string) => Promise<void>
  readonly hasUnfinishedExecutions: (accountId: string) => Promise<boolean>
  /** Each deletes at most `limit` rows or things, and returns how many; in this order. */
  readonly batches: readonly ((accountId: string, limit: number) => Promise<number>)[]
  /** Deletes what is small, in the transaction in which the account is forgotten. */
  readonly rest: (tx: Transaction<Rows>, accountId: string) => Promise<void>
}

export interface AccountDeletionDeps {
  /** Sees every account. */
  readonly db: Kysely<Rows>
  readonly data: AccountData
  readonly now: () => number
}

const accountsMax = 10
const rowsMax = 500
/** One pass deletes at most so many batches of an account, so that other maintenance tasks get their turn. */
const batchesMax = 200

export type AccountDeletion = ReturnType<typeof createAccountDeletion>

/** Deletes accounts: at once what they could still do, and later, in passes, what they have left. */
export function createAccountDeletion({ db, data, now }: AccountDeletionDeps) {
  /** @returns whether nothing is left for the batch to delete. */
  async function empty(batch: AccountData['batches'][number], accountId: string): Promise<boolean> {
    for (let count = 0; count < batchesMax; count++) if ((await batch(accountId, rowsMax)) === 0) return true
    return false
  }

  async function purgeOne(accountId: string): Promise<void> {
    // A start that was under way while the account was deleted may have committed after the cancellation.
    await data.cancelExecutions(accountId)
    // A parent reads the results of its children, so no execution is deleted before all have ended.
    if (await data.hasUnfinishedExecutions(accountId)) return
    for (const batch of data.batches) if (!(await empty(batch, accountId))) return
    await db.transaction().execute(async (tx) => {
      await data.rest(tx, accountId)
      await forgetDeleted(tx, accountId)
    })
  }

  return {
    /** Ends what an account does, in the transaction that deletes it. */
    async stop(tx: Transaction<Rows>, accountId: string): Promise<void> {
      const at = new Date(now())
      await data.stop(tx, accountId, at)
      await recordDeletion(tx, accountId, at)
      // The engine commits by itself: if the deletion fails after all, the executions are cancelled nevertheless.
      await data.cancelExecutions(accountId)
    },

    /** Deletes what deleted accounts have left, once all their executions have ended. */
    async purge(): Promise<void> {
      for (const accountId of await findDeleted(db, accountsMax)) await purgeOne(accountId)
    },
  }
}
