import { createThreadPool, type ThreadPool } from '#threads/thread-pool.ts'
import { startThread } from '#threads/thread.ts'
import { defaultScriptLimits, type ScriptLimits } from './limits.ts'
import type { ScriptOutcome, ScriptRun, WorkerSetup } from './messages.ts'
import { compileQuickjs } from './quickjs.ts'

/** A script that is out of time is stopped by its sandbox; what the sandbox cannot stop ends with its thread, this much later. */
const GRACE_MS = 500
/** Calls of WebAssembly take the thread's own stack too: QuickJS has to reach its limit before the thread reaches this one. */
const STACK_MB = 32
const HEAP_MB = 128

export interface ScriptPoolOptions {
  /** How many scripts run at a time, each in a thread. Default 2. */
  readonly workersMax?: number
  /** How many scripts may run so that accounts need not wait for the scripts of others. Default 8, and at least `workersMax`. */
  readonly workersMaxContended?: number
  /** After how long without work a thread is ended. Default 10 seconds. */
  readonly idleMs?: number
  /** How many scripts of one account may wait for a thread. Default 1,000. */
  readonly queuedMax?: number
  readonly limits?: Partial<ScriptLimits>
}

export interface ScriptPool extends ThreadPool<ScriptRun, ScriptOutcome> {
  readonly limits: ScriptLimits
}

/** Threads for scripts, which accounts share fairly. */
export function createScriptPool(options: ScriptPoolOptions = {}): ScriptPool {
  const { workersMax = 2, workersMaxContended = 8, idleMs = 10_000, queuedMax = 1_000 } = options
  const limits = { ...defaultScriptLimits, ...options.limits }
  let wasm: Promise<WebAssembly.Module> | undefined

  const pool = createThreadPool<ScriptRun, ScriptOutcome>({
    start: async (signal) => {
      wasm ??= compileQuickjs()
      return startScriptThread({ wasm: await wasm, limits }, signal)
    },
    threadsMax: workersMax,
    threadsMaxContended: Math.max(workersMax, workersMaxContended),
    idleMs,
    queuedMax,
    processorMsMax: limits.timeoutMs + GRACE_MS,
    late: () => ({ kind: 'limit', limit: 'time' }),
    crashed: ({ kind, reason }) => (kind === 'memory' ? { kind: 'limit', limit: 'memory' } : { kind: 'crashed', reason }),
    // A thread that was full, or whose sandbox broke, is not used again.
    isSpent: (outcome) => outcome.kind === 'crashed' || (outcome.kind === 'limit' && outcome.limit !== 'output'),
  })
  return { ...pool, limits }
}

function startScriptThread(setup: WorkerSetup, signal: AbortSignal) {
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: STACK_MB }
  return startThread<ScriptRun, ScriptOutcome>(new URL('./worker-main.ts', import.meta.url), setup, resourceLimits, signal)
}
