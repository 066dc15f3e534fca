import { durationMs } from '@millrace/dsl'
import type { RetentionPeriods } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

interface PeriodRow {
  readonly id: string
  readonly account_id: string
  readonly own: string | null
  readonly of_account: boolean
  readonly milliseconds: number | null
}

/** What executions may be kept at most, whatever their workflow, account or installation keeps them. */
export interface RetentionLimits {
  /** Accounts with a limit for any of their workflows. */
  readonly accounts: readonly string[]
  /** In milliseconds; undefined for a workflow without a limit. */
  readonly limitOf: (accountId: string, workflowId: string) => number | undefined
}

export interface RetentionPeriodsDeps {
  readonly db: Kysely<Rows>
  /** How long the installation keeps executions, in milliseconds; undefined: for ever. */
  readonly retentionMs: number | undefined
  readonly limits: RetentionLimits
}

/** How long workflows keep executions if not as long as the installation: by their latest version, or else by their account, up to their limit. */
export async function readRetentionPeriods({ db, retentionMs, limits }: RetentionPeriodsDeps): Promise<RetentionPeriods> {
  const { rows } = await sql<PeriodRow>`
    select w.id, w.account_id, v.retention as own, a.account_id is not null as of_account, a.milliseconds::float8 as milliseconds
    from workflows w
      left join workflow_versions v on v.id = w.latest_version_id and v.retention is not null
      left join account_retention a on a.account_id = w.account_id
    where v.id is not null or a.account_id is not null or w.account_id = any(${[...limits.accounts]}::uuid[])`.execute(db)
  const periods = new Map<string, number | undefined>()
  for (const { id, account_id, own, of_account, milliseconds } of rows) {
    // A text that is not a duration was published by a release that did not read it.
    const ownMs = own === null ? undefined : durationMs(own)
    const isSet = ownMs !== undefined || of_account
    const keptMs = isSet ? (ownMs ?? milliseconds ?? undefined) : retentionMs
    const limitMs = limits.limitOf(account_id, id)
    if (limitMs !== undefined && limitMs < (keptMs ?? Number.POSITIVE_INFINITY)) periods.set(id, limitMs)
    else if (isSet) periods.set(id, keptMs)
  }
  return periods
}
