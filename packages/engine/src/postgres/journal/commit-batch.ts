import type { Pool, PoolClient } from 'pg'
import { isTerminalProgress, type Write } from '#durable/ports/journal.ts'
import { signalExecutions } from '#postgres/claims/signal-executions.ts'
import type { Job, JobSender } from '#postgres/queue/job-queue.ts'
import { FencedError, isDeadlock } from '#postgres/sql/pg-errors.ts'
import { transact, withClient } from '#postgres/sql/with-client.ts'
import { type FlushRow, flushQuery } from './flush-statement.ts'
import type { PreparedWrite } from './prepare-write.ts'
import { type RelatedRowsDeps, writeRelatedRows, writeEndsOfWaits } from './write-related-rows.ts'

export interface CommitDeps extends RelatedRowsDeps {
  readonly pool: Pool
  readonly jobs: JobSender
}

/** The executions of a committed batch that were not written. */
export interface Unwritten {
  /** Another one has their idempotency key. */
  readonly refused: ReadonlySet<string>
  /** The process has its row and no claim on them. That must not be; if it is, another process runs them. */
  readonly missed: ReadonlySet<string>
}

const DEADLOCK_ATTEMPTS_MAX = 3

/**
 * Commits all writes of a batch, or none.
 * @param processId of the process that makes them: the fence.
 */
export function commitBatch(deps: CommitDeps, processId: string, writes: readonly PreparedWrite[]): Promise<Unwritten> {
  return withClient(deps.pool, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await commitOnce(deps, client, processId, writes)
      } catch (error) {
        // A deadlock aborts the whole transaction, so retrying is safe. After any other error the batch may have been committed.
        if (attempt >= DEADLOCK_ATTEMPTS_MAX || !isDeadlock(error)) throw error
      }
    }
  })
}

async function commitOnce(deps: CommitDeps, client: PoolClient, processId: string, prepared: readonly PreparedWrite[]): Promise<Unwritten> {
  const writes = prepared.map(({ write }) => write)
  const query = flushQuery(processId, prepared)
  if (!writes.some(needsTransaction)) return unwrittenOf(writes, rowOf(await client.query<FlushRow>(query)))
  return transact(client, async () => {
    // Waits before executions: the matcher locks in the same order.
    await writeEndsOfWaits(client, writes)
    const row = rowOf(await client.query<FlushRow>(query))
    const unwritten = unwrittenOf(writes, row)
    const { refused, missed } = unwritten
    // Of executions that were to be suspended, only those that went back to the queue are among the parked.
    const requeued = new Set(row.parked.map(({ id }) => id))
    const isWritten = ({ executionId }: Write) => !refused.has(executionId) && !missed.has(executionId)
    const whole = refused.size + missed.size === 0
    await writeRelatedRows(client, whole ? prepared : prepared.filter(({ write }) => isWritten(write)), requeued, deps)
    const claimed = missed.size === 0 ? writes : writes.filter(({ executionId }) => !missed.has(executionId))
    const jobs = [...jobsOf(claimed, row, refused), ...(await signalOthers(client, processId, claimed))]
    if (jobs.length > 0) await deps.jobs.send(client, jobs)
    return unwritten
  })
}

function rowOf({ rows: [row] }: { readonly rows: readonly FlushRow[] }): FlushRow {
  if (row?.alive !== true) throw new FencedError('this process was fenced; its executions were reassigned')
  return row
}

function unwrittenOf(writes: readonly Write[], row: FlushRow): Unwritten {
  return { refused: refusedOf(writes, row), missed: row.missed.length === 0 ? NONE : new Set(row.missed) }
}

function refusedOf(writes: readonly Write[], { keyed }: FlushRow): ReadonlySet<string> {
  const keyedIds = writes.filter(({ accept }) => accept?.head.idempotency !== undefined).map(({ executionId }) => executionId)
  return keyedIds.length === keyed.length ? NONE : new Set(keyedIds.filter((id) => !keyed.includes(id)))
}

const NONE: ReadonlySet<string> = new Set()

/** Whether the flush statement is not enough: a write has waits, events or a reply, sends a job, or signals another execution. */
function needsTransaction({ accept, children, cancels, progress, waits, events, reply }: Write): boolean {
  if (waits !== undefined || events.length > 0 || reply !== undefined) return true
  if (accept !== undefined && accept.startedAtMs === undefined) return true
  if (children.some(({ startedAtMs }) => startedAtMs === undefined) || cancels.length > 0) return true
  return progress !== undefined && (!isTerminalProgress(progress) || progress.parentId !== undefined)
}

function jobsOf(writes: readonly Write[], row: FlushRow, refused: ReadonlySet<string>): readonly Job[] {
  const stateOf = new Map(row.parked.map(({ id, state }) => [id, state]))
  return writes.flatMap((write): readonly Job[] => {
    const { executionId, accountId, accept, children, progress } = write
    const started = [...(accept === undefined || refused.has(executionId) ? [] : [accept]), ...children]
    const jobs: Job[] = started
      .filter(({ startedAtMs }) => startedAtMs === undefined)
      .map(({ head }) => ({ executionId: head.id, accountId, notBeforeMs: undefined }))
    if (progress?.state === 'pending' || stateOf.get(executionId) === 'pending')
      jobs.push({ executionId, accountId, notBeforeMs: undefined })
    else if (progress?.state === 'waiting' && progress.wakeAtMs !== undefined)
      jobs.push({ executionId, accountId, notBeforeMs: progress.wakeAtMs })
    return jobs
  })
}

async function signalOthers(client: PoolClient, processId: string, writes: readonly Write[]): Promise<readonly Job[]> {
  const parents = writes.flatMap(({ progress }) =>
    progress !== undefined && 'parentId' in progress && progress.parentId !== undefined ? [progress.parentId] : [],
  )
  return signalExecutions(client, { wake: parents, cancel: writes.flatMap((write) => write.cancels), signalledBy: processId })
}
