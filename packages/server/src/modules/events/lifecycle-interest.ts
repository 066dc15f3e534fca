import { findLifecycleListeners } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export interface LifecycleInterestDeps {
  readonly db: Kysely<Rows>
  readonly onError: (error: unknown) => void
  /** The interval at which the accounts are read. Default: a second. */
  readonly everyMs?: number
}

/** Knows the accounts that want the lifecycle events of their executions. */
export interface LifecycleInterest {
  /** Called for every execution that starts in this process, so it reads memory only. */
  wanted(accountId: string): boolean
  stop(): Promise<void>
}

/** Reads the accounts with subscriptions or listeners for lifecycle events periodically; the first time before it resolves. */
export async function watchLifecycleInterest({ db, onError, everyMs = 1_000 }: LifecycleInterestDeps): Promise<LifecycleInterest> {
  let accounts = await findInterestedAccounts(db)
  let refresh: Promise<void> | undefined
  const timer = setInterval(() => {
    refresh ??= findInterestedAccounts(db)
      .then((current) => {
        accounts = current
      })
      .catch(onError)
      .finally(() => {
        refresh = undefined
      })
  }, everyMs)
  return {
    wanted: (accountId) => accounts.has(accountId),
    async stop() {
      clearInterval(timer)
      await refresh
    },
  }
}

async function findInterestedAccounts(db: Kysely<Rows>): Promise<ReadonlySet<string>> {
  // One scan of an index that has no other subscriptions.
  const { rows } = await sql<{ readonly account_id: string }>`
    select distinct account_id from event_subscriptions where enabled and event_types_name_lifecycle(types)`.execute(db)
  return new Set([...rows.map((row) => row.account_id), ...(await findLifecycleListeners(db))])
}
