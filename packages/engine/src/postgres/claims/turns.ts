import type { Pool, PoolClient } from 'pg'
import { terminalStatesSql } from '#core/execution-state.ts'
import type { TurnRequest, Turns } from '#durable/ports/turns.ts'
import type { JobSender } from '#postgres/queue/job-queue.ts'
import { inTransaction } from '#postgres/sql/with-client.ts'

export interface TurnsDeps {
  readonly pool: Pool
  readonly jobs: JobSender
  /** The process that claims. */
  readonly processId: () => string
}

/** Executions that one pass admits at most, and calls that share a transaction at most. */
const PASS_MAX = 100
/** Waiting executions that one sweep looks at. */
const SWEEP_MAX = 1_000
const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Turns as rows of `execution_turns`, which are changed under a lock of their workflow. A row counts while it is admitted; those of executions that
 * end or are suspended where no process notes it are corrected by `passAbandoned`.
 */
export function createTurns({ pool, jobs, processId }: TurnsDeps): Turns {
  /** Puts those that are next on the queue, in their order, as long as each finds fewer with a turn than its own version permits. */
  async function admitNext(client: PoolClient, workflowId: string): Promise<void> {
    const { rows } = await client.query<{ execution_id: string; account_id: string }>(
      `update execution_turns set admitted = true where execution_id in (
         select execution_id from (
           select execution_id, bool_and(nth + (select count(*) from execution_turns where workflow_id = $1 and admitted) <= turn_max)
             over (order by execution_id) as is_next
           from (
             select t.execution_id, t.turn_max, row_number() over (order by t.execution_id) as nth
             from execution_turns t join executions e on e.id = t.execution_id
             where t.workflow_id = $1 and not t.admitted and e.state = 'pending' and e.claimed_by is null
             order by t.execution_id limit ${PASS_MAX}
           ) waiting
         ) judged where is_next)
       returning execution_id, account_id`,
      [workflowId],
    )
    if (rows.length === 0) return
    await jobs.send(
      client,
      rows.map((row) => ({ executionId: row.execution_id, accountId: row.account_id, notBeforeMs: undefined })),
    )
  }

  /** Makes the execution pending. One whose process has lost it meanwhile is recovered, and takes a turn then. */
  async function putBack(client: PoolClient, { head: { id, accountId }, hasBegun }: TurnRequest): Promise<void> {
    const { rows } = await client.query<{ signalled: boolean }>(
      `update executions set state = 'pending', claimed_by = null, started_at = case when $3 then started_at end
       where id = $1 and claimed_by = $2
       returning cancel_requested_at is not null or suspend_requested_at is not null as signalled`,
      [id, processId(), hasBegun],
    )
    // The signal was for the process that had claimed it: the next one acts on it.
    if (rows[0]?.signalled === true) await jobs.send(client, [{ executionId: id, accountId, notBeforeMs: undefined }])
  }

  /** What this process has to do with the turns of each workflow. */
  const queues = new Map<string, Waiting[]>()
  /** Where the next search for turns of ended executions begins. */
  let sweepFrom = LOWEST_ID

  /**
   * Acts on the turns of a workflow, in a transaction that has them alone. Within this process the calls are made in their order, so that executions keep
   * it, and those that wait share a transaction: a workflow has no more than one connection, and many turns cost few commits.
   */
  function enqueue(workflowId: string, act: Act): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const waiting = { act, resolve, reject }
      const queue = queues.get(workflowId)
      if (queue !== undefined) queue.push(waiting)
      else {
        const begun = [waiting]
        queues.set(workflowId, begun)
        void work(workflowId, begun)
      }
    })
  }

  async function work(workflowId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, PASS_MAX)
      const isCommitted = await commit(workflowId, batch)
      // The one that fails must not prevent the others.
      if (!isCommitted) for (const one of batch) await commit(workflowId, [one])
    }
    queues.delete(workflowId)
  }

  /** @returns false if it failed for several calls, none of which has its result then. */
  async function commit(workflowId: string, batch: readonly Waiting[]): Promise<boolean> {
    try {
      const acted = await inTransaction(pool, async (client) => {
        await lock(client, workflowId)
        const results: Acted[] = []
        for (const { act } of batch) results.push(await act(client))
        if (results.some(({ mayAdmit }) => mayAdmit)) await admitNext(client, workflowId)
        return results
      })
      for (const [index, { resolve }] of batch.entries()) resolve(acted[index]?.hasTurn === true)
    } catch (error) {
      if (batch.length > 1) return false
      for (const { reject } of batch) reject(error)
    }
    return true
  }

  async function take(client: PoolClient, request: TurnRequest): Promise<Acted> {
    const { head, max } = request
    const { id, accountId, workflowId, parentId } = head
    const place = await placeOf(client, id, workflowId)
    if (place.isAdmitted) return { hasTurn: true, mayAdmit: false }
    const hasRoom = place.admitted < max
    const isFree = (hasRoom && !place.isBehindOthers) || (parentId !== undefined && (await hasAncestorWithTurn(client, id, workflowId)))
    await client.query(
      `insert into execution_turns (execution_id, account_id, workflow_id, turn_max, admitted) values ($1, $2, $3, $4, $5)
       on conflict (execution_id) do update set turn_max = excluded.turn_max, admitted = excluded.admitted`,
      [id, accountId, workflowId, max, isFree],
    )
    if (isFree) return { hasTurn: true, mayAdmit: false }
    await putBack(client, request)
    return { hasTurn: false, mayAdmit: hasRoom }
  }

  return {
    take: (request) => enqueue(request.head.workflowId, (client) => take(client, request)),

    async end({ id, workflowId }) {
      await enqueue(workflowId, async (client) => {
        await client.query(`delete from execution_turns where execution_id = $1`, [id])
        return { hasTurn: false, mayAdmit: true }
      })
    },

    async passAbandoned() {
      const { rows } = await pool.query<{ workflow_id: string }>(
        `select distinct t.workflow_id from execution_turns t left join executions e on e.id = t.execution_id
         where t.admitted and (e.state is null or e.state = 'suspended' or e.state in ${terminalStatesSql})`,
      )
      for (const { workflow_id: workflowId } of rows)
        await enqueue(workflowId, async (client) => {
          await takeBack(client, workflowId)
          return { hasTurn: false, mayAdmit: true }
        })
      sweepFrom = await deleteEnded(pool, sweepFrom)
    },
  }
}

/** What a call has done with the turns of a workflow. */
interface Acted {
  readonly hasTurn: boolean
  /** Whether turns may have become free for those that wait. */
  readonly mayAdmit: boolean
}

type Act = (client: PoolClient) => Promise<Acted>

interface Waiting {
  readonly act: Act
  readonly resolve: (hasTurn: boolean) => void
  readonly reject: (error: unknown) => void
}

async function lock(client: PoolClient, workflowId: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('millrace.turns ' || $1, 0))`, [workflowId])
}

interface Place {
  readonly isAdmitted: boolean
  /** How many have a turn. */
  readonly admitted: number
  /** Whether one that started before it waits for a turn. */
  readonly isBehindOthers: boolean
}

async function placeOf(client: PoolClient, id: string, workflowId: string): Promise<Place> {
  const { rows } = await client.query<{ is_admitted: boolean; admitted: number; is_behind: boolean }>(
    `select exists (select from execution_turns where execution_id = $1 and admitted) as is_admitted,
       (select count(*)::int from execution_turns where workflow_id = $2 and admitted) as admitted,
       exists (select from execution_turns t join executions e on e.id = t.execution_id
         where t.workflow_id = $2 and not t.admitted and t.execution_id < $1 and e.state = 'pending') as is_behind`,
    [id, workflowId],
  )
  const [row] = rows
  return { isAdmitted: row?.is_admitted === true, admitted: row?.admitted ?? 0, isBehindOthers: row?.is_behind === true }
}

/** Takes the turns of executions that are suspended, which wait for another one when they are resumed, and of those that have ended. */
async function takeBack(client: PoolClient, workflowId: string): Promise<void> {
  await client.query(
    `with suspended as (
       update execution_turns t set admitted = false from executions e
       where t.workflow_id = $1 and t.admitted and e.id = t.execution_id and e.state = 'suspended'
     ) delete from execution_turns t where t.workflow_id = $1 and t.admitted
       and not exists (select from executions e where e.id = t.execution_id and e.state not in ${terminalStatesSql})`,
    [workflowId],
  )
}

/**
 * Deletes the rows of executions that ended while they waited and whose process died before it deleted them, among the next ones from an id on.
 * @returns where the next sweep begins.
 */
async function deleteEnded(pool: Pool, from: string): Promise<string> {
  const { rows } = await pool.query<{ last: string | null }>(
    `with looked as materialized (
       select execution_id from execution_turns where not admitted and execution_id >= $1 order by execution_id limit ${SWEEP_MAX}
     ), deleted as (
       delete from execution_turns where not admitted and execution_id in (
         select l.execution_id from looked l join executions e on e.id = l.execution_id where e.state in ${terminalStatesSql})
     )
     select execution_id as last from looked offset ${SWEEP_MAX - 1}`,
    [from],
  )
  return rows[0]?.last ?? LOWEST_ID
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
