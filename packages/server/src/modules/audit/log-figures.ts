import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

const countedMax = 1_000_000

/** How many events an account has (at most a million are counted, and blocks), and the last day with entries in its log. */
export async function readLogFigures(
  db: Kysely<Rows>,
  accountId: string,
): Promise<{ readonly auditEvents: number; readonly lastLoggedDay: string | undefined }> {
  const { rows } = await sql<{ events: number; day: string | null }>`
    select (select count(*)::int4 from (select from audit_events where account_id = ${accountId} limit ${countedMax}) e)
        + (select coalesce(sum(size), 0)::int4 from (select size from audit_blocks where account_id = ${accountId} limit ${countedMax}) b) as events,
      (select max(day)::text from audit_days where account_id = ${accountId}) as day`.execute(db)
  return { auditEvents: rows[0]?.events ?? 0, lastLoggedDay: rows[0]?.day ?? undefined }
}
