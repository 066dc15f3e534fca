import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

export interface LifecycleInterestDeps {
  readonly db: Kysely<Rows>
  readonly onError: (error: unknown) => void
  /** How old the answer may be; a second unless given. */
  readonly everyMs?: number
}

/** Knows which accounts want to hear of their executions. */
export interface LifecycleInterest {
  /** Asked for every execution that begins here, so it is answered out of memory. */
  wanted(accountId: string): boolean
  stop(): Promise<void>
}

/** Looks again and again for subscriptions and listeners that name the events of executions and tasks. Knows them when it resolves. */
export async function watchLifecycleInterest({ db, onError, everyMs = 1_000 }: LifecycleInterestDeps): Promise<LifecycleInterest> {
  let accounts = await findInterested(db)
  let look: Promise<void> | undefined
  const timer = setInterval(() => {
    look ??= findInterested(db)
      .then((found) => {
        accounts = found
      })
      .catch(onError)
      .finally(() => {
        look = undefined
      })
  }, everyMs)
  return {
    wanted: (accountId) => accounts.has(accountId),
    async stop() {
      clearInterval(timer)
      await look
    },
  }
}

/** Two scans of indexes that hold nothing else. */
async function findInterested(db: Kysely<Rows>): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly account_id: string }>`
    select account_id from event_subscriptions where enabled and event_types_name_lifecycle(types)
    union
    select account_id from event_filters
    where starts_with(type, 'io.serverlessworkflow.') or (type is null and filter -> 'with' ->> 'type' is not null)`.execute(db)
  return new Set(rows.map((row) => row.account_id))
}
