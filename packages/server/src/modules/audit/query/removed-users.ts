import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** A user who was removed from the account, as the log knows them. */
export interface RemovedUser {
  readonly name: string | undefined
  readonly at: Date
}

/** Those of the users, by their external ids, who were removed from an account by others. By the index audit_events_by_target. */
export async function findRemovedUsers(
  tx: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RemovedUser>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ readonly target: string; readonly name: string | null; readonly at: Date }>`
    select target, details->>'name' as name, at from audit_events
    where account_id = ${accountId} and target = any(${ids}::text[]) and event = 'user.removed'`.execute(tx)
  return new Map(rows.map(({ target, name, at }) => [target, { name: name ?? undefined, at }]))
}
