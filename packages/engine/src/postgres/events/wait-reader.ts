import { type RawBuilder, sql } from 'kysely'
import { segmentName } from '#core/json-pointer.ts'
import type { SqlExecutor } from '#postgres/storage/sql-database.ts'

/** A wait of a row of an outer query. */
export interface WaitColumns {
  readonly executionId: RawBuilder<unknown>
  readonly position: RawBuilder<unknown>
  readonly topic: string
}

/**
 * A condition: whether a wait is open. Not `exists`: expecting many rows, the planner would then read all waits of all accounts at once, while a page
 * ends after few.
 */
export function isWaitOpenSql({ executionId, position, topic }: WaitColumns): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select true from waits w where w.execution_id = ${executionId} and w.position = ${position} and w.topic = ${sql.lit(topic)} limit 1), false)`
}

/** What a parked execution waits for, as far as it is known without its journal. */
export interface OpenWait {
  readonly what: 'time' | 'event' | 'decision' | 'execution'
  /** Name of the task that waits, of an event or a decision. */
  readonly task: string | undefined
  /** When it continues at the latest. */
  readonly until: Date | undefined
}

interface WaitRow {
  readonly id: string
  readonly wake_at: Date | null
  readonly decision: string | null
  readonly event: string | null
  readonly has_child: boolean
}

/** What executions wait for, by id, of those that are parked; of several waits a decision before an event, and both before another execution and a time. */
export async function findOpenWaits(
  executor: SqlExecutor,
  accountId: string,
  executionIds: readonly string[],
): Promise<ReadonlyMap<string, OpenWait>> {
  if (executionIds.length === 0) return new Map()
  const { rows } = await sql<WaitRow>`
    select e.id, e.wake_at, w.position as decision, l.position as event,
      case when w.position is null and l.position is null then exists (
        select from executions c where c.parent_id = e.id and c.state in ('pending', 'running', 'waiting', 'suspended')
      ) else false end as has_child
    from executions e
      left join lateral (select position from waits where execution_id = e.id order by opened_at limit 1) w on true
      left join lateral (select position from listeners where execution_id = e.id order by id limit 1) l on true
    where e.id = any(${[...executionIds]}::uuid[]) and e.account_id = ${accountId} and e.state = 'waiting'`.execute(executor)
  return new Map(rows.map((row) => [row.id, waitOf(row)]))
}

function waitOf({ wake_at: wakeAt, decision, event, has_child: hasChild }: WaitRow): OpenWait {
  const until = wakeAt ?? undefined
  if (decision !== null) return { what: 'decision', task: taskNameOf(decision), until }
  if (event !== null) return { what: 'event', task: taskNameOf(event), until }
  return { what: hasChild || until === undefined ? 'execution' : 'time', task: undefined, until }
}

/** The name of the task at a position, without iterations, visits and attempts. */
function taskNameOf(position: string): string {
  return segmentName(position.slice(position.lastIndexOf('/') + 1).replace(/(?:\[\d+\]|[!~]\d+)+$/, ''))
}
