import { commitmentOf } from '@millrace/contract/transparency'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { deleteChanges } from './changes.ts'
import { sha256 } from './log/evidence-keys.ts'
import { entryColumns, entryOf, type EntryRow } from './log/log-store.ts'

/**
 * Erases the address and the details of events that contain one of some texts, given in lower case. What their leaves commit to stays, so that the log
 * verifies as before; without the salt it reveals nothing. Events in blocks have no address, and only our own words, ids, times and digests as details.
 * @returns how many events were erased.
 */
export async function eraseEventDetails(tx: Kysely<Rows>, accountId: string, texts: readonly string[], limit: number): Promise<number> {
  const contains = texts.map((text) => sql`strpos(lower(e.details::text), ${text}) > 0 or host(e.ip) = ${text}`)
  const { rows } = await sql<EntryRow>`
    select ${entryColumns} from audit_events e where e.account_id = ${accountId} and e.commitment is null
      and (${sql.join(contains, sql` or `)}) order by e.id limit ${limit} for update`.execute(tx)
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
