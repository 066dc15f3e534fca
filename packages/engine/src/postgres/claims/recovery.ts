import type { PoolClient } from 'pg'
import type { StoreDeps } from '#postgres/store-deps.ts'
import { signalExecutions } from './signal-executions.ts'
import { endWaits, waitsOf } from '#postgres/journal/end-waits.ts'
import { FAILED_TRIALS_MAX, CRASHES_MAX } from './crash-suspects.ts'

/** A process that never is: what it has claimed is lost, and recovered without a death being held against it. */
export const ABANDONED_BY = '00000000-0000-0000-0000-000000000000'

interface Orphan {
  readonly id: string
  readonly account_id: string
  readonly parent_id: string | null
  readonly deliveries: number
  readonly given_up: boolean
}

/** Silence after which a process is given up. Heartbeats come every two seconds. */
const SILENCE_SECONDS = 10
/** Waiting executions whose time has come this long ago have lost their job, and get another. */
const OVERDUE_SECONDS = 30
/** One pass takes up no more than this, so that its transaction stays short. */
const PASS_MAX = 1_000

/**
 * Gives up processes that are silent, and puts what they ran back on the queue; executions that keep killing their process become dead
 * letters instead. Runs in one process at a time. Deleting a process's row is what fences it: the delete waits for its writes under way,
 * and after it no write finds the row.
 * @param judgesSilence false where the database was away from this process, as it may have been from the others.
 */
export async function recoverExecutions(
  client: PoolClient,
  { jobs, newId, identity }: StoreDeps,
  judgesSilence: boolean,
): Promise<{ requeued: number; deadLettered: number }> {
  const { rows: turn } = await client.query<{ mine: boolean }>(`select pg_try_advisory_xact_lock(hashtext('millrace.recovery')) as mine`)
  if (turn[0]?.mine !== true) return { requeued: 0, deadLettered: 0 }
  const gone = await deleteDeadProcesses(client, await findDeadNeighbours(client, identity), judgesSilence)
  const { rows: orphans } = await client.query<Orphan>(
    `with orphan as (
       select e.id, e.claimed_by, e.on_trial, coalesce((select max(seq) from journal j where j.execution_id = e.id), -1) as seq
       from executions e
       where e.claimed_by is not null and not exists (select from processes p where p.id = e.claimed_by)
       order by e.id limit $2 for update of e skip locked
     )
     update executions e set
       deliveries = case when orphan.seq > e.recovered_seq then 0 else e.deliveries end + case when orphan.claimed_by = $3 then 0 else 1 end,
       accusations = case when orphan.seq > e.recovered_seq then 0 else e.accusations end
         + case when orphan.claimed_by <> $3 and orphan.seq <= e.recovered_seq and orphan.on_trial
             and (select count(*) from orphan other where other.on_trial and other.claimed_by = orphan.claimed_by) = 1 then 1 else 0 end,
       died_at = case when orphan.claimed_by = $3 then e.died_at else now() end,
       on_trial = false,
       recovered_seq = orphan.seq,
       claimed_by = null,
       state = 'pending'
     from orphan where e.id = orphan.id
     returning e.id, e.account_id, e.parent_id, e.deliveries,
       (e.accusations >= $1 or e.deliveries >= $4) and e.cancel_requested_at is null as given_up`,
    [FAILED_TRIALS_MAX, PASS_MAX, ABANDONED_BY, CRASHES_MAX],
  )
  if (gone > 0 || orphans.length > 0) await jobs.endAbandoned(client)
  const givenUp = orphans.filter((orphan) => orphan.given_up)
  const parents: string[] = []
  for (const orphan of givenUp) {
    // One connection, and rarely more than one.
    await deadLetter(client, newId(), orphan)
    if (orphan.parent_id !== null) parents.push(orphan.parent_id)
  }
  const { rows: overdue } = await client.query<{ id: string; account_id: string }>(
    `update executions set signalled_at = now()
     where id in (select id from executions where state = 'waiting' and wake_at < now() - make_interval(secs => $1) and signalled_at is null
                  order by wake_at limit $2 for update skip locked)
     returning id, account_id`,
    [OVERDUE_SECONDS, PASS_MAX],
  )
  const requeued = [...orphans.filter((orphan) => !orphan.given_up), ...overdue]
  const wake = requeued.map((row) => ({ executionId: row.id, accountId: row.account_id, afterMs: undefined }))
  const all = [...wake, ...(await signalExecutions(client, { wake: parents, cancel: [], signalledBy: identity.id() }))]
  if (all.length > 0) await jobs.send(client, all)
  return { requeued: requeued.length, deadLettered: givenUp.length }
}

/** Takes the rows of processes that are gone, and keeps when that was. @returns how many. */
async function deleteDeadProcesses(client: PoolClient, dead: readonly string[], judgesSilence: boolean): Promise<number> {
  const { rowCount } = await client.query(
    `with gone as (
       delete from processes where ($3 and heartbeat_at < now() - make_interval(secs => $1)) or id = any($2::uuid[]) returning id, host
     ) insert into process_deaths (id, host, died_at) select id, host, now() from gone`,
    [SILENCE_SECONDS, dead, judgesSilence],
  )
  if (rowCount === null || rowCount === 0) return 0
  await client.query(`delete from process_deaths where died_at < now() - interval '1 day'`)
  return rowCount
}

/** Processes of this machine that are known to be dead need no silence to be waited for. */
async function findDeadNeighbours(client: PoolClient, identity: StoreDeps['identity']): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string; pid: number }>(`select id, pid from processes where host = $1 and id <> $2`, [
    identity.host,
    identity.id(),
  ])
  // A process that had our own pid before us cannot be there any more; in a container that is the usual case.
  return rows.filter(({ pid }) => pid === identity.pid || !identity.lives(pid)).map(({ id }) => id)
}

async function deadLetter(client: PoolClient, letterId: string, orphan: Orphan): Promise<void> {
  const detail = `its process died ${orphan.deliveries} times without progress in between`
  const error = {
    type: 'https://open-workflow-specification.org/spec/1.0.0/errors/runtime',
    status: 500,
    title: 'Given up',
    detail,
    instance: '/',
  }
  await client.query(`update executions set state = 'faulted', error = $2, ended_at = now(), signalled_at = null where id = $1`, [
    orphan.id,
    JSON.stringify(error),
  ])
  await endWaits(client, await waitsOf(client, orphan.id))
  await client.query(
    `insert into dead_letters (id, account_id, execution_id, reason, attempts, payload, created_at)
     select $1, account_id, id, $3, deliveries, json_build_object('workflowId', workflow_id, 'versionId', version_id, 'input', input), now()
     from executions where id = $2`,
    [letterId, orphan.id, detail],
  )
}
