import nodeModule from 'node:module'
import { dirname } from 'node:path'
import { type ResourceLimits, Worker } from 'node:worker_threads'

const START_MS_MAX = 30_000

/** Why a thread has no outcome for a job. */
export interface ThreadFailure {
  /** `memory`: the heap of the thread was full. `crashed`: anything else, a stop included. */
  readonly kind: 'memory' | 'crashed'
  readonly reason: string
}

/** A thread that performs one job at a time. */
export interface Thread<Job, Outcome> {
  /** Rejects with ThreadFailedError when the thread ends before the job. */
  readonly run: (job: Job) => Promise<Outcome>
  /** Stops the thread wherever it is. */
  readonly stop: () => Promise<void>
  /** Milliseconds of processor time that the thread has used. Rejects when it has ended. */
  readonly processorMs: () => Promise<number>
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<void>
}

/** The messages of a thread: `ready` first, then one for each job. */
export type ThreadMessage<Outcome> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'crashed'; readonly reason: string }

export class ThreadFailedError extends Error {
  override readonly name = 'ThreadFailedError'
  readonly failure: ThreadFailure

  constructor(failure: ThreadFailure) {
    super(failure.reason)
    this.failure = failure
  }
}

/**
 * Starts a thread whose file calls `performJobs`.
 *
 * The thread has no arguments and no options of this process, and does not keep it alive. Of the environment it has the place of the compile cache, with which
 * it starts in less than half the time.
 * `file` is the TypeScript file; where the code was built, the JavaScript file beside it is taken.
 * The signal ends a thread that is not ready yet; one that is ready is ended by its `stop`.
 */
export function startThread<Job, Outcome>(
  file: URL,
  workerData: unknown,
  resourceLimits: ResourceLimits,
  signal?: AbortSignal,
): Promise<Thread<Job, Outcome>> {
  if (signal?.aborted === true) return Promise.reject(signal.reason)
  const worker = new Worker(builtFile(file), { workerData, env: compileCache(), argv: [], execArgv: [], resourceLimits })
  const { promise, resolve, reject } = Promise.withResolvers<Thread<Job, Outcome>>()
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()
  let failure: ThreadFailure | undefined
  let current: PromiseWithResolvers<Outcome> | undefined
  const stop = async () => {
    await worker.terminate()
  }
  const processorMs = async () => {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  }
  const run = (job: Job) => {
    if (failure !== undefined) return Promise.reject(new ThreadFailedError(failure))
    current = Promise.withResolvers<Outcome>()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread's port has no origin.
    worker.postMessage(job)
    return current.promise
  }
  const fail = (found: ThreadFailure) => {
    failure ??= found
    current?.reject(new ThreadFailedError(failure))
    reject(new Error(`a thread did not start: ${failure.reason}`))
  }
  const tooLate = setTimeout(() => void stop(), START_MS_MAX)
  tooLate.unref()
  const abort = () => void stop()
  signal?.addEventListener('abort', abort, { once: true })
  worker.on('message', (message: ThreadMessage<Outcome>) => {
    clearTimeout(tooLate)
    signal?.removeEventListener('abort', abort)
    if (message.kind === 'ready') resolve({ run, stop, processorMs, ended })
    else if (message.kind === 'outcome') current?.resolve(message.outcome)
    else current?.reject(new ThreadFailedError({ kind: 'crashed', reason: message.reason }))
  })
  // A message that cannot be deserialized is an error of the job. The state of the thread is unknown, so it is stopped.
  worker.on('messageerror', (error) => {
    fail({ kind: 'crashed', reason: String(error) })
    void stop()
  })
  worker.on('error', (error) => fail(failureOf(error)))
  worker.on('exit', () => {
    clearTimeout(tooLate)
    signal?.removeEventListener('abort', abort)
    fail({ kind: 'crashed', reason: 'the thread has ended' })
    resolveEnded()
  })
  // Listening to a worker makes the process wait for it again, so this comes last.
  worker.unref()
  return promise
}

function failureOf(error: unknown): ThreadFailure {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return { kind: isMemory ? 'memory' : 'crashed', reason: String(error) }
}

function compileCache(): NodeJS.ProcessEnv {
  const directory = nodeModule.getCompileCacheDir?.()
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
}

function builtFile(file: URL): URL {
  return import.meta.url.endsWith('.ts') ? file : new URL(file.href.replace(/\.ts$/, '.js'))
}
