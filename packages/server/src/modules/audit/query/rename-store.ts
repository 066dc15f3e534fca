import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** A change of the name of a thing, with the name before it. */
export interface Rename {
  readonly eventId: string
  /** As the events of the log have it. */
  readonly at: string
  readonly before: string
}

interface RenameRow extends Rename {
  readonly target: string
}

/**
 * The renames of things from a time on, oldest first, by the id of the thing. By the index audit_changes_of_names: an account has few renames, however many
 * events its things have.
 */
export async function listRenames(
  tx: Kysely<Rows>,
  accountId: string,
  { ids, from }: { readonly ids: readonly string[]; readonly from: string },
): Promise<ReadonlyMap<string, readonly Rename[]>> {
  const { rows } = await sql<RenameRow>`
    select e.target, e.id as "eventId", c.revealed #>> '{name,before,value}' as before,
      to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from audit_changes c join audit_events e on e.id = c.event_id and e.account_id = c.account_id
    where c.account_id = ${accountId} and c.revealed ? 'name' and c.revealed #>> '{name,before,value}' is not null
      and e.target = any(${ids}::text[]) and e.at >= ${from}::timestamptz
    order by e.at, e.id`.execute(tx)
  const byTarget = new Map<string, Rename[]>()
  for (const { target, ...rename } of rows) byTarget.set(target, [...(byTarget.get(target) ?? []), rename])
  return byTarget
}
