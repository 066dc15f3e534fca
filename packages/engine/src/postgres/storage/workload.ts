import { type RawBuilder, sql } from 'kysely'
import { RUN_QUEUE } from '#postgres/queue/job-queue.ts'
import type { SqlExecutor } from './sql-database.ts'

/** The queue of executions, over all accounts. */
export interface QueueState {
  /** Jobs that are due and not claimed. */
  readonly depth: number
  readonly active: number
  readonly deadLetters: number
  /** Seconds for which the oldest due job has been due; null if no job is due. */
  readonly oldestWaitingSeconds: number | null
}

/** Jobs with a start time in the future do not count. */
export async function readQueueState(executor: SqlExecutor): Promise<QueueState> {
  const { rows } = await sql<{ depth: number; active: number; dead: number; oldest: number | null }>`
    select
      count(*) filter (where state <> 'active')::int4 as depth,
      count(*) filter (where state = 'active')::int4 as active,
      (select count(*)::int4 from dead_letters) as dead,
      extract(epoch from now() - min(start_after) filter (where state <> 'active'))::float8 as oldest
    from pgboss.job where name = ${RUN_QUEUE} and state <= 'active' and (state = 'active' or start_after <= now())`.execute(executor)
  const row = rows[0]
  return {
    depth: row?.depth ?? 0,
    active: row?.active ?? 0,
    deadLetters: row?.dead ?? 0,
    oldestWaitingSeconds: row?.oldest ?? null,
  }
}

/** Executions of all accounts that a process has claimed, and those that are waiting; each count scans one small partial index. */
export async function countExecutions(executor: SqlExecutor): Promise<{ readonly running: number; readonly waiting: number }> {
  const { rows } = await sql<{ running: number; waiting: number }>`
    select (select count(*)::int4 from executions where claimed_by is not null) as running,
      (select count(*)::int4 from executions where state = 'waiting') as waiting`.execute(executor)
  return rows[0] ?? { running: 0, waiting: 0 }
}

/** A process that has renewed its row lately. */
export interface LiveProcess {
  readonly host: string
  readonly pid: number
  readonly roles: readonly string[]
  readonly startedAt: Date
  readonly heartbeatAt: Date
}

/** Processes with a heartbeat of the last 15 seconds, oldest first. */
export async function listLiveProcesses(executor: SqlExecutor, limit: number): Promise<readonly LiveProcess[]> {
  const { rows } = await sql<LiveProcess>`
    select host, pid, roles, started_at as "startedAt", heartbeat_at as "heartbeatAt" from processes
    where heartbeat_at > now() - interval '15 seconds' order by started_at limit ${limit}`.execute(executor)
  return rows
}

/**
 * A query for `id, state, created_at, ended_at` of a workflow's latest execution, to be used as a lateral join. One descent of
 * executions_by_workflow: only that index has this order of nulls.
 * @param workflowId of the outer query.
 * @param upTo no later execution than this one.
 */
export function latestExecutionQuery(workflowId: RawBuilder<unknown>, upTo?: string): RawBuilder<unknown> {
  const bound = upTo === undefined ? sql`true` : sql`id <= ${upTo}`
  return sql`select id, state, created_at, ended_at from executions
    where workflow_id = ${workflowId} and ${bound} order by id desc nulls last limit 1`
}
