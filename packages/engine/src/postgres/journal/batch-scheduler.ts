import { createWriteQueue, type Waiting, type WriteQueue } from './write-queue.ts'

export interface BatchOptions {
  /** Batches under way at the same time, at most. One leaves the disk idle while the next gathers; more than a few gain nothing. */
  readonly lanes: number
  /** Executions in one batch, so that none waits for an endless one. */
  readonly batchMax: number
}

/** So many writes get a batch of their own beside one that is under way; fewer wait for it, since a statement costs more than they do. */
const BATCH_MIN = 16
/** They wait at most so long: the batch under way may wait for a lock. */
const BATCH_WAIT_MS_MAX = 5
/** A batch with so many bytes is full, so that the next writes do not wait long for it. */
const BATCH_BYTES_MAX = 2 * 1024 * 1024
/** A write of so many bytes is a batch of its own, and leaves one lane to the small ones. */
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
  add(waiting: Waiting): void
}

/**
 * Decides when which writes become a batch. Writes that arrive while a batch is under way go out together in the next; one that arrives
 * alone goes at once. Accounts take turns, and large writes leave a lane to the others, so that none waits for an account that writes much.
 * @param run commits a batch, and settles its writes; never rejects.
 */
export function createBatchScheduler(options: BatchOptions, run: (batch: readonly Waiting[]) => Promise<void>): BatchScheduler {
  const small = createLane(Number.POSITIVE_INFINITY)
  const large = createLane(Math.max(1, options.lanes - 1))
  const schedule: Schedule = { scheduled: false, timer: undefined, lastWasLarge: false }

  const busy = () => small.busy + large.busy
  const canStartLarge = () => large.queue.size > 0 && large.busy < large.busyMax

  /** Each kind has its turn: a large write starts when none is under way, and no further one while a small one waits. */
  function nextLane(): Lane | undefined {
    if (canStartLarge() && (small.queue.size === 0 || (large.busy === 0 && !schedule.lastWasLarge))) return large
    return small.queue.size > 0 ? small : undefined
  }

  function scheduleStart(): void {
    if (schedule.scheduled || busy() >= options.lanes || nextLane() === undefined) return
    if (!canStartLarge() && small.busy > 0 && small.queue.size < BATCH_MIN) {
      schedule.timer ??= setTimeout(start, BATCH_WAIT_MS_MAX)
      return
    }
    schedule.scheduled = true
    // Writes of the same turn of the event loop go together.
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

  async function runBatch(lane: Lane, batch: readonly Waiting[]): Promise<void> {
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
