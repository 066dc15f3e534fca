import { durationMs } from '@millrace/dsl'
import type { RetentionPeriods } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

interface PeriodRow {
  readonly id: string
  readonly own: string | null
  readonly of_account: boolean
  readonly milliseconds: number | null
}

/** How long workflows keep executions if not as long as the installation: by their latest version, or else by their account. */
export async function readRetentionPeriods(db: Kysely<Rows>): Promise<RetentionPeriods> {
  const { rows } = await sql<PeriodRow>`
    select w.id, v.retention as own, a.account_id is not null as of_account, a.milliseconds::float8 as milliseconds
    from workflows w
      left join workflow_versions v on v.id = w.latest_version_id and v.retention is not null
      left join account_retention a on a.account_id = w.account_id
    where v.id is not null or a.account_id is not null`.execute(db)
  const periods = new Map<string, number | undefined>()
  for (const { id, own, of_account, milliseconds } of rows) {
    // A text that is not a duration was published by a release that did not read it.
    const ownMs = own === null ? undefined : durationMs(own)
    if (ownMs !== undefined) periods.set(id, ownMs)
    else if (of_account) periods.set(id, milliseconds ?? undefined)
  }
  return periods
}
