import { createWriteQueue, type QueuedWrite, type WriteQueue } from './write-queue.ts'

export interface BatchOptions {
  /** Batches under way at the same time, at most. With one, the disk is idle while the next batch forms; more than a few gain nothing. */
  readonly lanes: number
  /** Executions in one batch, at most, which bounds the time that a batch takes. */
  readonly batchMax: number
}

/** While a batch is under way, at least this many writes start another one. Fewer wait for it, since a statement costs more than they do. */
const BATCH_MIN = 16
/** Fewer writes wait at most this long, because the batch under way may itself wait for a lock. */
const BATCH_WAIT_MS_MAX = 5
/** Bytes at which a batch is full, so that the next writes do not wait long for it. */
const BATCH_BYTES_MAX = 2 * 1024 * 1024
/** A write of at least this many bytes is a batch of its own. Large writes leave one lane to small ones. */
const LARGE_BYTES_MIN = 512 * 1024

interface Lane {
  readonly queue: WriteQueue
  readonly busyMax: number
  /** Batches under way. */
  busy: number
}

interface Schedule {
  /** A start is due in this turn of the event loop. */
  scheduled: boolean
  /** Starts a batch that is too small to start at once. */
  timer: NodeJS.Timeout | undefined
  lastWasLarge: boolean
}

export interface BatchScheduler {
  add(waiting: QueuedWrite): void
}

/**
 * Decides which writes form a batch, and when it starts. Writes that arrive while a batch is under way share the next one; a write that arrives
 * alone starts at once. Accounts take turns, and large writes leave a lane to small ones, so that no account waits for one that writes much.
 * @param run commits a batch, and settles its writes; never rejects.
 */
export function createBatchScheduler(options: BatchOptions, run: (batch: readonly QueuedWrite[]) => Promise<void>): BatchScheduler {
  const small = createLane(Number.POSITIVE_INFINITY)
  const large = createLane(Math.max(1, options.lanes - 1))
  const schedule: Schedule = { scheduled: false, timer: undefined, lastWasLarge: false }

  const busy = () => small.busy + large.busy
  const canStartLarge = () => large.queue.size() > 0 && large.busy < large.busyMax

  /** Large and small writes take turns: while small writes wait, a large one starts only if no other is under way and the last batch was small. */
  function nextLane(): Lane | undefined {
    if (canStartLarge() && (small.queue.size() === 0 || (large.busy === 0 && !schedule.lastWasLarge))) return large
    return small.queue.size() > 0 ? small : undefined
  }

  function scheduleStart(): void {
    if (schedule.scheduled || busy() >= options.lanes || nextLane() === undefined) return
    if (!canStartLarge() && small.busy > 0 && small.queue.size() < BATCH_MIN) {
      schedule.timer ??= setTimeout(start, BATCH_WAIT_MS_MAX)
      return
    }
    schedule.scheduled = true
    // Writes of the same turn of the event loop share a batch.
    setImmediate(start)
  }

  function start(): void {
    schedule.scheduled = false
    clearTimeout(schedule.timer)
    schedule.timer = undefined
    for (let lane = nextLane(); busy() < options.lanes && lane !== undefined; lane = nextLane()) {
      schedule.lastWasLarge = lane === large
      void runBatch(lane, lane === large ? large.queue.take(1, 1) : small.queue.take(options.batchMax, BATCH_BYTES_MAX))
    }
  }

  async function runBatch(lane: Lane, batch: readonly QueuedWrite[]): Promise<void> {
    lane.busy += 1
    await run(batch)
    lane.busy -= 1
    scheduleStart()
  }

  return {
    add(waiting) {
      const { queue } = waiting.prepared.bytes < LARGE_BYTES_MIN ? small : large
      queue.add(waiting)
      scheduleStart()
    },
  }
}

function createLane(busyMax: number): Lane {
  return { queue: createWriteQueue(), busyMax, busy: 0 }
}
