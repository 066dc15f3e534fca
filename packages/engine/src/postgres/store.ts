import type { Pool, PoolClient } from 'pg'
import { errorFromJson } from '#core/error.ts'
import { parseJson } from '#core/json.ts'
import type { ChildOutcome, Claimed, ExecutionState, JournalEntry, Store } from '#durable/ports.ts'
import type { JobSender } from './job-queue.ts'
import type { ProcessIdentity } from './process-identity.ts'
import { recoverExecutions } from './recovery.ts'
import { inTransaction } from './with-client.ts'

export interface StoreDeps {
  readonly pool: Pool
  readonly jobs: JobSender
  readonly identity: ProcessIdentity
  readonly newId: () => string
}

/** A process that never is: what it has claimed is recovered. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

interface ClaimedRow {
  id: string
  account_id: string
  workflow_id: string
  version_id: string
  trigger: string
  actor: string
  input: string
  parent_id: string | null
  depth: number
  created_at: Date
  started_at: Date
  cancel_requested_at: Date | null
}

interface EntryRow {
  execution_id: string
  seq: number
  position: string
  phase: 'started' | 'ended'
  kind: string
  ok: boolean
  value: string
  decisions: string
  started_at: Date
  ended_at: Date
}

interface OutcomeRow {
  id: string
  state: ExecutionState
  output: string | null
  error: string | null
}

/** The engine's tables but for the journal's writes. Payload columns are `json` and come as text. */
export function createStore(deps: StoreDeps): Store {
  const { pool, jobs, identity } = deps
  return {
    async register() {
      identity.renew()
      await pool.query(`insert into processes (id, host, pid, started_at, heartbeat_at) values ($1, $2, $3, now(), now())`, [
        identity.id(),
        identity.host,
        identity.pid,
      ])
    },

    async heartbeat() {
      const { rowCount } = await pool.query(`update processes set heartbeat_at = now() where id = $1`, [identity.id()])
      return rowCount === 1
    },

    async signals() {
      const { rows } = await pool.query<{ id: string; cancel: boolean }>(
        `update executions set signalled_at = null where claimed_by = $1 and signalled_at is not null
         returning id, cancel_requested_at is not null as cancel`,
        [identity.id()],
      )
      return rows
    },

    claim: (ids) => claim(pool, identity.id(), ids),

    async release(ids) {
      await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: string; account_id: string }>(
          `update executions set state = 'pending', claimed_by = null where id = any($1::uuid[]) and claimed_by = $2 returning id, account_id`,
          [ids, identity.id()],
        )
        const released = rows.map((row) => ({ executionId: row.id, accountId: row.account_id, afterMs: undefined }))
        if (released.length > 0) await jobs.send(client, released)
      })
    },

    async disown(ids) {
      await pool.query(`update executions set claimed_by = $3 where id = any($1::uuid[]) and claimed_by = $2`, [ids, identity.id(), NOBODY])
    },

    async childOutcomes(ids) {
      const { rows } = await pool.query<OutcomeRow>(`select id, state, output, error from executions where id = any($1::uuid[])`, [ids])
      return rows.map(toOutcome)
    },

    cancel: (accountId, id) => inTransaction(pool, (client) => cancel(client, jobs, accountId, id)),

    async find(accountId, id) {
      const { rows } = await pool.query<OutcomeRow>(`select id, state, output, error from executions where account_id = $1 and id = $2`, [
        accountId,
        id,
      ])
      return rows[0] === undefined ? undefined : toOutcome(rows[0])
    },

    async findByKey(accountId, key) {
      const { rows } = await pool.query<{ id: string; digest: string }>(
        `select id, idempotency_digest as digest from executions where account_id = $1 and idempotency_key = $2`,
        [accountId, key],
      )
      return rows[0]
    },

    recover: () => inTransaction(pool, (client) => recoverExecutions(client, deps)),

    async unregister() {
      await pool.query(`delete from processes where id = $1 and not exists (select from executions where claimed_by = $1)`, [identity.id()])
    },
  }
}

/**
 * Takes what is pending, and what waits and has a reason to be looked at. A timer's job that comes before the time that the execution now
 * waits for finds nothing to take, so superseded timers die out.
 */
async function claim(pool: Pool, processId: string, ids: readonly string[]): Promise<readonly Claimed[]> {
  const { rows } = await pool.query<ClaimedRow>(
    `with free as (
       select id from executions
       where id = any($2::uuid[]) and claimed_by is null
         and (state = 'pending' or (state = 'waiting' and (wake_at <= now() or signalled_at is not null))
              or (state = 'suspended' and cancel_requested_at is not null))
       order by id for update skip locked
     ), alive as (select id from processes where id = $1 for key share)
     update executions e set state = 'running', claimed_by = $1, wake_at = null, signalled_at = null, started_at = coalesce(e.started_at, now())
     from free, alive where e.id = free.id
     returning e.id, e.account_id, e.workflow_id, e.version_id, e.trigger, e.actor, e.input, e.parent_id, e.depth, e.created_at, e.started_at, e.cancel_requested_at`,
    [processId, ids],
  )
  if (rows.length === 0) return []
  const entries = await pool.query<EntryRow>(
    `select execution_id, seq, position, phase, kind, ok, value, decisions, started_at, ended_at
     from journal where execution_id = any($1::uuid[]) order by execution_id, seq`,
    [rows.map(({ id }) => id)],
  )
  const byExecution = Map.groupBy(entries.rows, (entry) => entry.execution_id)
  return rows.map((row) => toClaimed(row, byExecution.get(row.id) ?? []))
}

async function cancel(client: PoolClient, jobs: JobSender, accountId: string, id: string) {
  const { rows } = await client.query<{ state: ExecutionState; claimed: boolean }>(
    `select state, claimed_by is not null as claimed from executions where account_id = $1 and id = $2 for update`,
    [accountId, id],
  )
  const row = rows[0]
  if (row === undefined) return 'unknown'
  if (row.state === 'completed' || row.state === 'faulted' || row.state === 'cancelled') return 'ended'
  await client.query(`update executions set cancel_requested_at = now(), signalled_at = now() where id = $1`, [id])
  // One that nobody runs is woken to be cancelled, so that its children are told by the same code as ever.
  if (!row.claimed) await jobs.send(client, [{ executionId: id, accountId, afterMs: undefined }])
  return 'requested'
}

function toClaimed(row: ClaimedRow, entries: readonly EntryRow[]): Claimed {
  return {
    head: {
      id: row.id,
      accountId: row.account_id,
      workflowId: row.workflow_id,
      versionId: row.version_id,
      trigger: row.trigger,
      actor: row.actor,
      input: parseJson(row.input),
      parentId: row.parent_id ?? undefined,
      depth: row.depth,
      createdAtMs: row.created_at.getTime(),
      idempotency: undefined,
    },
    startedAtMs: row.started_at.getTime(),
    cancelRequested: row.cancel_requested_at !== null,
    entries: entries.map(toEntry),
  }
}

export function toEntry(row: EntryRow): JournalEntry {
  return {
    seq: row.seq,
    position: row.position,
    phase: row.phase,
    kind: row.kind,
    ok: row.ok,
    value: parseJson(row.value),
    decisions: row.decisions,
    startedAtMs: row.started_at.getTime(),
    endedAtMs: row.ended_at.getTime(),
  }
}

function toOutcome(row: OutcomeRow): ChildOutcome {
  return {
    id: row.id,
    state: row.state,
    output: row.output === null ? undefined : parseJson(row.output),
    error: row.error === null ? undefined : errorFromJson(parseJson(row.error)),
  }
}
