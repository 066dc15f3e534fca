import type { Pool, PoolClient } from 'pg'
import { unfinishedStatesSql } from '#core/execution-state.ts'
import type { Turns } from '#durable/ports/turns.ts'
import type { JobSender } from '#postgres/queue/job-queue.ts'
import { inTransaction } from '#postgres/sql/with-client.ts'

export interface TurnsDeps {
  readonly pool: Pool
  readonly jobs: JobSender
  /** The process that claims. */
  readonly processId: () => string
}

/** Turns as rows of `execution_turns`, which are changed under a lock of their workflow. */
export function createTurns({ pool, jobs, processId }: TurnsDeps): Turns {
  /** Puts those that are next on the queue, while there are free turns. The limit is that of the latest version of which one waits. */
  async function pass(client: PoolClient, workflowId: string): Promise<void> {
    const admitted = await countAdmitted(client, workflowId)
    const { rows } = await client.query<{ execution_id: string; account_id: string }>(
      `update execution_turns set admitted = true where execution_id in (
         select t.execution_id from execution_turns t join executions e on e.id = t.execution_id
         where t.workflow_id = $1 and not t.admitted and e.state = 'pending' and e.claimed_by is null
         order by t.execution_id
         limit greatest(0, (select turn_max from execution_turns where workflow_id = $1 and not admitted order by execution_id desc limit 1) - $2::int))
       returning execution_id, account_id`,
      [workflowId, admitted],
    )
    if (rows.length === 0) return
    await jobs.send(
      client,
      rows.map((row) => ({ executionId: row.execution_id, accountId: row.account_id, notBeforeMs: undefined })),
    )
  }

  /** Makes the execution pending. One whose process has lost it meanwhile is recovered, and takes a turn then. */
  async function putBack(client: PoolClient, { id, accountId }: { readonly id: string; readonly accountId: string }): Promise<void> {
    const { rows } = await client.query<{ signalled: boolean }>(
      `update executions set state = 'pending', claimed_by = null, started_at = null where id = $1 and claimed_by = $2
       returning cancel_requested_at is not null or suspend_requested_at is not null as signalled`,
      [id, processId()],
    )
    // The signal was for the process that had claimed it: the next one acts on it.
    if (rows[0]?.signalled === true) await jobs.send(client, [{ executionId: id, accountId, notBeforeMs: undefined }])
  }

  return {
    take: ({ head, max }) =>
      inTransaction(pool, async (client) => {
        const { id, accountId, workflowId, parentId } = head
        await lock(client, workflowId)
        const own = await client.query(`select from execution_turns where execution_id = $1 and admitted`, [id])
        if (own.rowCount === 1) return true
        const isFree =
          (parentId !== undefined && (await hasAncestorWithTurn(client, id, workflowId))) ||
          ((await countAdmitted(client, workflowId)) < max && !(await isBehindOthers(client, id, workflowId)))
        await client.query(
          `insert into execution_turns (execution_id, account_id, workflow_id, turn_max, admitted) values ($1, $2, $3, $4, $5)
           on conflict (execution_id) do update set turn_max = excluded.turn_max, admitted = excluded.admitted`,
          [id, accountId, workflowId, max, isFree],
        )
        if (isFree) return true
        await putBack(client, head)
        await pass(client, workflowId)
        return false
      }),

    end: (executionId) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ workflow_id: string }>(`select workflow_id from execution_turns where execution_id = $1`, [
          executionId,
        ])
        const [row] = rows
        if (row === undefined) return
        await lock(client, row.workflow_id)
        await client.query(`delete from execution_turns where execution_id = $1`, [executionId])
        await pass(client, row.workflow_id)
      }),

    async passAbandoned() {
      const { rows } = await pool.query<{ workflow_id: string }>(
        `select distinct t.workflow_id from execution_turns t
         where t.admitted and not exists (select from executions e where e.id = t.execution_id and e.state in ${unfinishedStatesSql})`,
      )
      for (const { workflow_id: workflowId } of rows)
        await inTransaction(pool, async (client) => {
          await lock(client, workflowId)
          await pass(client, workflowId)
        })
    },
  }
}

async function lock(client: PoolClient, workflowId: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('millrace.turns ' || $1, 0))`, [workflowId])
}

/** Also deletes the turns of executions that have ended. */
async function countAdmitted(client: PoolClient, workflowId: string): Promise<number> {
  const { rows } = await client.query<{ admitted: number }>(
    `with ended as (
       delete from execution_turns t where workflow_id = $1 and admitted
         and not exists (select from executions e where e.id = t.execution_id and e.state in ${unfinishedStatesSql})
       returning execution_id
     ) select (count(*) - (select count(*) from ended))::int as admitted from execution_turns where workflow_id = $1 and admitted`,
    [workflowId],
  )
  return rows[0]?.admitted ?? 0
}

async function isBehindOthers(client: PoolClient, id: string, workflowId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from execution_turns t join executions e on e.id = t.execution_id
     where t.workflow_id = $1 and not t.admitted and t.execution_id < $2 and e.state = 'pending' limit 1`,
    [workflowId, id],
  )
  return rowCount === 1
}

/** Whether an execution of the same workflow that has a turn waits for this one: it would wait forever. */
async function hasAncestorWithTurn(client: PoolClient, id: string, workflowId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `with recursive ancestors as (
       select parent_id as id from executions where id = $1
       union all select e.parent_id from executions e join ancestors a on e.id = a.id
     ) select from ancestors a join execution_turns t on t.execution_id = a.id where t.workflow_id = $2 and t.admitted limit 1`,
    [id, workflowId],
  )
  return rowCount === 1
}
