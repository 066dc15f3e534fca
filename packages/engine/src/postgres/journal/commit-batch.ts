import type { Pool, PoolClient } from 'pg'
import { isTerminalProgress, type Write } from '#durable/ports/journal.ts'
import { signalExecutions } from '#postgres/claims/signal-executions.ts'
import type { Job, JobSender } from '#postgres/queue/job-queue.ts'
import { FencedError, isDeadlock, unclaimedIn } from '#postgres/sql/pg-errors.ts'
import { transact, withClient } from '#postgres/sql/with-client.ts'
import { type FlushRow, flushQuery } from './flush-statement.ts'
import type { PreparedWrite } from './prepare-write.ts'
import { type RelatedRowsDeps, writeRelatedRows, writeEndsOfWaits } from './write-related-rows.ts'

export interface CommitDeps extends RelatedRowsDeps {
  readonly pool: Pool
  readonly jobs: JobSender
}

/** The executions of a committed batch of which nothing was written. */
export interface Unwritten {
  /** Another one has their idempotency key. */
  readonly refused: ReadonlySet<string>
  /**
   * The process has its row and no claim on them, so another process runs them: a process that closes releases the executions that have not left it in
   * time, and a run that is dropped is abandoned, although a last write of them may be under way.
   */
  readonly missed: ReadonlySet<string>
}

const DEADLOCK_ATTEMPTS_MAX = 3

/**
 * Commits all writes of a batch, or none, except for those that are returned.
 * @param processId of the process that makes them: the fence.
 */
export function commitBatch(deps: CommitDeps, processId: string, writes: readonly PreparedWrite[]): Promise<Unwritten> {
  return withClient(deps.pool, async (client) => {
    const missed = new Set<string>()
    for (let deadlocks = 0; ; ) {
      const claimed = missed.size === 0 ? writes : writes.filter(({ write }) => !missed.has(write.executionId))
      if (claimed.length === 0) return { refused: NONE, missed }
      try {
        return { refused: await commitOnce(deps, client, processId, claimed), missed }
      } catch (error) {
        const unclaimed = unclaimedIn(error).filter((id) => !missed.has(id))
        for (const id of unclaimed) missed.add(id)
        // Both abort the whole transaction, so repeating it is safe. After any other error the batch may have been committed.
        if (unclaimed.length === 0 && (++deadlocks >= DEADLOCK_ATTEMPTS_MAX || !isDeadlock(error))) throw error
      }
    }
  })
}

/** @returns the executions that were refused because another one has their idempotency key. */
async function commitOnce(
  deps: CommitDeps,
  client: PoolClient,
  processId: string,
  prepared: readonly PreparedWrite[],
): Promise<ReadonlySet<string>> {
  const writes = prepared.map(({ write }) => write)
  const query = flushQuery(processId, prepared)
  if (!writes.some(needsTransaction)) return refusedOf(writes, rowOf(await client.query<FlushRow>(query)))
  return transact(client, async () => {
    // Waits before executions: the matcher locks in the same order.
    await writeEndsOfWaits(client, writes)
    const row = rowOf(await client.query<FlushRow>(query))
    const refused = refusedOf(writes, row)
    // Of executions that were to be suspended, only those that went back to the queue are among the parked.
    const requeued = new Set(row.parked.map(({ id }) => id))
    const written = refused.size === 0 ? prepared : prepared.filter(({ write }) => !refused.has(write.executionId))
    await writeRelatedRows(client, written, requeued, deps)
    const contents = written.map(({ write }) => write)
    const jobs = [...jobsOf(contents, row), ...(await signalOthers(client, processId, contents))]
    if (jobs.length > 0) await deps.jobs.send(client, jobs)
    return refused
  })
}

function rowOf({ rows: [row] }: { readonly rows: readonly FlushRow[] }): FlushRow {
  if (row?.alive !== true) throw new FencedError('this process was fenced; its executions were reassigned')
  return row
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

function jobsOf(writes: readonly Write[], row: FlushRow): readonly Job[] {
  const stateOf = new Map(row.parked.map(({ id, state }) => [id, state]))
  return writes.flatMap((write): readonly Job[] => {
    const { executionId, accountId, accept, children, progress } = write
    const started = [...(accept === undefined ? [] : [accept]), ...children]
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
