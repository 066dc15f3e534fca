import { durationMs } from '@millrace/dsl'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Until when what has ended is kept. */
export interface RetentionRules {
  /** Where nothing else is said, what ended before this time goes; undefined where nothing does. */
  readonly before: Date | undefined
  /** The same for the workflows of which something else is said, by themselves or by their account. */
  readonly workflows: ReadonlyMap<string, Date | undefined>
}

interface RuleRow {
  readonly id: string
  readonly own: string | null
  readonly ruled: boolean
  readonly account: number | null
}

/** What a workflow says (in its latest version) counts before what its account says, and that before what the installation does. */
export async function readRules(db: Executor, nowMs: number, retentionMs: number | undefined): Promise<RetentionRules> {
  const { rows } = await sql<RuleRow>`
    select w.id, v.retention as own, a.account_id is not null as ruled, a.milliseconds::float8 as account
    from workflows w
      left join workflow_versions v on v.id = w.latest_version_id and v.retention is not null
      left join account_retention a on a.account_id = w.account_id
    where v.id is not null or a.account_id is not null`.execute(db)
  const before = (ms: number | undefined) => (ms === undefined ? undefined : new Date(nowMs - ms))
  const workflows = new Map<string, Date | undefined>()
  for (const { id, own, ruled, account } of rows) {
    // What is no duration was published by a release that did not read it.
    const ownMs = own === null ? undefined : durationMs(own)
    if (ownMs !== undefined) workflows.set(id, before(ownMs))
    else if (ruled) workflows.set(id, before(account ?? undefined))
  }
  return { before: before(retentionMs), workflows }
}

/** The rules as a table `r (id, before)` of workflows, and of those without a rule: `-infinity` where everything is kept. */
export function ruleTable({ workflows }: RetentionRules): RawBuilder<unknown> {
  return sql`unnest(${[...workflows.keys()]}::uuid[], ${[...workflows.values()].map(timeOrNever)}::timestamptz[]) as r (id, before)`
}

/** Whether the execution `e`, beside whose row is that of its rule `r`, may go. */
export function expired({ before }: RetentionRules): RawBuilder<unknown> {
  return sql`(e.state in ('completed', 'faulted', 'cancelled') and e.ended_at < coalesce(r.before, ${timeOrNever(before)}::timestamptz) and not ${needed})`
}

/** Others may look at it yet: the parent at its child, and whoever replays a dead letter at the execution that was given up. */
const needed = sql`((e.parent_id is not null and exists (
    select from executions p where p.id = e.parent_id and p.state not in ('completed', 'faulted', 'cancelled')))
  or e.id in (select d.execution_id from dead_letters d where d.replayed_at is null and d.execution_id is not null))`

function timeOrNever(time: Date | undefined): string {
  return time?.toISOString() ?? '-infinity'
}
