import { availableParallelism } from 'node:os'
import type { Computation } from '#core/computation.ts'
import { standardError } from '#core/error.ts'
import { isCopyLarger } from '#core/payload.ts'
import { type ComputationEnd, type Processor, RanOutError } from '#durable/ports/processor.ts'
import { createTurns } from '#durable/process/turns.ts'
import { createThreadPool, ThreadPoolError } from '#threads/thread-pool.ts'
import { startThread } from '#threads/thread.ts'
import type { ThreadJob, ThreadResults } from './thread-job.ts'

/** Far longer than the steps of one computation take: it only ends a computation that its step budget did not stop. */
const PROCESSOR_MS_MAX = 30_000
const HEAP_MB = 512
const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB, stackSizeMb: 16 }
const IDLE_MS = 30_000
/** The size of the values that an evaluation may copy to another thread. Copying them blocks this thread for some tens of milliseconds. */
const READ_MAX = 600_000

export interface OpenProcessor extends Processor {
  /** The number of threads. */
  threads(): number
  close(): Promise<void>
}

/** The processor of a process that serves requests: walks take turns, and threads of a lower priority do long computations. */
export function createProcessor(elapsed: () => number = () => performance.now()): OpenProcessor {
  const turns = createTurns({ elapsed })
  const threadsMax = Math.max(2, availableParallelism() - 1)
  const pool = createThreadPool<ThreadJob, Done | RanOut>({
    start: (signal) => startThread<ThreadJob, Done>(new URL('./thread-main.ts', import.meta.url), undefined, resourceLimits, signal),
    threadsMax,
    threadsMaxContended: threadsMax + 6,
    idleMs: IDLE_MS,
    // As many as there are executions and requests, which have bounds of their own.
    queuedMax: Number.POSITIVE_INFINITY,
    processorMsMax: PROCESSOR_MS_MAX,
    late: () => ({ ranOut: `took more than ${PROCESSOR_MS_MAX / 1000} seconds of processor time` }),
    crashed: ({ kind, reason }) => ({
      ranOut: kind === 'memory' ? `needed more than ${HEAP_MB} MiB of memory` : `ended its thread: ${reason}`,
    }),
    isSpent: () => false,
  })
  const end = (accountId: string, job: ThreadJob, signal?: AbortSignal) =>
    pool.run(job, signal === undefined ? { accountId } : { accountId, signal })
  return {
    turn: turns.turn,
    schedule: turns.schedule,
    inTurn(accountId, work, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof work>>()
      const act = () => {
        try {
          signal?.throwIfAborted()
          resolve(work())
        } catch (error) {
          reject(error)
        }
      }
      if (turns.turn.tryBegin()) act()
      else turns.schedule(accountId, act)
      return promise
    },
    async compute(accountId, computation, signal) {
      if (readsTooMuch(computation)) return ranOut(`reads more than ${READ_MAX} values; members of objects and long texts count more`)
      try {
        const ended = await end(accountId, computation, signal)
        if ('ranOut' in ended) return ranOut(ended.ranOut)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A thread answers a computation with its outcome.
        return ended.result as ComputationEnd
      } catch (error) {
        if (error instanceof ThreadPoolError && error.kind === 'unavailable') return ranOut(`needs a thread, and ${error.message}`)
        throw error
      }
    },
    async perform<J extends ThreadJob>(accountId: string, job: J, signal?: AbortSignal) {
      const ended = await end(accountId, job, signal)
      if ('ranOut' in ended) throw new RanOutError(ended.ranOut)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A thread returns the result of `performJob` for the job.
      return ended.result as ThreadResults[J['kind']]
    },
    threads: () => pool.size(),
    close: () => pool.close(),
  }
}

/** A thread whose heap is full while it receives its job ends the process, and copying so much takes long here. */
function readsTooMuch(computation: Computation): boolean {
  const read = computation.kind === 'schema' ? computation.value : [computation.dot, ...computation.variables.map(([, value]) => value)]
  return isCopyLarger(read, READ_MAX)
}

interface Done {
  readonly result: unknown
}

interface RanOut {
  readonly ranOut: string
}

function ranOut(what: string): ComputationEnd {
  const { data } = standardError('expression', `An expression or a schema ${what}`)
  return { ok: false, error: data, steps: 0, isJournalled: true }
}
