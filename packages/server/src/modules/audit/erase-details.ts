import { commitmentOf } from '@millrace/contract/transparency'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { deleteChanges } from './changes.ts'
import { sha256 } from './log/evidence-keys.ts'
import { entryColumns, entryOf, type EntryRow } from './log/log-store.ts'

/**
 * Erases the address and the details of events that match one of some regular expressions of PostgreSQL. What their leaves commit to stays, so that the log
 * verifies as before; without the salt it reveals nothing. Events in blocks have no address, and only our own words, ids, times and digests as details.
 * @returns how many events were erased.
 */
export async function eraseEventDetails(tx: Kysely<Rows>, accountId: string, patterns: readonly string[], limit: number): Promise<number> {
  const { rows } = await sql<EntryRow>`
    select ${entryColumns} from audit_events e where ${matchesOneOf(accountId, patterns)} order by e.id limit ${limit} for update`.execute(
    tx,
  )
  for (const row of rows) {
    const commitment = Buffer.from(commitmentOf(sha256, entryOf(row)), 'hex')
    await sql`
      update audit_events set commitment = ${commitment}, details = '{}', ip = null, salt = '' where account_id = ${accountId} and id = ${row.id}`.execute(
      tx,
    )
  }
  await deleteChanges(
    tx,
    accountId,
    rows.map(({ id }) => id),
  )
  return rows.length
}

/** An event whose address or details an erasure would erase. */
export interface EventWithDetails {
  readonly id: string
  readonly at: Date
  readonly event: string
  readonly ip: string | null
  readonly details: Readonly<Record<string, unknown>>
  /** Which of both matches: `address`, `details`. */
  readonly fields: readonly string[]
}

export async function countEventDetails(db: Kysely<Rows>, accountId: string, patterns: readonly string[]): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int4 as count from audit_events e where ${matchesOneOf(accountId, patterns)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The events that `eraseEventDetails` would erase, the newest first. */
export async function listEventDetails(
  db: Kysely<Rows>,
  accountId: string,
  patterns: readonly string[],
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly EventWithDetails[]> {
  const fields = sql`case when ${addressMatches(patterns)} then 'address' end, case when ${detailsMatch(patterns)} then 'details' end`
  const { rows } = await sql<EventWithDetails>`
    select e.id, e.at, e.event, host(e.ip) as ip, e.details, array_remove(array[${fields}], null) as fields from audit_events e
    where ${matchesOneOf(accountId, patterns)} ${before === undefined ? sql`` : sql`and e.id < ${before}`}
    order by e.id desc limit ${limit}`.execute(db)
  return rows
}

function matchesOneOf(accountId: string, patterns: readonly string[]) {
  return sql`e.account_id = ${accountId} and e.commitment is null and (${detailsMatch(patterns)} or ${addressMatches(patterns)})`
}

const anyOf = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`
const detailsMatch = (patterns: readonly string[]) => anyOf(patterns.map((pattern) => sql`e.details::text ~ ${pattern}`))
/** As a whole: a part of an address is another one. */
const addressMatches = (patterns: readonly string[]) => anyOf(patterns.map((pattern) => sql`host(e.ip) ~ ${`^(?:${pattern})$`}`))
