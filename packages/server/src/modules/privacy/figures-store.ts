import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

const daysCounted = 30

/** Figures for the compliance report. */
export async function readPrivacyFigures(tx: Kysely<Rows>, accountId: string) {
  const { rows } = await sql<{
    total: number
    protected: string[]
    with_retention: number
    for_account: boolean | null
    decisions: number
  }>`
    select count(*)::int4 as total, 
      coalesce(array_agg(distinct point order by point) filter (where action in ('redact', 'block')), '{}') as protected,
      count(retention)::int4 as with_retention, bool_or(workflow_id is null and point = 'input') as for_account,
      (select count(*)::int4 from privacy_decisions where account_id = ${accountId} and at > now() - make_interval(days => ${daysCounted})) as decisions
    from privacy_policies where account_id = ${accountId} and enabled`.execute(tx)
  const [row] = rows
  return {
    policies: {
      total: row?.total ?? 0,
      protected: row?.protected ?? [],
      withRetention: row?.with_retention ?? 0,
      forAccount: row?.for_account === true,
    },
    decisions: row?.decisions ?? 0,
  }
}
