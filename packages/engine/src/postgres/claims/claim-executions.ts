import type { PoolClient } from 'pg'
import { parseJson } from '#core/json.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { ClaimedExecution, ClaimedJob, ClaimOptions } from '#durable/ports/store.ts'
import { FencedError } from '#postgres/sql/pg-errors.ts'
import { idBounds } from '#postgres/sql/id-bounds.ts'
import type { JobSender, JobClaimer } from '#postgres/queue/job-queue.ts'
import { findMessages } from './messages.ts'
import { untriedAtSql, quietAtSql, suspectSql } from './crash-suspects.ts'

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
  caused_by: string | null
  created_at: Date
  started_at: Date
  cancel_requested_at: Date | null
  suspend_requested_at: Date | null
  retry_of: string | null
  suspect: boolean
}

/** A row of the journal; `value` is JSON text. */
export interface EntryRow {
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

interface ClaimRequest extends ClaimOptions {
  /** The process that claims. */
  readonly processId: string
  /** Jobs to fetch, at most. */
  readonly count: number
  /** Time without a crash in the installation before a suspect is tried (crash-suspects.ts). */
  readonly trialMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Ends the jobs that are done, fetches others and claims their executions, in one transaction: a process that dies within it leaves the jobs
 * on the queue, one that dies after it leaves claims that are recovered. Jobs of executions that cannot be claimed (ended, claimed by another
 * process, not yet due) are ended here. In the order of their starts, in which those of workflows with a limit take their turns.
 */
export async function claimExecutions(
  client: PoolClient,
  jobs: JobClaimer & JobSender,
  { processId, count, trialMs, now, done = [], suspectsMax = count }: ClaimRequest,
): Promise<readonly ClaimedJob[]> {
  const alive = await client.query<{ workers: number }>(
    `select (select count(*)::int from processes where works) as workers from processes where id = $1 for key share`,
    [processId],
  )
  const [own] = alive.rows
  if (own === undefined) throw new FencedError('this process was fenced; its executions were reassigned')
  if (done.length > 0) await jobs.end(client, done)
  const fetched = (await jobs.fetch(client, count, own.workers)).toSorted((one, other) => (one.executionId < other.executionId ? -1 : 1))
  if (fetched.length === 0) return []
  const ids = [...new Set(fetched.map(({ executionId }) => executionId))]
  const claimed = await claim(client, { processId, ids, suspectsMax, trialMs })
  if (claimed.length < ids.length) await postponeSuspects(client, jobs, { ids, trialMs, now })
  const unassigned = new Map(claimed.map((entry) => [entry.execution.head.id, entry]))
  const claimedJobs: ClaimedJob[] = []
  const superfluous: string[] = []
  for (const { jobId, executionId } of fetched) {
    const entry = unassigned.get(executionId)
    unassigned.delete(executionId)
    if (entry === undefined) superfluous.push(jobId)
    else claimedJobs.push({ jobId, ...entry })
  }
  if (superfluous.length > 0) await jobs.end(client, superfluous)
  return claimedJobs
}

/** Whether no process runs the execution `e` and there is a reason to run it. */
const claimableSql = `(e.claimed_by is null and (e.state = 'pending' or (e.state = 'waiting' and (e.wake_at <= now() or e.signalled_at is not null))
  or (e.state = 'suspended' and e.cancel_requested_at is not null)))`

/** Delay of the jobs of suspects that were not claimed: at least `least`, and `each` more for every suspect before it in the list. */
const POSTPONE_MS = { least: 100, each: 20 } as const

async function postponeSuspects(
  client: PoolClient,
  jobs: JobSender,
  { ids, trialMs, now }: Pick<ClaimRequest, 'trialMs' | 'now'> & { readonly ids: readonly string[] },
): Promise<void> {
  const { rows } = await client.query<{ id: string; account_id: string; wait_ms: number }>(
    `select id, account_id,
       (1000 * greatest(0, extract(epoch from least(${quietAtSql('$4::float8')}, ${untriedAtSql('$4::float8')}) - now())))::float8 as wait_ms
     from executions e
     where id = any($1::uuid[]) and id between $2 and $3 and ${claimableSql} and ${suspectSql}`,
    [ids, ...idBounds(ids), trialMs / 1_000],
  )
  if (rows.length === 0) return
  const nowMs = now()
  await jobs.send(
    client,
    rows.map((row, index) => ({
      executionId: row.id,
      accountId: row.account_id,
      notBeforeMs: nowMs + Math.max(row.wait_ms, POSTPONE_MS.least + index * POSTPONE_MS.each),
    })),
  )
}

interface Claim {
  readonly processId: string
  readonly ids: readonly string[]
  readonly suspectsMax: number
  readonly trialMs: number
}

/**
 * Claims the claimable executions. A timer's job that is due before the time for which the execution now waits finds nothing to claim, so
 * superseded timers end here. It waits for locked rows instead of skipping them, since the job of an unclaimed execution is ended. The id bounds
 * appear only once in the statement (signal-executions.ts).
 *
 * `judged` says of each execution whether it is a suspect, whether a crash would count as its failed trial, and whether it may run now; `numbered`
 * admits `suspectsMax` of the suspects.
 */
async function claim(client: PoolClient, { processId, ids, suspectsMax, trialMs }: Claim): Promise<readonly Omit<ClaimedJob, 'jobId'>[]> {
  const { rows } = await client.query<ClaimedRow>({
    name: 'claim',
    text: `with claimable as (
       select id, ${suspectSql} as suspect, crash_count, failed_trials, crashed_at, cancel_requested_at from executions e
       where id = any($2::uuid[]) and id between $3 and $4 and ${claimableSql}
       order by id for update
     ), judged as (
       select id, suspect, suspect and ${quietAtSql('$6::float8')} <= now() as on_trial,
         not suspect or least(${quietAtSql('$6::float8')}, ${untriedAtSql('$6::float8')}) <= now() as ready
       from claimable
     ), numbered as (select *, row_number() over (partition by suspect order by id) as nth from judged where ready)
     update executions e set state = 'running', claimed_by = $1, wake_at = null, signalled_at = null, started_at = coalesce(e.started_at, now()),
       on_trial = n.on_trial
     from numbered n where e.id = n.id and (not n.suspect or n.nth <= $5)
     returning e.id, e.account_id, e.workflow_id, e.version_id, e.trigger, e.actor, e.input, e.parent_id, e.depth, e.caused_by, e.created_at,
       e.started_at, e.cancel_requested_at, e.suspend_requested_at, e.retry_of, n.suspect`,
    values: [processId, ids, ...idBounds(ids), suspectsMax, trialMs / 1_000],
  })
  if (rows.length === 0) return []
  const entries = await client.query<EntryRow & { readonly execution_id: string }>({
    name: 'journal-of',
    text: `select execution_id, seq, position, phase, kind, ok, value, decisions, started_at, ended_at
       from journal where execution_id = any($1::uuid[]) and execution_id between $2 and $3 order by execution_id, seq`,
    values: [rows.map(({ id }) => id), ...idBounds(rows.map(({ id }) => id))],
  })
  const byExecution = Map.groupBy(entries.rows, (entry) => entry.execution_id)
  const messages = await findMessages(
    client,
    rows.map(({ id }) => id),
  )
  const keys = await findKeys(client, rows)
  return rows.map((row) => ({
    execution: toClaimed(row, byExecution.get(row.id) ?? [], messages.get(row.id) ?? [], keys.get(row.id)),
    suspect: row.suspect,
  }))
}

/** Idempotency keys that retries use again for the unfinished effects of the executions that they retry. */
async function findKeys(client: PoolClient, rows: readonly ClaimedRow[]): Promise<ReadonlyMap<string, string | null>> {
  const retried = rows.flatMap(({ retry_of: id }) => id ?? [])
  if (retried.length === 0) return new Map()
  const found = await client.query<{ id: string; keys: string | null }>(
    `select execution_id as id, keys from execution_retries where retry_of = any($1::uuid[])`,
    [retried],
  )
  return new Map(found.rows.map(({ id, keys }) => [id, keys]))
}

function toClaimed(
  row: ClaimedRow,
  entries: readonly EntryRow[],
  messages: readonly Message[],
  keys: string | null = null,
): ClaimedExecution {
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
      causedBy: row.caused_by ?? undefined,
      createdAtMs: row.created_at.getTime(),
      idempotency: undefined,
      keys: keysOf(keys),
    },
    startedAtMs: row.started_at.getTime(),
    cancelRequested: row.cancel_requested_at !== null,
    suspendRequested: row.suspend_requested_at !== null,
    messages,
    entries: entries.map(toEntry),
  }
}

/** Parses the idempotency keys of a retry: position to key. */
export function keysOf(json: string | null): Readonly<Record<string, string>> | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- insertContinuation writes it.
  return json === null ? undefined : (parseJson(json) as Readonly<Record<string, string>>)
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
