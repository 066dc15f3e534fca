import { type RawBuilder, sql } from 'kysely'
import { type ExecutionState, executionStates } from '#core/execution-state.ts'
import { type ExecutionSummary, summaryColumns, summaryOf, type SummaryRow, type TriggerKind, triggerKinds } from './execution-row.ts'
import type { SqlExecutor } from './sql-database.ts'
import { leastIdAt, timeOfId } from './time-of-id.ts'

export interface ListExecutionsOptions {
  readonly limit: number
  /** The last execution of the page before. */
  readonly before: string | undefined
  readonly state: ExecutionState | undefined
  readonly trigger: TriggerKind | undefined
  /** Accepted at this time or later. */
  readonly from: Date | undefined
  /** Accepted before this time. */
  readonly to: Date | undefined
  /** The time of the request. */
  readonly nowMs: number
  /** A query for the `number` of the version `e.version_id`; versions are not the engine's. */
  readonly versionQuery: string
}

/** A range of ids: at least `from`, less than `below`; undefined where it has no bound. */
interface IdRange {
  readonly from: string | undefined
  readonly below: string | undefined
}

/** The executions of a workflow that satisfy all given filters, newest first, at most `limit`. */
export async function listExecutions(
  executor: SqlExecutor,
  accountId: string,
  workflowId: string,
  options: ListExecutionsOptions,
): Promise<readonly ExecutionSummary[]> {
  const rows: SummaryRow[] = []
  for (const range of idRangesOf(options)) {
    rows.push(...(await listWithin(executor, accountId, workflowId, options, range, options.limit - rows.length)))
    if (rows.length >= options.limit) break
  }
  return rows.map(summaryOf)
}

async function listWithin(
  executor: SqlExecutor,
  accountId: string,
  workflowId: string,
  options: ListExecutionsOptions,
  range: IdRange,
  limit: number,
): Promise<readonly SummaryRow[]> {
  const candidates = sql`select id, workflow_id, version_id, state, trigger, created_at, started_at, ended_at, error from executions
    where account_id = ${accountId} and workflow_id = ${workflowId} and ${boundsOf(range)} and ${timesOf(options)}`
  const { rows } = await sql<SummaryRow>`
    select ${sql.raw(summaryColumns)}
    from (${filtered(candidates, options, limit)}) e
    cross join lateral (${sql.raw(options.versionQuery)}) v
    order by e.id desc`.execute(executor)
  return rows
}

/**
 * Without a filter one scan of executions_by_workflow. With one, a scan of executions_by_filter for each pair of state and trigger that it
 * admits, all of them ordered by id (nulls last, which only these indexes are): so a page reads a few times as many rows as it has,
 * and never skips rows that do not match. The pairs are rows and not branches of a union, and the same scan reads the columns of the page, so
 * that each partition is planned for once. The version is looked up after the page is complete (its `limit 1` keeps the planner from joining
 * it first): a table of versions without statistics counts as one row, and the page would be computed anew for each version. Plans:
 * docs/plans.
 */
function filtered(candidates: RawBuilder<unknown>, { state, trigger }: ListExecutionsOptions, limit: number): RawBuilder<unknown> {
  const newest = sql`order by id desc nulls last limit ${limit}`
  if (state === undefined && trigger === undefined) return sql`${candidates} ${newest}`
  const states = state === undefined ? executionStates : [state]
  const triggers = trigger === undefined ? triggerKinds : [trigger]
  return sql`select one.* from unnest(${states}::text[]) as s (state) cross join unnest(${triggers}::text[]) as t (trigger)
      cross join lateral (${candidates} and state = s.state and trigger = t.trigger ${newest}) one ${newest}`
}

/** Clocks that differ, or that were set back, make ids and times disagree by at most this. */
const disagreementMs = 60_000
const dayMs = 86_400_000
/** How far back the ranges of a page reach, one after the other. */
const reachesMs = [8 * dayMs, 32 * dayMs, 128 * dayMs]

/**
 * The ranges of ids that are searched for a page, newest first. Executions lie in partitions by time, each of which costs a statement some
 * 0.1 ms of planning, several times over with a filter; so the last few partitions are searched first, and older ones only for a page that
 * they do not fill.
 */
function idRangesOf({ before, from, to, nowMs }: ListExecutionsOptions): readonly IdRange[] {
  const end = to === undefined ? undefined : leastIdAt(to.getTime() + disagreementMs)
  const least = from === undefined ? undefined : leastIdAt(from.getTime() - disagreementMs)
  let below = before === undefined || (end !== undefined && end < before) ? end : before
  const endMs = Math.min(nowMs, below === undefined ? nowMs : timeOfId(below))
  const ranges: IdRange[] = []
  for (const bound of reachesMs.map((ms) => leastIdAt(endMs - ms))) {
    if (least !== undefined && least >= bound) break
    ranges.push({ from: bound, below })
    below = bound
  }
  return [...ranges, { from: least, below }]
}

function boundsOf({ from, below }: IdRange): RawBuilder<unknown> {
  const conditions = [...(from === undefined ? [] : [sql`id >= ${from}`]), ...(below === undefined ? [] : [sql`id < ${below}`])]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/**
 * Times become bounds of ids, which the index knows, and stay a condition of their own, which is exact. That one is wrapped so that the
 * planner cannot estimate it: it would treat times and ids as independent, expect few rows, and scan the executions of all workflows.
 */
function timesOf({ from, to }: ListExecutionsOptions): RawBuilder<unknown> {
  const times = [...(from === undefined ? [] : [sql`created_at >= ${from}`]), ...(to === undefined ? [] : [sql`created_at < ${to}`])]
  return times.length === 0 ? sql`true` : sql`coalesce(${sql.join(times, sql` and `)}, false)`
}
