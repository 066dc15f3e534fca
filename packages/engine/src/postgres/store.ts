import type { PoolClient } from 'pg'
import { errorFromJson } from '#core/error.ts'
import { type ExecutionState, isTerminal } from '#core/execution-state.ts'
import { type JsonObject, parseJson } from '#core/json.ts'
import type { ExecutionSnapshot } from '#durable/ports/execution.ts'
import type { Signal, Store } from '#durable/ports/store.ts'
import { type JobSender, RUN_QUEUE } from './queue/job-queue.ts'
import { insertEvents } from './events/insert-events.ts'
import { findMessages } from './claims/messages.ts'
import { insertContinuation, readRecord } from './journal/execution-record.ts'
import { ABANDONED_BY, recoverExecutions } from './claims/recovery.ts'
import type { StoreDeps } from './store-deps.ts'
import { claimExecutions } from './claims/claim-executions.ts'
import { inTransaction } from './sql/with-client.ts'

/** After a gap between its own heartbeats a process fences no others for missing heartbeats until they have had time to send some. */
const STEADY_MS = { gap: 5_000, after: 10_000 } as const

interface OutcomeRow {
  id: string
  state: ExecutionState
  output: string | null
  error: string | null
  reply: string | null
  started_at: Date | null
  ended_at: Date | null
}

const outcomeColumns = 'id, state, output, error, reply, started_at, ended_at'

/** Reads and changes the engine's tables, except for the writes of the journal. Payload columns are `json`, which pg returns as text. */
export function createStore(deps: StoreDeps): Store {
  const { pool, jobs, identity, now, trialMs } = deps
  const heartbeats = { lastMs: now(), steadySinceMs: Number.NEGATIVE_INFINITY }
  return {
    async register() {
      identity.renew()
      heartbeats.lastMs = now()
      await pool.query(
        `insert into processes (id, host, pid, works, roles, started_at, heartbeat_at) values ($1, $2, $3, $4, $5, now(), now())`,
        [identity.id(), identity.host, identity.pid, identity.works, identity.roles],
      )
    },

    async heartbeat() {
      const { rowCount } = await pool.query(`update processes set heartbeat_at = now() where id = $1`, [identity.id()])
      const atMs = now()
      if (atMs - heartbeats.lastMs > STEADY_MS.gap) heartbeats.steadySinceMs = atMs
      heartbeats.lastMs = atMs
      return rowCount === 1
    },

    async signals() {
      const { rows } = await pool.query<Signal>(
        `select id, cancel_requested_at is not null as cancel, suspend_requested_at is not null as suspend, signalled_at::text as at
         from executions where claimed_by = $1 and signalled_at is not null`,
        [identity.id()],
      )
      return rows
    },

    async acknowledge(signals) {
      if (signals.length === 0) return
      await pool.query(
        `update executions e set signalled_at = null from unnest($2::uuid[], $3::timestamptz[]) as s(id, at)
         where e.id = s.id and e.id = any($2::uuid[]) and e.claimed_by = $1 and e.signalled_at = s.at`,
        [identity.id(), signals.map(({ id }) => id), signals.map(({ at }) => at)],
      )
    },

    claim: (count, options = {}) =>
      inTransaction(pool, (client) => claimExecutions(client, jobs, { processId: identity.id(), count, trialMs, now, ...options })),

    async findUnackedClaims(running) {
      // Only executions from the queue have a job. A process makes one claim at a time, so a claim that it does not know now was lost on its way to it.
      // A job says nothing about its process: that of a process that parked the execution and died stays active while this one runs the execution.
      const { rows } = await pool.query<{ id: string }>(
        `select distinct e.id from pgboss.job j join executions e on e.id = (j.data ->> 'executionId')::uuid
         where j.name = $1 and j.state = 'active' and j.group_id is not null and e.id <> all($2::uuid[]) and e.claimed_by = $3`,
        [RUN_QUEUE, running, identity.id()],
      )
      return rows.map(({ id }) => id)
    },

    async release(ids) {
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string; account_id: string }>(
          `update executions set state = 'pending', claimed_by = null where id = any($1::uuid[]) and claimed_by = $2 returning id, account_id`,
          [ids, identity.id()],
        )
        const released = rows.map((row) => ({ executionId: row.id, accountId: row.account_id, notBeforeMs: undefined }))
        if (released.length > 0) await jobs.send(client, released)
      })
    },

    async abandonClaims(ids) {
      await pool.query(`update executions set claimed_by = $3 where id = any($1::uuid[]) and claimed_by = $2`, [
        ids,
        identity.id(),
        ABANDONED_BY,
      ])
    },

    findRecord: (accountId, id) => readRecord(pool, accountId, id),
    continueFrom: (continuation) =>
      inTransaction(pool, async (client) => {
        const id = await insertContinuation(client, jobs, continuation)
        const { of, events = [] } = continuation
        if (id === continuation.id) await publish(client, deps, { accountId: of.accountId, id, events })
        return id
      }),

    async messages(executionId) {
      return (await findMessages(pool, [executionId])).get(executionId) ?? []
    },

    async findSnapshots(ids) {
      const { rows } = await pool.query<OutcomeRow>(`select ${outcomeColumns} from executions where id = any($1::uuid[])`, [ids])
      return rows.map(toOutcome)
    },

    cancel: (accountId, id) => inTransaction(pool, (client) => cancel(client, jobs, accountId, id)),

    suspend: (accountId, id, events = []) => inTransaction(pool, (client) => suspend(client, deps, { accountId, id, events })),
    resume: (accountId, id, events = []) => inTransaction(pool, (client) => resume(client, deps, { accountId, id, events })),

    async find(accountId, id) {
      const { rows } = await pool.query<OutcomeRow>(`select ${outcomeColumns} from executions where account_id = $1 and id = $2`, [
        accountId,
        id,
      ])
      return rows[0] === undefined ? undefined : toOutcome(rows[0])
    },

    async findByKey(accountId, key) {
      const { rows } = await pool.query<{ id: string; digest: string }>(
        `select execution_id as id, digest from execution_keys where account_id = $1 and key = $2`,
        [accountId, key],
      )
      return rows[0]
    },

    recover(eventsOf) {
      const atMs = now()
      const steady = atMs - heartbeats.lastMs <= STEADY_MS.gap && atMs - heartbeats.steadySinceMs >= STEADY_MS.after
      return inTransaction(pool, (client) => recoverExecutions(client, deps, { fencesSilent: steady, eventsOf }))
    },

    async unregister() {
      await pool.query(`delete from processes where id = $1 and not exists (select from executions where claimed_by = $1)`, [identity.id()])
    },
  }
}

interface LockedRow {
  state: ExecutionState
  claimed: boolean
}

async function lockExecution(client: PoolClient, accountId: string, id: string): Promise<LockedRow | undefined> {
  const { rows } = await client.query<LockedRow>(
    `select state, claimed_by is not null as claimed from executions where account_id = $1 and id = $2 for update`,
    [accountId, id],
  )
  return rows[0]
}

interface ControlRequest {
  readonly accountId: string
  readonly id: string
  readonly events: readonly JsonObject[]
}

async function publish(client: PoolClient, deps: StoreDeps, { accountId, id, events }: ControlRequest): Promise<void> {
  if (events.length === 0) return
  await insertEvents(
    client,
    events.map((event) => ({ accountId, event, executionId: id })),
    deps,
  )
}

async function suspend(client: PoolClient, deps: StoreDeps, request: ControlRequest) {
  const { accountId, id } = request
  const row = await lockExecution(client, accountId, id)
  if (row === undefined) return 'unknown'
  if (isTerminal(row.state)) return 'ended'
  if (row.state === 'suspended') return 'already'
  if (row.claimed) {
    await client.query(`update executions set suspend_requested_at = now(), signalled_at = now() where id = $1`, [id])
    return 'requested'
  }
  await client.query(`update executions set state = 'suspended', suspend_requested_at = now(), wake_at = null where id = $1`, [id])
  await publish(client, deps, request)
  return 'suspended'
}

async function resume(client: PoolClient, deps: StoreDeps, request: ControlRequest) {
  const { accountId, id } = request
  const row = await lockExecution(client, accountId, id)
  if (row === undefined) return 'unknown'
  if (isTerminal(row.state)) return 'ended'
  const { rowCount } = await client.query(
    `update executions set suspend_requested_at = null, state = case when state = 'suspended' then 'pending' else state end
     where id = $1 and suspend_requested_at is not null`,
    [id],
  )
  if (rowCount === 0) return 'running'
  // A running execution needs no job: if its process suspends it anyway, that write sends one.
  if (row.state === 'suspended') {
    await publish(client, deps, request)
    await deps.jobs.send(client, [{ executionId: id, accountId, notBeforeMs: undefined }])
  }
  return 'resumed'
}

async function cancel(client: PoolClient, jobs: JobSender, accountId: string, id: string) {
  const row = await lockExecution(client, accountId, id)
  if (row === undefined) return 'unknown'
  if (isTerminal(row.state)) return 'ended'
  await client.query(`update executions set cancel_requested_at = now(), signalled_at = now() where id = $1`, [id])
  // An unclaimed execution is claimed to be cancelled, so that its process cancels its children, too.
  if (!row.claimed) await jobs.send(client, [{ executionId: id, accountId, notBeforeMs: undefined }])
  return 'requested'
}

function toOutcome(row: OutcomeRow): ExecutionSnapshot {
  return {
    id: row.id,
    state: row.state,
    startedAtMs: row.started_at?.getTime(),
    endedAtMs: row.ended_at?.getTime(),
    output: row.output === null ? undefined : parseJson(row.output),
    error: row.error === null ? undefined : errorFromJson(parseJson(row.error)),
    reply: row.reply === null ? undefined : { body: parseJson(row.reply) },
  }
}
