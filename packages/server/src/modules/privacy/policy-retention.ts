import { durationMs } from '@millrace/dsl'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

interface RetentionRow {
  readonly account_id: string
  readonly workflow_id: string | null
  readonly point: string
  readonly retention: string | null
}

/** By point, in milliseconds; undefined for a policy without a retention. */
type LimitsByPoint = ReadonlyMap<string, number | undefined>

/** As of every retention: an `Idempotency-Key` names its execution for a day. */
const shortestMs = 24 * 60 * 60 * 1000

const none: LimitsByPoint = new Map()

/** What privacy policies allow executions to be kept: the shortest retention of those that apply, at most one for each point. */
export async function readPolicyRetention(db: Kysely<Rows>) {
  const { rows } = await sql<RetentionRow>`
    select account_id, workflow_id, point, retention from privacy_policies p
    where enabled and exists (select from privacy_policies s where s.account_id = p.account_id and s.enabled and s.retention is not null)`.execute(
    db,
  )
  const byScope = new Map<string, Map<string, number | undefined>>()
  for (const { account_id, workflow_id, point, retention } of rows) {
    const scope = scopeOf(account_id, workflow_id)
    const points = byScope.get(scope) ?? new Map<string, number | undefined>()
    byScope.set(scope, points.set(point, retention === null ? undefined : durationMs(retention)))
  }
  return {
    accounts: [...new Set(rows.map((row) => row.account_id))],
    limitOf(accountId: string, workflowId: string): number | undefined {
      const ofAccount = byScope.get(scopeOf(accountId, null)) ?? none
      const ofWorkflow = byScope.get(scopeOf(accountId, workflowId)) ?? none
      const limits = [...new Map([...ofAccount, ...ofWorkflow]).values()].filter((limit) => limit !== undefined)
      return limits.length === 0 ? undefined : Math.max(shortestMs, Math.min(...limits))
    },
  }
}

function scopeOf(accountId: string, workflowId: string | null): string {
  return `${accountId}/${workflowId ?? ''}`
}
