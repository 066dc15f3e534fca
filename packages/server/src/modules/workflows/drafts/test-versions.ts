import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** The number of a test version: of one with the same definition and without external resources, or the next one, which is negative. */
export async function nextTestNumber(
  tx: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  checksum: string,
): Promise<{ readonly number: number; readonly isNew: boolean }> {
  const { rows } = await sql<{ readonly same: number | null; readonly least: number }>`
    select max(number) filter (where checksum = ${checksum} and resources::text = '{}') as same, coalesce(min(number), 0) as least
    from workflow_versions where account_id = ${accountId} and workflow_id = ${workflowId} and number < 0`.execute(tx)
  const { same, least } = rows[0] ?? { same: null, least: 0 }
  return same === null ? { number: least - 1, isNew: true } : { number: same, isNew: false }
}
