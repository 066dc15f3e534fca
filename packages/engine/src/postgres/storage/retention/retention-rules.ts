import { type RawBuilder, sql } from 'kysely'
import { terminalStatesSql } from '#core/execution-state.ts'
import { isOpenSql } from '#postgres/storage/dead-letter-state.ts'

/** How long each workflow keeps its ended executions, in milliseconds, if not as long as the installation; undefined keeps them for ever. */
export type RetentionPeriods = ReadonlyMap<string, number | undefined>

/** The end times before which executions have expired. */
export interface RetentionRules {
  /** For workflows without a rule of their own; undefined where nothing expires. */
  readonly before: Date | undefined
  /** By workflow, for those with a rule of their own. */
  readonly workflows: ReadonlyMap<string, Date | undefined>
}

export function rulesAt(nowMs: number, retentionMs: number | undefined, periods: RetentionPeriods): RetentionRules {
  const before = (ms: number | undefined) => (ms === undefined ? undefined : new Date(nowMs - ms))
  return { before: before(retentionMs), workflows: new Map([...periods].map(([workflowId, ms]) => [workflowId, before(ms)])) }
}

/** The rules of workflows as a table `r (id, before)`; `-infinity` where executions are kept for ever. */
export function ruleTable({ workflows }: RetentionRules): RawBuilder<unknown> {
  return sql`unnest(${[...workflows.keys()]}::uuid[], ${[...workflows.values()].map(timeOrNever)}::timestamptz[]) as r (id, before)`
}

/** Whether the execution `e`, joined with its workflow's rule `r` if there is one, can be deleted. */
export function isExpiredSql({ before }: RetentionRules): RawBuilder<unknown> {
  return sql`(e.state in ${terminal} and e.ended_at < coalesce(r.before, ${timeOrNever(before)}::timestamptz) and not ${isNeededSql})`
}

const terminal = sql.raw(terminalStatesSql)

/** Whether the execution is still to be read: by its unfinished parent, or by the replay of an open dead letter. */
const isNeededSql = sql`((e.parent_id is not null and exists (
    select from executions p where p.id = e.parent_id and p.state not in ${terminal}))
  or e.id in (select execution_id from dead_letters where ${isOpenSql} and execution_id is not null))`

function timeOrNever(time: Date | undefined): string {
  return time?.toISOString() ?? '-infinity'
}
