import type { PoolClient } from 'pg'
import { ERROR_TYPE_BASE, type ErrorData, errorToJson } from '#core/error.ts'
import { DEAD_LETTER, type Store } from '#durable/ports/store.ts'
import { insertEvents } from '#postgres/events/insert-events.ts'
import type { StoreDeps } from '#postgres/store-deps.ts'
import { signalExecutions } from './signal-executions.ts'
import { endWaits, waitsOf } from '#postgres/journal/end-waits.ts'
import { FAILED_TRIALS_MAX, CRASHES_MAX } from './crash-suspects.ts'

/** An id that no process has. A claim that is moved to it is recovered without counting a crash. */
export const ABANDONED_BY = '00000000-0000-0000-0000-000000000000'

/** An execution whose process has no row. */
interface Orphan {
  readonly id: string
  readonly account_id: string
  readonly version_id: string
  readonly parent_id: string | null
  readonly crash_count: number
  /** It becomes a dead letter. */
  readonly dead: boolean
}

/** A process without a heartbeat for this long counts as dead. Heartbeats are sent every two seconds. */
const SILENCE_SECONDS = 10
/** A waiting execution that is overdue by this much has lost its job, and gets another one. */
const OVERDUE_SECONDS = 30
/** Executions that one pass recovers at most, so that its transaction stays short. */
const PASS_MAX = 1_000

export interface RecoveryOptions {
  /** Whether missing heartbeats fence a process; false after this process was disconnected, as the others may have been. */
  readonly fencesSilent: boolean
  readonly eventsOf: Parameters<Store['recover']>[0]
}

/**
 * Fences processes without heartbeats and requeues their executions; executions that keep crashing their process become dead letters. One
 * process at a time recovers. The delete of a process's row waits for its writes under way, and no later write finds the row.
 */
export async function recoverExecutions(
  client: PoolClient,
  deps: StoreDeps,
  { fencesSilent, eventsOf }: RecoveryOptions,
): Promise<{ requeued: number; deadLettered: number }> {
  const { jobs, newId, identity } = deps
  const { rows: lock } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtext('millrace.recovery')) as locked`,
  )
  if (lock[0]?.locked !== true) return { requeued: 0, deadLettered: 0 }
  const deleted = await fenceProcesses(client, await findDeadNeighbours(client, identity), fencesSilent)
  const orphans = await requeueOrphans(client)
  if (deleted > 0 || orphans.length > 0) await jobs.endAbandoned(client)
  const deadLettered = orphans.filter((orphan) => orphan.dead)
  const parents: string[] = []
  for (const orphan of deadLettered) {
    // One after the other: they share a connection, and are few.
    await deadLetter(client, newId(), orphan)
    await publishEnd(client, deps, orphan, eventsOf)
    if (orphan.parent_id !== null) parents.push(orphan.parent_id)
  }
  const requeued = [...orphans.filter((orphan) => !orphan.dead), ...(await signalOverdue(client))]
  const wake = requeued.map((row) => ({ executionId: row.id, accountId: row.account_id, notBeforeMs: undefined }))
  const cancel = deadLettered.length === 0 ? [] : await childrenOf(client, deadLettered)
  const jobsToSend = [...wake, ...(await signalExecutions(client, { wake: parents, cancel, signalledBy: identity.id() }))]
  if (jobsToSend.length > 0) await jobs.send(client, jobsToSend)
  return { requeued: requeued.length, deadLettered: deadLettered.length }
}

/**
 * The claims of processes without a row: those between the ids of two neighbouring processes. The index has a dead entry for each execution that
 * has ended since the last vacuum, and all of them have the ids of live processes, so this reads none of them. A scan of all claims took up to
 * 19 ms a second under load. `$2` is the maximum, `$3` is ABANDONED_BY, which lies below all gaps.
 */
const orphanedClaimsSql = `
  select claim.* from (
    select lag(id, 1, $3::uuid) over (order by id) as above, coalesce(id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as below
    from (select id from processes union all select null) process
  ) gap cross join lateral (
    select id, claimed_by, on_trial from executions where claimed_by > gap.above and claimed_by < gap.below
    order by claimed_by limit $2 for update skip locked
  ) claim
  union all
  select claim.* from (select id, claimed_by, on_trial from executions where claimed_by = $3 limit $2 for update skip locked) claim`

/**
 * Makes executions pending whose process has no row, and counts their crashes. A journal entry since the last recovery (`recovered_seq`)
 * resets both counts. A crash is a failed trial if the execution made no progress and was the only one on trial in its process.
 */
async function requeueOrphans(client: PoolClient): Promise<readonly Orphan[]> {
  const { rows } = await client.query<Orphan>(
    `with orphan as (
       select e.id, e.claimed_by, e.on_trial, coalesce((select max(seq) from journal j where j.execution_id = e.id), -1) as seq
       from (${orphanedClaimsSql} limit $2) e
     )
     update executions e set
       crash_count = case when orphan.seq > e.recovered_seq then 0 else e.crash_count end + case when orphan.claimed_by = $3 then 0 else 1 end,
       failed_trials = case when orphan.seq > e.recovered_seq then 0 else e.failed_trials end
         + case when orphan.claimed_by <> $3 and orphan.seq <= e.recovered_seq and orphan.on_trial
             and (select count(*) from orphan peer where peer.on_trial and peer.claimed_by = orphan.claimed_by) = 1 then 1 else 0 end,
       crashed_at = case when orphan.claimed_by = $3 then e.crashed_at else now() end,
       on_trial = false,
       recovered_seq = orphan.seq,
       claimed_by = null,
       state = 'pending'
     from orphan where e.id = orphan.id
     returning e.id, e.account_id, e.version_id, e.parent_id, e.crash_count,
       (e.failed_trials >= $1 or e.crash_count >= $4) and e.cancel_requested_at is null as dead`,
    [FAILED_TRIALS_MAX, PASS_MAX, ABANDONED_BY, CRASHES_MAX],
  )
  return rows
}

/** Signals waiting executions that have lost the job for their timer. The signal keeps later passes from sending another job. */
async function signalOverdue(client: PoolClient): Promise<readonly Pick<Orphan, 'id' | 'account_id'>[]> {
  const { rows } = await client.query<Pick<Orphan, 'id' | 'account_id'>>(
    `update executions set signalled_at = now()
     where id in (select id from executions where state = 'waiting' and wake_at < now() - make_interval(secs => $1) and signalled_at is null
                  order by wake_at limit $2 for update skip locked)
     returning id, account_id`,
    [OVERDUE_SECONDS, PASS_MAX],
  )
  return rows
}

/** Deletes the rows of dead processes, which fences them, and records their crashes. @returns how many. */
async function fenceProcesses(client: PoolClient, dead: readonly string[], fencesSilent: boolean): Promise<number> {
  const { rowCount } = await client.query(
    `with dead as (
       delete from processes where ($3 and heartbeat_at < now() - make_interval(secs => $1)) or id = any($2::uuid[]) returning id, host
     ) insert into process_crashes (id, host, crashed_at) select id, host, now() from dead`,
    [SILENCE_SECONDS, dead, fencesSilent],
  )
  if (rowCount === null || rowCount === 0) return 0
  await client.query(`delete from process_crashes where crashed_at < now() - interval '1 day'`)
  return rowCount
}

/** Processes of this machine that no longer exist, which is known without waiting for missing heartbeats. */
async function findDeadNeighbours(client: PoolClient, identity: StoreDeps['identity']): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string; pid: number }>(`select id, pid from processes where host = $1 and id <> $2`, [
    identity.host,
    identity.id(),
  ])
  // An earlier process with our own pid has ended: in a container every process has the same pid.
  return rows.filter(({ pid }) => pid === identity.pid || !identity.lives(pid)).map(({ id }) => id)
}

/** The children whose end the executions wait for. They are cancelled, as when an execution faults by itself. */
async function childrenOf(client: PoolClient, parents: readonly Orphan[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select e.id from journal j join executions e on e.id = (j.value #>> '{}')::uuid and e.parent_id = j.execution_id
     where j.execution_id = any($1::uuid[]) and j.kind = 'workflow' and j.phase = 'started'`,
    [parents.map(({ id }) => id)],
  )
  return rows.map(({ id }) => id)
}

async function deadLetter(client: PoolClient, letterId: string, orphan: Orphan): Promise<void> {
  const error = errorOf(orphan)
  await client.query(
    `with ended as (
       update executions set state = 'faulted', error = $2, ended_at = now(), signalled_at = null where id = $1 returning id, account_id
     ) insert into execution_ends (account_id, execution_ids) select account_id, array[id] from ended`,
    [orphan.id, JSON.stringify(errorToJson(error))],
  )
  await endWaits(client, await waitsOf(client, orphan.id))
  await client.query(
    `insert into dead_letters (id, account_id, execution_id, workflow_id, reason, attempts, payload, created_at)
     select $1, account_id, id, workflow_id, $3, crash_count, json_build_object('workflowId', workflow_id, 'versionId', version_id, 'input', input), now()
     from executions where id = $2`,
    [letterId, orphan.id, error.detail],
  )
}

function errorOf({ crash_count: crashes }: Orphan): ErrorData {
  const detail = `its process died ${crashes} times without progress in between`
  return { type: `${ERROR_TYPE_BASE}runtime`, status: 500, title: DEAD_LETTER, detail, instance: '/' }
}

async function publishEnd(client: PoolClient, deps: StoreDeps, orphan: Orphan, eventsOf: RecoveryOptions['eventsOf']): Promise<void> {
  const { id, account_id: accountId, version_id: versionId } = orphan
  const events = (await eventsOf?.({ id, accountId, versionId, error: errorOf(orphan) })) ?? []
  if (events.length === 0) return
  await insertEvents(
    client,
    events.map((event) => ({ accountId, event, executionId: id })),
    deps,
  )
}
