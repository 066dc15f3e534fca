import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

const daysCounted = 30

/** Figures for the compliance report. */
export async function readPrivacyFigures(tx: Kysely<Rows>, accountId: string) {
  const { rows } = await sql<{ total: number; protecting: number; with_retention: number; for_account: boolean | null; decisions: number }>`
    select count(*)::int4 as total, (count(*) filter (where action in ('redact', 'block')))::int4 as protecting,
      count(retention)::int4 as with_retention, bool_or(workflow_id is null) as for_account,
      (select count(*)::int4 from privacy_decisions where account_id = ${accountId} and at > now() - make_interval(days => ${daysCounted})) as decisions
    from privacy_policies where account_id = ${accountId} and enabled`.execute(tx)
  const [row] = rows
  return {
    policies: {
      total: row?.total ?? 0,
      protecting: row?.protecting ?? 0,
      withRetention: row?.with_retention ?? 0,
      forAccount: row?.for_account === true,
    },
    decisions: row?.decisions ?? 0,
  }
}
