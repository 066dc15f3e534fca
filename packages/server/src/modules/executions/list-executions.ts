import { type Kysely, type RawBuilder, sql } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#migrations/rows.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { type ExecutionHead, type ExecutionState, executionStates, type TriggerKind, triggerKinds } from './model.ts'
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
}

const cursorShape = z.tuple([z.uuid()])

/** A page of the executions of a workflow that all given filters hold for, newest first. */
export async function listExecutions(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  options: ListOptions,
): Promise<{ data: ExecutionHead[]; nextCursor: string | null }> {
  const { limit } = options
  const within = sql`account_id = ${accountId} and workflow_id = ${workflowId} and ${rangeOf(options)}`
  const ids = sql.join(
    branches(options).map(
      (filter) => sql`(select id from executions where ${within} and ${filter} order by id desc nulls last limit ${limit + 1})`,
    ),
    sql` union all `,
  )
  const { rows } = await sql<HeadRow>`
    select ${headColumns}
    from (select id from (${ids}) found order by id desc nulls last limit ${limit + 1}) page
    join executions e on e.id = page.id
    cross join lateral (select number from workflow_versions where id = e.version_id limit 1) v
    order by e.id desc`.execute(executor)
  return pageOf(rows.map(headOf), limit, (last) => encodeCursor([last.id]))
}

/**
 * Without a filter one scan of executions_by_workflow. With one, a scan of executions_by_filter for each pair of state and trigger that it
 * admits, all of them ordered by id (nulls last, which only these indexes are): so a page reads as many rows as it holds, a few times over,
 * and never walks past what does not fit. The version is looked up behind the page (the limit keeps the planner from joining it first):
 * before it has counted the versions it takes them for one, and would make the page anew for each. Plans: docs/plans.
 */
function branches({ state, trigger }: ListOptions): readonly RawBuilder<unknown>[] {
  if (state === undefined && trigger === undefined) return [sql`true`]
  const states = state === undefined ? executionStates : [state]
  const triggers = trigger === undefined ? triggerKinds : [trigger]
  return states.flatMap((one) => triggers.map((other) => sql`state = ${one} and trigger = ${other}`))
}

/** Clocks of several machines, and of one that was set back, make ids and times disagree by no more than this. */
const disagreementMs = 60_000

/**
 * Times become bounds of ids, which the index knows, and stay a condition of their own, which is exact. That one is wrapped so that the
 * planner cannot weigh it: it would count times and ids as independent of each other, expect few rows, and walk those of all workflows.
 */
function rangeOf({ cursor, from, to }: ListOptions): RawBuilder<unknown> {
  const conditions = [sql`true`]
  if (cursor !== undefined) conditions.push(sql`id < ${decodeCursor(cursor, cursorShape)[0]}`)
  if (from !== undefined) conditions.push(sql`id >= ${leastId(from.getTime() - disagreementMs)}`)
  if (to !== undefined) conditions.push(sql`id < ${leastId(to.getTime() + disagreementMs)}`)
  const times = [...(from === undefined ? [] : [sql`created_at >= ${from}`]), ...(to === undefined ? [] : [sql`created_at < ${to}`])]
  if (times.length > 0) conditions.push(sql`coalesce(${sql.join(times, sql` and `)}, false)`)
  return sql.join(conditions, sql` and `)
}

/** The least UUIDv7 of a time: its first 48 bits are milliseconds since the epoch (RFC 9562). */
function leastId(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
