import type { Pool, PoolClient } from 'pg'
import { isTerminalProgress, type Journal, UnwritableError, type Write } from '#durable/ports/journal.ts'
import { concernsOneWrite, FencedError, isDeadlock, isUnwritable, sqlStateOf } from '#postgres/sql/pg-errors.ts'
import { type FlushRow, flushQuery } from './flush-statement.ts'
import type { Job, JobSender } from '#postgres/queue/job-queue.ts'
import { type PreparedWrite, prepareWrite } from './prepare-write.ts'
import { signalExecutions } from '#postgres/claims/signal-executions.ts'
import { transact, withClient } from '#postgres/sql/with-client.ts'
import { type BesideDeps, writeBeside, writeEndsOfWaits } from './write-related-rows.ts'
import { createWriteQueue, type Waiting, type WriteQueue } from './write-queue.ts'

export interface FlusherOptions {
  /** Statements under way at the same time, at most. One leaves the disk idle while the next gathers; more than a few gain nothing. */
  readonly lanes: number
  /** Executions in one statement, so that none waits for an endless one. */
  readonly batchMax: number
}

export interface FlusherDeps extends BesideDeps {
  readonly pool: Pool
  readonly jobs: JobSender
  /** The id under which this process is known at the moment. */
  readonly processId: () => string
  /** Told after the commit that there are events or waits for events to be brought together. */
  readonly onEvents: () => void
}

const DEADLOCK_TRIES = 3
/** So many writes are worth a statement of their own beside one that is under way; fewer wait for it, since a statement costs more than they do. */
const GATHER = 16
/** For so long: a statement may be held up by another's lock. */
const PATIENCE_MS = 5

/** A statement takes no more once it has so much, so that what comes after does not wait long for it. */
const BATCH_BYTES = 2 * 1024 * 1024
/** A write of so much goes alone, and not on every lane. */
const LARGE_BYTES = 512 * 1024

/**
 * Group commit. Writes of all executions that come while a statement is under way go out together in the next, which is one commit and one
 * fsync; one that comes alone goes at once. Accounts take turns, and large writes leave a lane to the others, so that none waits for an
 * account that writes much.
 */
export function createFlusher(deps: FlusherDeps, options: FlusherOptions): Journal {
  const lanes = { small: createLane(Number.POSITIVE_INFINITY), large: createLane(Math.max(1, options.lanes - 1)) }
  const { small, large } = lanes
  const busy = () => small.busy + large.busy
  let scheduled = false
  let patience: NodeJS.Timeout | undefined
  let lastWasLarge = false

  function schedule(): void {
    if (scheduled || busy() >= options.lanes || nextLane() === undefined) return
    if (!mayGoLarge() && small.busy > 0 && small.queue.size < GATHER) {
      patience ??= setTimeout(begin, PATIENCE_MS)
      return
    }
    scheduled = true
    // What becomes ready in this turn of the event loop goes together.
    setImmediate(begin)
  }

  function begin(): void {
    scheduled = false
    clearTimeout(patience)
    patience = undefined
    for (let lane = nextLane(); busy() < options.lanes && lane !== undefined; lane = nextLane()) {
      lastWasLarge = lane === large
      void flush(lane, lane === large ? large.queue.take(1, 1) : small.queue.take(options.batchMax, BATCH_BYTES))
    }
  }

  const mayGoLarge = () => large.queue.size > 0 && large.busy < large.busyMax

  /** Each kind has its turn: a large write goes when none is under way, and no more of them while a small one waits. */
  function nextLane(): Lane | undefined {
    if (mayGoLarge() && (small.queue.size === 0 || (large.busy === 0 && !lastWasLarge))) return large
    return small.queue.size > 0 ? small : undefined
  }

  async function flush(lane: Lane, batch: readonly Waiting[]): Promise<void> {
    lane.busy += 1
    await settle(batch)
    lane.busy -= 1
    schedule()
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    const prepared = batch.map((waiting) => waiting.prepared)
    try {
      const refused = await flushBatch(deps, prepared)
      for (const {
        prepared: { write },
        resolve,
      } of batch)
        resolve({ refused: refused.has(write.executionId) })
      if (prepared.some(({ write }) => bringsEvents(write))) deps.onEvents()
    } catch (cause) {
      const [first] = batch
      if (!concernsOneWrite(cause)) for (const { reject } of batch) reject(cause)
      else if (batch.length === 1 && first !== undefined) first.reject(isUnwritable(cause) ? refusal(cause) : cause)
      else {
        // One of them has what no table takes; that must not be the others' ruin.
        const half = Math.ceil(batch.length / 2)
        await settle(batch.slice(0, half))
        await settle(batch.slice(half))
      }
    }
  }

  return {
    write(write) {
      return new Promise((resolve, reject) => {
        // What it raises rejects this write and no other.
        const prepared = prepareWrite(write)
        const { queue } = prepared.bytes < LARGE_BYTES ? small : large
        queue.add({ prepared, resolve, reject })
        schedule()
      })
    },
  }
}

interface Lane {
  readonly queue: WriteQueue
  readonly busyMax: number
  /** Statements under way. */
  busy: number
}

function createLane(busyMax: number): Lane {
  return { queue: createWriteQueue(), busyMax, busy: 0 }
}

/** @returns executions that were refused because another one has their idempotency key. */
function flushBatch(deps: FlusherDeps, writes: readonly PreparedWrite[]): Promise<ReadonlySet<string>> {
  return withClient(deps.pool, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // A second try comes after the first.
        return await flushOnce(deps, client, writes)
      } catch (error) {
        // Deadlocks abort the whole transaction, so saying it again is safe. Nothing else may be repeated: it might have been committed.
        if (attempt >= DEADLOCK_TRIES || !isDeadlock(error)) throw error
      }
    }
  })
}

async function flushOnce(deps: FlusherDeps, client: PoolClient, prepared: readonly PreparedWrite[]): Promise<ReadonlySet<string>> {
  const writes = prepared.map(({ write }) => write)
  const query = flushQuery(deps.processId(), prepared)
  if (!writes.some(touchesOthers)) return refusedOf(writes, rowOf(await client.query<FlushRow>(query)))
  return transact(client, async () => {
    // Before the executions: whoever matches events locks in the same order.
    await writeEndsOfWaits(client, writes)
    const row = rowOf(await client.query<FlushRow>(query))
    const refused = refusedOf(writes, row)
    const awake = new Set(row.parked.map(({ id }) => id))
    await writeBeside(client, refused.size === 0 ? prepared : prepared.filter(({ write }) => !refused.has(write.executionId)), awake, deps)
    const jobs = [...jobsOf(writes, row, refused), ...(await tellOthers(client, deps.processId(), writes))]
    if (jobs.length > 0) await deps.jobs.send(client, jobs)
    return refused
  })
}

function refusal(cause: Error): UnwritableError {
  const state = sqlStateOf(cause)
  return new UnwritableError(
    `it cannot be stored: ${state === '' ? 'it is nested too deeply or too large' : `PostgreSQL refuses it (${state})`}`,
    {
      cause,
    },
  )
}

function rowOf({ rows: [row] }: { readonly rows: readonly FlushRow[] }): FlushRow {
  if (row?.alive !== true) throw new FencedError('this process has been given up; others run what it ran')
  return row
}

function refusedOf(writes: readonly Write[], { keyed }: FlushRow): ReadonlySet<string> {
  const asked = writes.filter(({ accept }) => accept?.head.idempotency !== undefined).map(({ executionId }) => executionId)
  return asked.length === keyed.length ? NONE : new Set(asked.filter((id) => !keyed.includes(id)))
}

const NONE: ReadonlySet<string> = new Set()

/** Whether more than the execution's own rows changes: a job is sent, or another execution is told something. */
function touchesOthers({ accept, children, cancels, progress, waits, events, reply }: Write): boolean {
  if (waits !== undefined || events.length > 0 || reply !== undefined) return true
  if (accept !== undefined && accept.startedAtMs === undefined) return true
  if (children.some(({ startedAtMs }) => startedAtMs === undefined) || cancels.length > 0) return true
  return progress !== undefined && (!isTerminalProgress(progress) || progress.tell !== undefined)
}

/** Whether events or waits for them came with it. */
function bringsEvents({ events, waits, progress }: Write): boolean {
  return events.length > 0 || (waits?.opened.length ?? 0) > 0 || (progress?.state === 'suspended' && progress.told !== undefined)
}

function jobsOf(writes: readonly Write[], row: FlushRow, refused: ReadonlySet<string>): readonly Job[] {
  const stateOf = new Map(row.parked.map(({ id, state }) => [id, state]))
  return writes.flatMap((write): readonly Job[] => {
    const { executionId, accountId, accept, children, progress } = write
    const started = [...(accept === undefined || refused.has(executionId) ? [] : [accept]), ...children]
    const jobs: Job[] = started
      .filter(({ startedAtMs }) => startedAtMs === undefined)
      .map(({ head }) => ({ executionId: head.id, accountId, afterMs: undefined }))
    if (progress?.state === 'pending' || stateOf.get(executionId) === 'pending') jobs.push({ executionId, accountId, afterMs: undefined })
    else if (progress?.state === 'waiting' && progress.wakeAtMs !== undefined)
      jobs.push({ executionId, accountId, afterMs: progress.wakeAtMs })
    return jobs
  })
}

async function tellOthers(client: PoolClient, processId: string, writes: readonly Write[]): Promise<readonly Job[]> {
  const parents = writes.flatMap(({ progress }) =>
    progress !== undefined && 'tell' in progress && progress.tell !== undefined ? [progress.tell] : [],
  )
  return signalExecutions(client, { wake: parents, cancel: writes.flatMap((write) => write.cancels), signalledBy: processId })
}
