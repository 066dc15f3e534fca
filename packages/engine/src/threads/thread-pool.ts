import { createFairQueue } from './fair-queue.ts'
import { type Thread, ThreadFailedError, type ThreadFailure } from './thread.ts'

/** How long the job of an account that runs nothing waits for one of the usual threads before it gets a further one. */
const CONTENDED_AFTER_MS = 50

/** How often a thread is tried to be started for a job before the job is refused. */
const START_ATTEMPTS_MAX = 3
const START_RETRY_MS = 1_000

/** How long a thread may take to say how much processor time it has used. */
const ANSWER_MS_MAX = 5_000
/** A job that takes no longer is not watched. */
const UNASKED_MS = 20
/** A thread is not asked more often than this. */
const CHECK_MS_MIN = 10
/** A job is stopped after this many times its processor time, whatever the machine was doing. */
const STRETCH_MAX = 6

export interface ThreadPoolOptions<Job, Outcome> {
  /** Starts a thread; rejects when the signal aborts, and leaves none behind. */
  readonly start: (signal: AbortSignal) => Promise<Thread<Job, Outcome>>
  /** How long to wait before a start that failed is tried again. One second unless given. */
  readonly startRetryMs?: number
  /** The usual number of threads. */
  readonly threadsMax: number
  /** The number of threads with the further ones for accounts that run nothing, so that these need not wait for others. */
  readonly threadsMaxContended: number
  /** After how long without work a thread is ended. */
  readonly idleMs: number
  /** How many jobs of one account may wait for a thread. */
  readonly queuedMax: number
  /**
   * After how much processor time a job is stopped together with its thread. On a busy machine, and on one that was suspended, it takes longer by the clock:
   * at most six times as long.
   */
  readonly processorMsMax: number
  /** The outcome of a job that was stopped for its time. */
  readonly late: () => Outcome
  /** The outcome of a job whose thread failed, its memory being full among the reasons. */
  readonly crashed: (failure: ThreadFailure) => Outcome
  /** Whether the thread that gave this outcome must not be used again. */
  readonly isSpent: (outcome: Outcome) => boolean
}

export interface ThreadPool<Job, Outcome> {
  /**
   * Performs a job when its turn comes; accounts take turns.
   * Rejects with the signal's reason when it is aborted, with ThreadPoolError when the job cannot be performed.
   */
  readonly run: (job: Job, options: { readonly accountId: string; readonly signal?: AbortSignal }) => Promise<Outcome>
  /** How many threads there are. */
  readonly size: () => number
  /** Ends all threads, those included that are starting; jobs that run or wait are refused. */
  readonly close: () => Promise<void>
}

/** Why a job was not performed: too many of its account wait, the pool is closed, or no thread could be started for it. */
export type ThreadPoolErrorKind = 'full' | 'closed' | 'unavailable'

const codes = { full: 'THREADS_FULL', closed: 'THREADS_CLOSED', unavailable: 'THREADS_UNAVAILABLE' } as const

export class ThreadPoolError extends Error {
  override readonly name = 'ThreadPoolError'
  readonly kind: ThreadPoolErrorKind
  /** For those who do not know the class. */
  readonly code: `THREADS_${Uppercase<ThreadPoolErrorKind>}`

  constructor(kind: ThreadPoolErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.code = codes[kind]
  }
}

interface Task<Job, Outcome> {
  readonly job: Job
  readonly accountId: string
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
  /** It has waited so long that a further thread may be started for it. */
  isOverdue: boolean
  /** Aborted, or refused by the closing of the pool. */
  isAbandoned: boolean
  /** While it waits: runs out when it is overdue. */
  timer: NodeJS.Timeout | undefined
  /** While a thread performs it: ends that thread. */
  stop: (() => void) | undefined
}

/**
 * Threads for jobs of accounts. The first job starts the first thread, idle threads end, and no thread keeps the process alive.
 *
 * Accounts take turns. While others wait, an account has all threads but one at most. A job of an account that has nothing running does not wait for
 * those that do: after a moment it gets a further thread, up to `threadsMaxContended`, and the operating system shares the processors among them.
 */
export function createThreadPool<Job, Outcome>(options: ThreadPoolOptions<Job, Outcome>): ThreadPool<Job, Outcome> {
  const { threadsMax, threadsMaxContended } = options
  const queue = createFairQueue<Task<Job, Outcome>>()
  const threads = createThreadShelf(options)
  const active = new Set<Task<Job, Outcome>>()
  const running = new Map<string, number>()
  let isClosed = false

  function mayServe(accountId: string, task: Task<Job, Outcome>): boolean {
    const own = running.get(accountId) ?? 0
    const share = queue.keyCount() > 1 ? Math.max(1, threadsMax - 1) : threadsMax
    if (active.size < threadsMax && own < share && threads.isAvailable(threadsMax)) return true
    return own === 0 && (threads.isAvailable(0) || (task.isOverdue && threads.isAvailable(threadsMaxContended)))
  }

  function dispatch(): void {
    for (let task = queue.take(mayServe); task !== undefined; task = queue.take(mayServe)) {
      clearTimeout(task.timer)
      active.add(task)
      running.set(task.accountId, (running.get(task.accountId) ?? 0) + 1)
      void serve(task)
    }
  }

  async function serve(task: Task<Job, Outcome>): Promise<void> {
    try {
      const thread = await takeThread(task)
      if (task.isAbandoned) threads.putBack(thread)
      else task.resolve(await perform(thread, task))
    } catch (error) {
      task.reject(error)
    } finally {
      finish(task)
    }
  }

  /** A start fails when the machine is out of memory or threads, which may pass. */
  async function takeThread(task: Task<Job, Outcome>): Promise<Thread<Job, Outcome>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await threads.take()
      } catch (cause) {
        if (attempt === START_ATTEMPTS_MAX || task.isAbandoned || isClosed)
          throw new ThreadPoolError('unavailable', `no thread could be started: ${String(cause)}`, { cause })
        await pause(options.startRetryMs ?? START_RETRY_MS)
      }
    }
  }

  async function perform(thread: Thread<Job, Outcome>, task: Task<Job, Outcome>): Promise<Outcome> {
    let isLate = false
    const stop = () => void thread.stop()
    const watch = watchProcessorTime(thread, options.processorMsMax, () => {
      isLate = true
      stop()
    })
    task.stop = stop
    try {
      const outcome = await thread.run(task.job)
      // A thread that is being stopped does not take another job.
      if (options.isSpent(outcome) || isLate || task.isAbandoned) stop()
      else threads.putBack(thread)
      return outcome
    } catch (error) {
      stop()
      if (!(error instanceof ThreadFailedError)) throw error
      return isLate ? options.late() : options.crashed(error.failure)
    } finally {
      watch.end()
      task.stop = undefined
    }
  }

  function finish(task: Task<Job, Outcome>): void {
    active.delete(task)
    const left = (running.get(task.accountId) ?? 1) - 1
    if (left > 0) running.set(task.accountId, left)
    else running.delete(task.accountId)
    dispatch()
  }

  function add(task: Task<Job, Outcome>): void {
    queue.add(task.accountId, task)
    dispatch()
    if (active.has(task)) return
    task.timer = unreferenced(CONTENDED_AFTER_MS, () => {
      task.isOverdue = true
      dispatch()
    })
  }

  function abandon(task: Task<Job, Outcome>, reason: unknown): void {
    task.isAbandoned = true
    task.reject(reason)
    clearTimeout(task.timer)
    if (!queue.remove(task.accountId, task)) task.stop?.()
  }

  threads.onEnded(dispatch)
  return {
    size: threads.size,

    run(job, { accountId, signal }) {
      if (isClosed) return Promise.reject(new ThreadPoolError('closed', 'the thread pool is closed'))
      if (signal?.aborted === true) return Promise.reject(signal.reason)
      if (queue.count(accountId) >= options.queuedMax)
        return Promise.reject(new ThreadPoolError('full', `${options.queuedMax} jobs of the account wait for a thread`))
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      const task = { job, accountId, resolve, reject, isOverdue: false, isAbandoned: false, timer: undefined, stop: undefined }
      const abort = () => abandon(task, signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      add(task)
      return promise.finally(() => signal?.removeEventListener('abort', abort))
    },

    async close() {
      isClosed = true
      const error = new ThreadPoolError('closed', 'the thread pool was closed')
      for (let task = queue.take(); task !== undefined; task = queue.take()) abandon(task, error)
      for (const task of active) abandon(task, error)
      await threads.close()
    },
  }
}

interface ThreadShelf<Job, Outcome> {
  /** Whether there is an idle thread, or fewer than this many threads. */
  readonly isAvailable: (threadsMax: number) => boolean
  /** An idle thread, or a new one. */
  readonly take: () => Promise<Thread<Job, Outcome>>
  readonly putBack: (thread: Thread<Job, Outcome>) => void
  readonly size: () => number
  readonly onEnded: (listener: () => void) => void
  readonly close: () => Promise<void>
}

/** The threads that there are, and which of them are idle. */
function createThreadShelf<Job, Outcome>({ start, idleMs }: ThreadPoolOptions<Job, Outcome>): ThreadShelf<Job, Outcome> {
  const threads = new Set<Thread<Job, Outcome>>()
  /** Each with the timer that ends it; the last one put back is the first one taken. */
  const idle = new Map<Thread<Job, Outcome>, NodeJS.Timeout>()
  let listener = (): void => undefined
  const starting = new Set<Promise<Thread<Job, Outcome>>>()
  const closing = new AbortController()
  const size = () => threads.size + starting.size
  return {
    size,
    isAvailable: (threadsMax) => idle.size > 0 || size() < threadsMax,
    onEnded(given) {
      listener = given
    },

    async take() {
      const last = [...idle.keys()].at(-1)
      if (last !== undefined) {
        clearTimeout(idle.get(last))
        idle.delete(last)
        return last
      }
      const started = start(closing.signal)
      starting.add(started)
      try {
        const thread = await started
        threads.add(thread)
        void thread.ended.then(() => {
          threads.delete(thread)
          clearTimeout(idle.get(thread))
          idle.delete(thread)
          listener()
        })
        return thread
      } finally {
        starting.delete(started)
      }
    },

    putBack(thread) {
      if (closing.signal.aborted) return void thread.stop()
      if (!threads.has(thread)) return
      const end = () => {
        idle.delete(thread)
        void thread.stop()
      }
      idle.set(thread, unreferenced(idleMs, end))
    },

    async close() {
      closing.abort()
      for (const timer of idle.values()) clearTimeout(timer)
      // A start that was too far to be aborted still gives a thread.
      await Promise.allSettled([...starting].map(async (started) => (await started).stop()))
      await Promise.all([...threads].map((thread) => thread.stop()))
    },
  }
}

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  unreferenced(ms, resolve)
  return promise
}

function unreferenced(ms: number, action: () => void): NodeJS.Timeout {
  const timer = setTimeout(action, ms)
  timer.unref()
  return timer
}

/** Calls `late` once when the thread has used the given processor time from now on. */
function watchProcessorTime<Job, Outcome>(thread: Thread<Job, Outcome>, msMax: number, late: () => void): { end(): void } {
  const beganAtMs = performance.now()
  // Most jobs end before their thread is asked. The time until then counts whole.
  const unaskedMs = Math.min(UNASKED_MS, msMax)
  let isEnded = false
  let timer = unreferenced(unaskedMs, () => {
    const before = thread.processorMs().catch(() => 0)
    timer = unreferenced(msMax - unaskedMs, () => void check(before))
  })
  async function check(before: Promise<number>): Promise<void> {
    const usedMs = await Promise.race([usedSince(thread, before), pause(ANSWER_MS_MAX)])
    if (isEnded) return
    const leftMs = usedMs === undefined ? 0 : msMax - unaskedMs - usedMs
    if (leftMs <= 0 || performance.now() - beganAtMs > msMax * STRETCH_MAX) late()
    else timer = unreferenced(Math.max(leftMs, CHECK_MS_MIN), () => void check(before))
  }
  return {
    end() {
      isEnded = true
      clearTimeout(timer)
    },
  }
}

/** Undefined when the thread does not say. */
async function usedSince<Job, Outcome>(thread: Thread<Job, Outcome>, before: Promise<number>): Promise<number | undefined> {
  try {
    return (await thread.processorMs()) - (await before)
  } catch {
    return undefined
  }
}
