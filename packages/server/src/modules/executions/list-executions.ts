import { type ExecutionState, executionStates } from '@millrace/engine'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { leastId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { type ExecutionHead, type TriggerKind, triggerKinds } from './model.ts'
import { timeOf } from './retention-partitions.ts'
import { headColumns, headOf, type HeadRow } from './store.ts'

export interface ListOptions {
  readonly limit: number
  readonly cursor: string | undefined
  readonly state: ExecutionState | undefined
  readonly trigger: TriggerKind | undefined
  /** Accepted at this time or later. */
  readonly from: Date | undefined
  /** Accepted before this time. */
  readonly to: Date | undefined
  /** The time of the request. */
  readonly nowMs: number
}

/** A stretch of ids: at least `from`, below `below`; undefined where it has no bound. */
interface Stretch {
  readonly from: string | undefined
  readonly below: string | undefined
}

/** A page of the executions of a workflow that all given filters hold for, newest first. */
export async function listExecutions(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  options: ListOptions,
): Promise<{ data: ExecutionHead[]; nextCursor: string | null }> {
  const { limit } = options
  const rows: HeadRow[] = []
  for (const stretch of stretchesOf(options)) {
    rows.push(...(await listWithin(executor, accountId, workflowId, options, stretch, limit + 1 - rows.length)))
    if (rows.length > limit) break
  }
  return pageOf(rows.map(headOf), limit, (last) => encodeCursor([last.id]))
}

async function listWithin(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  options: ListOptions,
  stretch: Stretch,
  limit: number,
): Promise<readonly HeadRow[]> {
  const found = sql`select id, workflow_id, version_id, state, trigger, created_at, started_at, ended_at, error from executions
    where account_id = ${accountId} and workflow_id = ${workflowId} and ${boundsOf(stretch)} and ${timesOf(options)}`
  const { rows } = await sql<HeadRow>`
    select ${headColumns}
    from (${filtered(found, options, limit)}) e
    cross join lateral (select number from workflow_versions where id = e.version_id limit 1) v
    order by e.id desc`.execute(executor)
  return rows
}

/**
 * Without a filter one scan of executions_by_workflow. With one, a scan of executions_by_filter for each pair of state and trigger that it
 * admits, all of them ordered by id (nulls last, which only these indexes are): so a page reads as many rows as it holds, a few times over,
 * and never walks past what does not fit. The pairs are rows and not branches of a union, and what is shown is read by the same scan, so
 * that each partition is planned for once. The version is looked up behind the page (the limit keeps the planner from joining it first):
 * before it has counted the versions it takes them for one, and would make the page anew for each. Plans: docs/plans.
 */
function filtered(found: RawBuilder<unknown>, { state, trigger }: ListOptions, limit: number): RawBuilder<unknown> {
  const newest = sql`order by id desc nulls last limit ${limit}`
  if (state === undefined && trigger === undefined) return sql`${found} ${newest}`
  const states = state === undefined ? executionStates : [state]
  const triggers = trigger === undefined ? triggerKinds : [trigger]
  return sql`select one.* from unnest(${states}::text[]) as s (state) cross join unnest(${triggers}::text[]) as t (trigger)
      cross join lateral (${found} and state = s.state and trigger = t.trigger ${newest}) one ${newest}`
}

/** Clocks of several machines, and of one that was set back, make ids and times disagree by no more than this. */
const disagreementMs = 60_000
const dayMs = 86_400_000
/** How far back a page is looked for at first, and then. */
const reachesMs = [8 * dayMs, 32 * dayMs, 128 * dayMs]

/**
 * What ids a page may have, newest first. Executions lie in partitions by time, each of which costs a statement some 0.1 ms to be planned
 * for, several times over with a filter; so first the last few are asked, and further back only by a page that they do not fill.
 */
function stretchesOf({ cursor, from, to, nowMs }: ListOptions): readonly Stretch[] {
  const last = decodeId(cursor)
  const end = to === undefined ? undefined : leastId(to.getTime() + disagreementMs)
  const least = from === undefined ? undefined : leastId(from.getTime() - disagreementMs)
  let below = last === undefined || (end !== undefined && end < last) ? end : last
  const endMs = Math.min(nowMs, below === undefined ? nowMs : timeOf(below))
  const stretches: Stretch[] = []
  for (const bound of reachesMs.map((ms) => leastId(endMs - ms))) {
    if (least !== undefined && least >= bound) break
    stretches.push({ from: bound, below })
    below = bound
  }
  return [...stretches, { from: least, below }]
}

function boundsOf({ from, below }: Stretch): RawBuilder<unknown> {
  const conditions = [...(from === undefined ? [] : [sql`id >= ${from}`]), ...(below === undefined ? [] : [sql`id < ${below}`])]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/**
 * Times are bounds of ids, which the index knows, and stay a condition of their own, which is exact. That one is wrapped so that the
 * planner cannot weigh it: it would count times and ids as independent of each other, expect few rows, and walk those of all workflows.
 */
function timesOf({ from, to }: ListOptions): RawBuilder<unknown> {
  const times = [...(from === undefined ? [] : [sql`created_at >= ${from}`]), ...(to === undefined ? [] : [sql`created_at < ${to}`])]
  return times.length === 0 ? sql`true` : sql`coalesce(${sql.join(times, sql` and `)}, false)`
}
