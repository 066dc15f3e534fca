import type { PoolClient } from 'pg'
import { ring } from '#postgres/queue/notifications.ts'
import { idBounds } from '#postgres/sql/id-bounds.ts'
import type { Job } from '#postgres/queue/job-queue.ts'

export interface Tellings {
  /** Executions whose child has ended, or that a message came to. */
  readonly parents: readonly string[]
  /** Executions that nobody waits for any more. */
  readonly cancels: readonly string[]
  /** The process that tells: what itself runs it tells by itself. */
  readonly by: string
}

/**
 * Marks executions that something happened to, for whoever runs them. A statement of its own, since one statement must not change a row
 * twice: the parent may have been parked by the very flush that ends its child. The bounds stand in one place only: with two, PostgreSQL 18
 * loses rows that another transaction has just changed (generic-plans.test.ts).
 * @returns jobs for those that nobody runs, to be sent in the same transaction.
 */
export async function tell(client: Pick<PoolClient, 'query'>, { parents, cancels, by }: Tellings): Promise<readonly Job[]> {
  if (parents.length + cancels.length === 0) return []
  const { rows } = await client.query<{ id: string; account_id: string; state: string; claimed_by: string | null }>({
    name: 'tell',
    text: `update executions e set signalled_at = now(),
        cancel_requested_at = case when e.id = any($2::uuid[]) then coalesce(e.cancel_requested_at, now()) else e.cancel_requested_at end
      where e.id in (select id from executions where id = any($1::uuid[] || $2::uuid[]) and id between $3 and $4 order by id for update)
        and e.state in ('pending', 'running', 'waiting', 'suspended')
      returning e.id, e.account_id, e.state, e.claimed_by`,
    values: [parents, cancels, ...idBounds([...parents, ...cancels])],
  })
  const elsewhere = rows.filter((row) => row.claimed_by !== null && row.claimed_by !== by).map(({ id }) => id)
  if (elsewhere.length > 0) await ring(client, elsewhere)
  const cancelled = new Set(cancels)
  return rows
    .filter(({ id, state }) => state === 'waiting' || (state === 'suspended' && cancelled.has(id)))
    .map((row) => ({ executionId: row.id, accountId: row.account_id, afterMs: undefined }))
}
