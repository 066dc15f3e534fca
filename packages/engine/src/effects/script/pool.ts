import { createFairQueue } from './fair-queue.ts'
import { defaultScriptLimits, type ScriptLimits } from './limits.ts'
import type { ScriptOutcome, ScriptRun } from './messages.ts'
import { compileQuickjs } from './quickjs.ts'
import { type ScriptWorker, startWorker } from './worker.ts'

/** A script that is out of time is stopped by its sandbox; what the sandbox cannot stop ends with its thread, this much later. */
const GRACE_MS = 500

export interface ScriptPoolOptions {
  /** How many scripts run at a time, each in a thread. Default 2. */
  readonly workersMax?: number
  /** After how long without work a thread is ended. Default 10 seconds. */
  readonly idleMs?: number
  /** How many scripts of one account may wait for a thread. Default 1,000. */
  readonly queuedMax?: number
  readonly limits?: Partial<ScriptLimits>
}

export interface ScriptPool {
  readonly limits: ScriptLimits
  /**
   * Runs a script when its turn comes; accounts take turns.
   * Rejects with the signal's reason when it is aborted, with ScriptPoolError when the script cannot be taken.
   */
  readonly run: (run: ScriptRun, options: { readonly accountId: string; readonly signal: AbortSignal }) => Promise<ScriptOutcome>
  /** How many threads there are. */
  readonly size: () => number
  /** Ends all threads; what runs or waits is refused. */
  readonly close: () => Promise<void>
}

/** Why a script was not run. */
export class ScriptPoolError extends Error {
  override readonly name = 'ScriptPoolError'
}

interface Job {
  readonly run: ScriptRun
  readonly accountId: string
  readonly resolve: (outcome: ScriptOutcome) => void
  readonly reject: (error: unknown) => void
  /** Set while a thread runs it: ends that thread. */
  stop: (() => void) | undefined
  /** Nobody waits for it any more. */
  isGivenUp: boolean
}

interface IdleWorker {
  readonly worker: ScriptWorker
  readonly timer: NodeJS.Timeout
}

/** Threads for scripts. There are none until a script comes, and none a while after the last; they never keep the process alive. */
export function createScriptPool(options: ScriptPoolOptions = {}): ScriptPool {
  const { workersMax = 2, idleMs = 10_000, queuedMax = 1_000 } = options
  const limits = { ...defaultScriptLimits, ...options.limits }
  const queue = createFairQueue<Job>()
  const idle: IdleWorker[] = []
  const active = new Set<Job>()
  const workers = new Set<ScriptWorker>()
  let starting = 0
  let isClosed = false
  let wasm: Promise<WebAssembly.Module> | undefined

  async function start(): Promise<ScriptWorker> {
    starting += 1
    try {
      wasm ??= compileQuickjs()
      const worker = await startWorker({ wasm: await wasm, limits })
      workers.add(worker)
      void worker.ended.then(() => forget(worker))
      return worker
    } finally {
      starting -= 1
    }
  }

  function dispatch(): void {
    while (idle.length > 0 || workers.size + starting < workersMax) {
      const job = queue.take()
      if (job === undefined) return
      active.add(job)
      void serve(job)
    }
  }

  async function serve(job: Job): Promise<void> {
    try {
      const worker = takeIdle() ?? (await start())
      if (job.isGivenUp || isClosed) release(worker)
      else job.resolve(await runOn(worker, job))
    } catch (error) {
      job.reject(error)
    } finally {
      active.delete(job)
      dispatch()
    }
  }

  async function runOn(worker: ScriptWorker, job: Job): Promise<ScriptOutcome> {
    let isLate = false
    const stop = () => void worker.stop()
    const timer = setTimeout(() => {
      isLate = true
      stop()
    }, limits.timeoutMs + GRACE_MS)
    timer.unref()
    job.stop = stop
    const outcome = await worker.run(job.run)
    clearTimeout(timer)
    job.stop = undefined
    // A thread that was full, or whose sandbox broke, is not used again.
    if (outcome.kind === 'crashed' || (outcome.kind === 'limit' && outcome.limit !== 'output')) stop()
    else release(worker)
    return isLate && outcome.kind === 'crashed' ? { kind: 'limit', limit: 'time' } : outcome
  }

  function takeIdle(): ScriptWorker | undefined {
    const last = idle.pop()
    clearTimeout(last?.timer)
    return last?.worker
  }

  function release(worker: ScriptWorker): void {
    if (!workers.has(worker)) return
    if (isClosed) return void worker.stop()
    const timer = setTimeout(() => {
      removeIdle(worker)
      void worker.stop()
    }, idleMs)
    timer.unref()
    idle.push({ worker, timer })
  }

  function removeIdle(worker: ScriptWorker): void {
    const index = idle.findIndex((one) => one.worker === worker)
    if (index !== -1) clearTimeout(idle.splice(index, 1)[0]?.timer)
  }

  function forget(worker: ScriptWorker): void {
    workers.delete(worker)
    removeIdle(worker)
    dispatch()
  }

  return {
    limits,
    size: () => workers.size + starting,

    run(run, { accountId, signal }) {
      if (isClosed) return Promise.reject(new ScriptPoolError('scripts are not run any more: the process is being shut down'))
      if (signal.aborted) return Promise.reject(signal.reason)
      if (queue.count(accountId) >= queuedMax) return Promise.reject(new ScriptPoolError(`more than ${queuedMax} scripts wait to be run`))
      const { promise, resolve, reject } = Promise.withResolvers<ScriptOutcome>()
      const job: Job = { run, accountId, resolve, reject, stop: undefined, isGivenUp: false }
      const abort = () => {
        job.isGivenUp = true
        reject(signal.reason)
        if (!queue.remove(accountId, job)) job.stop?.()
      }
      signal.addEventListener('abort', abort, { once: true })
      queue.add(accountId, job)
      dispatch()
      return promise.finally(() => signal.removeEventListener('abort', abort))
    },

    async close() {
      isClosed = true
      const error = new ScriptPoolError('the script was stopped: the process is being shut down')
      for (let job = queue.take(); job !== undefined; job = queue.take()) job.reject(error)
      for (const job of active) {
        job.isGivenUp = true
        job.reject(error)
      }
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      await Promise.all([...workers].map((worker) => worker.stop()))
    },
  }
}
