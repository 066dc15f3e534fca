import { Fault } from '@millrace/contract'
import type { Kysely, Transaction } from 'kysely'
import { createBatcher } from '#platform/batching/batcher.ts'
import { digestOf, newLinkSecret } from '#platform/auth/link-token.ts'
import type { Rows } from '#platform/db/rows.ts'
import { isDataError } from '#platform/db/is-data-error.ts'
import { isTaken } from '#platform/db/is-taken.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import type { MailReader } from '#platform/mail/templates/mail-time.ts'
import { accountDeletedMail } from './account-deleted-mail.ts'
import {
  deleteKeptRows,
  type DeletedCredential,
  endRestorability,
  findDeletedCredentials,
  forgetDeleted,
  keepRows,
  lockRestorable,
  recordCancellation,
  recordDeletion,
  type Restorable,
  restoreRows,
  takeDeleted,
  takeUncancelled,
} from './deletion-store.ts'

/** The data that other modules have of an account: each module knows its own. */
export interface AccountData {
  /** In the transaction that deletes the account: from its commit on nothing starts any more. */
  readonly stop: (tx: Transaction<Rows>, accountId: string, at: Date) => Promise<void>
  /** In the transaction that restores the account: undoes `stop`. */
  readonly resume: (tx: Transaction<Rows>, accountId: string, at: Date) => Promise<void>
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
  readonly mail: Pick<Mail, 'isAvailable' | 'prepare' | 'send'>
  /** For how long a deleted account can be restored. */
  readonly graceMs: number
  /** The page of the link that restores an account. */
  readonly restorePage: string
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
  /** Called for a deleted account that could not be cancelled or purged. It is tried again, and the others are not delayed. */
  readonly onFailure: (accountId: string, error: unknown) => void
}

/** What is left to do of the deletion of an account. */
export interface Stopped {
  /** Until when the account can be restored; `undefined` for not at all. */
  readonly restorableUntil: Date | undefined
  /** Cancels what the account runs. `purge` does so too, for a process that ends before. */
  readonly afterCommit: () => Promise<void>
}

/** An account that is being deleted, with its only user. */
export interface LeavingUser {
  readonly accountId: string
  readonly userId: string
  readonly email: string
  readonly reader: MailReader
}

const accountsMax = 10
const rowsMax = 500
/** One pass deletes at most so many batches of an account, so that other maintenance tasks get their turn. */
const batchesMax = 200
/** For so long after a deletion, starts that were under way may still commit: a cancellation after that time is the last one. */
const lateStartsMs = 10 * 60 * 1000

export type AccountDeletion = ReturnType<typeof createAccountDeletion>

/** Deletes accounts: at once what they could do, and what they have left in passes, after the time in which they can be restored. */
export function createAccountDeletion(deps: AccountDeletionDeps) {
  const { db, data, mail, now } = deps
  /** Without mails no link could restore an account. */
  const graceMs = mail.isAvailable ? deps.graceMs : 0

  /** Keeps what the deletion removes, and sends the link that restores it. */
  async function keep(tx: Transaction<Rows>, { accountId, userId, email, reader }: LeavingUser, at: Date): Promise<Date> {
    const until = new Date(at.getTime() + graceMs)
    const token = newLinkSecret('mll_', deps.randomBytes)
    await mail.prepare()
    await recordDeletion(tx, accountId, at, { until, userId, email, tokenHash: digestOf(token) })
    await keepRows(tx, accountId)
    const link = { url: `${deps.restorePage}#token=${token}`, until, zone: reader.zone }
    await mail.send(tx, { accountId, to: email, template: accountDeletedMail, locale: reader.locale, data: link })
    return until
  }

  async function purgeOne(accountId: string): Promise<void> {
    if (!(await endRestorability(db, accountId, new Date(now())))) return
    // A start that was under way while the account was deleted may have committed after the cancellation.
    await data.cancelExecutions(accountId)
    // A parent reads the results of its children, so no execution is deleted before all have ended.
    if (await data.hasUnfinishedExecutions(accountId)) return
    const batches = [...data.batches, (id: string, limit: number) => deleteKeptRows(db, id, limit)]
    for (const batch of batches) if (!(await empty(batch, accountId))) return
    await db.transaction().execute(async (tx) => {
      await data.rest(tx, accountId)
      await forgetDeleted(tx, accountId)
    })
  }

  /** One account that fails does not keep the others from their turn. */
  async function each(accountIds: readonly string[], work: (accountId: string) => Promise<void>): Promise<void> {
    for (const accountId of accountIds) await work(accountId).catch((error: unknown) => deps.onFailure(accountId, error))
  }

  async function cancelOne(accountId: string): Promise<void> {
    const at = new Date(now())
    await data.cancelExecutions(accountId)
    await recordCancellation(db, accountId, at)
  }

  return {
    graceMs,

    /**
     * Ends what an account starts, in the transaction that deletes it. What it runs is cancelled after the commit: the engine commits by itself, so a
     * deletion that fails after all would cancel it nevertheless.
     */
    async stop(tx: Transaction<Rows>, leaving: LeavingUser): Promise<Stopped> {
      const { accountId } = leaving
      const at = new Date(now())
      await data.stop(tx, accountId, at)
      const restorableUntil = graceMs === 0 ? undefined : await keep(tx, leaving, at)
      if (restorableUntil === undefined) await recordDeletion(tx, accountId, at, undefined)
      return { restorableUntil, afterCommit: () => cancelOne(accountId) }
    },

    /** The password of a deleted user of an address, for a sign-in that says what has happened. */
    findCredential: createBatcher<string, DeletedCredential | undefined>({
      load: (emails) => findDeletedCredentials(db, emails, new Date(now())),
      lanes: 2,
      keysMax: 200,
      isOfKey: isDataError,
    }),

    /** Restores an account with its user by the token of the mail. Faults: `link_invalid`, `email_taken`. */
    async restore(token: string): Promise<Restorable> {
      return await db.transaction().execute(async (tx) => {
        const at = new Date(now())
        const deleted = await lockRestorable(tx, digestOf(token), at)
        if (deleted === undefined) throw new Fault('link_invalid', { detail: notRestorable })
        await restoreRows(tx, deleted.accountId).catch((error: unknown) => {
          throw isTaken(error, 'users_email_unique') ? new Fault('email_taken', { detail: addressTaken, cause: error }) : error
        })
        await data.resume(tx, deleted.accountId, at)
        await forgetDeleted(tx, deleted.accountId)
        return deleted
      })
    },

    /**
     * Cancels what deleted accounts run, and deletes what those have left that cannot be restored any more, once all their executions have ended.
     * Those that were tried longest ago come first.
     */
    async purge(): Promise<void> {
      const at = new Date(now())
      await each(await takeUncancelled(db, { at, lateStartsMs, limit: accountsMax }), cancelOne)
      await each(await takeDeleted(db, at, accountsMax), purgeOne)
    },
  }
}

const notRestorable = 'The link is wrong or was used already, or its time is over and the account is deleted.'
const addressTaken =
  'Another user has the address since the deletion. Delete that user, or ask its account to remove it, and open the link again.'

/** @returns whether nothing is left for the batch to delete. */
async function empty(batch: AccountData['batches'][number], accountId: string): Promise<boolean> {
  for (let count = 0; count < batchesMax; count++) if ((await batch(accountId, rowsMax)) === 0) return true
  return false
}
