import type { PoolClient } from 'pg'
import { unfinishedStatesSql } from '#core/execution-state.ts'
import type { Job } from '#postgres/queue/job-queue.ts'
import { notifyWorkers } from '#postgres/queue/notifications.ts'
import { idBounds } from '#postgres/sql/id-bounds.ts'

export interface ExecutionSignals {
  /** Executions whose child has ended, or that have received a message. */
  readonly wake: readonly string[]
  /** Executions to be cancelled. */
  readonly cancel: readonly string[]
  /** The process that signals: the executions that it runs itself need no notification. */
  readonly signalledBy: string
}

/**
 * Sets the signal of unfinished executions, for the processes that run them. Not part of the flush statement, since one statement cannot change a
 * row twice: the flush that ends a child may also park its parent. The id bounds appear only once in the statement: with
 * two occurrences PostgreSQL 18 loses rows that another transaction has just changed (generic-plans.test.ts).
 * @returns jobs for the signalled executions that no process runs, to be sent in the same transaction.
 */
export async function signalExecutions(
  client: Pick<PoolClient, 'query'>,
  { wake, cancel, signalledBy }: ExecutionSignals,
): Promise<readonly Job[]> {
  if (wake.length + cancel.length === 0) return []
  const { rows } = await client.query<{ id: string; account_id: string; state: string; claimed_by: string | null }>({
    name: 'signal',
    text: `update executions e set signalled_at = now(),
        cancel_requested_at = case when e.id = any($2::uuid[]) then coalesce(e.cancel_requested_at, now()) else e.cancel_requested_at end
      where e.id in (select id from executions where id = any($1::uuid[] || $2::uuid[]) and id between $3 and $4 order by id for update)
        and e.state in ${unfinishedStatesSql}
      returning e.id, e.account_id, e.state, e.claimed_by`,
    values: [wake, cancel, ...idBounds([...wake, ...cancel])],
  })
  const elsewhere = rows.filter((row) => row.claimed_by !== null && row.claimed_by !== signalledBy).map(({ id }) => id)
  if (elsewhere.length > 0) await notifyWorkers(client, elsewhere)
  const cancelled = new Set(cancel)
  return rows
    .filter(({ id, state }) => state === 'waiting' || (state === 'suspended' && cancelled.has(id)))
    .map((row) => ({ executionId: row.id, accountId: row.account_id, notBeforeMs: undefined }))
}
