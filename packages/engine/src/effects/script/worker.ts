import { Worker } from 'node:worker_threads'
import type { ScriptOutcome, ScriptRun, WorkerMessage, WorkerSetup } from './messages.ts'

const START_MS_MAX = 30_000
/** Calls of WebAssembly take the worker's own stack too: QuickJS has to come to its limit before the worker comes to this one. */
const STACK_MB = 32
const HEAP_MB = 128

/** A thread that runs one script at a time. */
export interface ScriptWorker {
  /** @returns how it ended; `crashed` when the thread has, or was stopped. */
  readonly run: (run: ScriptRun) => Promise<ScriptOutcome>
  /** Stops the thread wherever it is. */
  readonly stop: () => Promise<void>
  /** Resolves when the thread is no more, for whatever reason. */
  readonly ended: Promise<void>
}

/** Starts a thread that has no environment, no arguments and no options of this process, and does not keep it alive. */
export function startWorker(setup: WorkerSetup): Promise<ScriptWorker> {
  const thread = new Worker(workerFile(), {
    workerData: setup,
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: STACK_MB },
  })
  const { promise, resolve, reject } = Promise.withResolvers<ScriptWorker>()
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()
  let isEnded = false
  let answer: ((outcome: ScriptOutcome) => void) | undefined
  const settle = (outcome: ScriptOutcome) => {
    answer?.(outcome)
    answer = undefined
  }
  const stop = async () => {
    await thread.terminate()
  }
  const run = (script: ScriptRun) => {
    if (isEnded) return Promise.resolve<ScriptOutcome>({ kind: 'crashed', reason: 'it has ended' })
    const { promise: outcome, resolve: resolveOutcome } = Promise.withResolvers<ScriptOutcome>()
    answer = resolveOutcome
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread's port has no origin.
    thread.postMessage(script)
    return outcome
  }
  const end = (reason: string) => {
    settle({ kind: 'crashed', reason })
    reject(new Error(`a thread for scripts did not start: ${reason}`))
  }
  const tooLate = setTimeout(() => void stop(), START_MS_MAX)
  tooLate.unref()
  thread.on('message', (message: WorkerMessage) => {
    if (message.kind !== 'ready') return settle(message)
    clearTimeout(tooLate)
    resolve({ run, stop, ended })
  })
  thread.on('error', (error) => end(String(error)))
  thread.on('exit', () => {
    isEnded = true
    clearTimeout(tooLate)
    end('it has ended')
    resolveEnded()
  })
  // Listening to a thread makes the process wait for it again, so this comes last.
  thread.unref()
  return promise
}

/** The file of the thread beside this one, in TypeScript or as it was built. */
function workerFile(): URL {
  const source = new URL('./worker-main.ts', import.meta.url)
  return import.meta.url.endsWith('.ts') ? source : new URL(source.href.replace(/\.ts$/, '.js'))
}
