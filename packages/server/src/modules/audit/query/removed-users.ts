import { type Kysely, sql } from 'kysely'
import type { NameSource } from '#platform/db/name-source.ts'
import type { Rows } from '#platform/db/rows.ts'

/** A user who was removed from the account, as the log knows them. */
export interface RemovedUser {
  readonly name: string | undefined
  readonly at: Date
}

interface RemovalRow {
  readonly target: string
  readonly name: string | null
  readonly at: Date
}

/** As the index audit_events_of_removals has it. An erasure of the person leaves such an event without details. */
const isRemoval = sql`event in ('user.removed', 'scim.user_deleted')`

/** Those of the users, by their external ids, who were removed from an account by others. By the index audit_events_by_target. */
export async function findRemovedUsers(
  tx: Kysely<Rows>,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RemovedUser>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<RemovalRow>`
    select target, details->>'name' as name, at from audit_events
    where account_id = ${accountId} and target = any(${ids}::text[]) and ${isRemoval}`.execute(tx)
  return new Map(rows.map(({ target, name, at }) => [target, { name: name ?? undefined, at }]))
}

/** The names of removed users by their external ids, the last removed first. */
export async function listRemovedUsers(tx: Kysely<Rows>, accountId: string, limit: number): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<Pick<RemovalRow, 'target'> & { readonly name: string }>`
    select target, details->>'name' as name from audit_events
    where account_id = ${accountId} and ${isRemoval} and target is not null and details->>'name' is not null
    order by at desc limit ${limit}`.execute(tx)
  return new Map(rows.map(({ target, name }) => [target, name]))
}

const foundMax = 100

/** The names that users had who were removed. */
export const removedUserNames: NameSource = {
  prefix: 'usr',
  isFormer: true,
  async of(tx, accountId, ids) {
    const removed = await findRemovedUsers(tx, accountId, ids)
    return new Map([...removed].flatMap(([id, { name }]) => (name === undefined ? [] : [[id, name]])))
  },
  async find(tx, accountId, text) {
    const { rows } = await sql<Pick<RemovalRow, 'target'>>`
      select target from audit_events
      where account_id = ${accountId} and ${isRemoval} and target is not null
        and strpos(lower(concat_ws(' ', details->>'name', details->>'email')), lower(${text})) > 0
      order by at desc limit ${foundMax}`.execute(tx)
    return rows.map(({ target }) => target)
  },
}
