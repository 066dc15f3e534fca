import { type Kysely, sql } from 'kysely'
import { inBatches } from '#platform/db/in-batches.ts'
import type { Rows } from '#platform/db/rows.ts'

export interface AttemptLog {
  readonly accountId: string
  readonly executionId: string
  readonly position: string
  readonly text: string
  readonly truncated: boolean
  readonly at: Date
}

/** The last 64 KB of an attempt are kept. */
export const attemptLogMax = 64 * 1024

/** An attempt that is repeated after a crash replaces what it wrote before. Logs of deleted accounts are dropped. */
export async function saveAttemptLogs(db: Kysely<Rows>, logs: readonly AttemptLog[]): Promise<void> {
  await sql`
    insert into attempt_logs (account_id, execution_id, position, text, truncated, made_at)
    select u.* from unnest(
      ${logs.map(({ accountId }) => accountId)}::uuid[], ${logs.map(({ executionId }) => executionId)}::uuid[],
      ${logs.map(({ position }) => position)}::text[], ${logs.map(({ text }) => text)}::text[],
      ${logs.map(({ truncated }) => truncated)}::boolean[], ${logs.map(({ at }) => at)}::timestamptz[]) as u(account_id, execution_id, position, text, truncated, made_at)
    where exists (select from accounts a where a.id = u.account_id)
    on conflict (execution_id, position) do update
    set text = excluded.text, truncated = excluded.truncated, made_at = excluded.made_at`.execute(db)
}

/** @param position of the attempt; the one that has written last unless given. */
export async function findAttemptLog(db: Kysely<Rows>, accountId: string, executionId: string, position: string | undefined) {
  const { rows } = await sql<{ position: string; text: string; truncated: boolean; made_at: Date }>`
    select position, text, truncated, made_at from attempt_logs
    where account_id = ${accountId} and execution_id = ${executionId} and ${position === undefined ? sql`true` : sql`position = ${position}`}
    order by made_at desc, position limit 1`.execute(db)
  return rows[0]
}

/** Deletes logs of an account that is purged. */
export async function deleteAttemptLogsOf(db: Kysely<Rows>, accountId: string, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from attempt_logs where ctid = any(array(select ctid from attempt_logs where account_id = ${accountId} limit ${limit}))
    returning 1`.execute(db)
  return rows.length
}

/** Deletes logs that were made before a time. */
export async function deleteOldAttemptLogs(db: Kysely<Rows>, before: Date): Promise<void> {
  await inBatches(async (limit) => {
    const { numAffectedRows = 0n } = await sql`delete from attempt_logs where ctid = any(array(
      select ctid from attempt_logs where made_at < ${before} order by made_at limit ${limit}))`.execute(db)
    return Number(numAffectedRows)
  })
}
