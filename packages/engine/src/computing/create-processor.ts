import { availableParallelism } from 'node:os'
import type { Computation, ComputationOutcome } from '#core/computation.ts'
import { standardError } from '#core/error.ts'
import type { ComputationEnd, Processor } from '#durable/processor.ts'
import { createTurns } from '#durable/turns.ts'
import { createThreadPool } from '#threads/thread-pool.ts'
import { startThread } from '#threads/thread.ts'

/** Far beyond what the steps of one computation take: it only ends what no count of steps has stopped. */
const DEADLINE_MS = 30_000
const HEAP_MB = 512
const STACK_MB = 16
const IDLE_MS = 30_000

export interface OpenProcessor extends Processor {
  /** Threads that there are. */
  threads(): number
  close(): Promise<void>
}

/** The processor of a process that serves requests: walks take turns, and threads of a lower priority do what takes long. */
export function createProcessor(elapsed: () => number = () => performance.now()): OpenProcessor {
  const turns = createTurns({ elapsed })
  const threadsMax = Math.max(2, availableParallelism() - 1)
  const pool = createThreadPool<Computation, ComputationEnd>({
    start: () =>
      startThread<Computation, ComputationOutcome>(new URL('./thread-main.ts', import.meta.url), undefined, {
        maxOldGenerationSizeMb: HEAP_MB,
        stackSizeMb: STACK_MB,
      }),
    threadsMax,
    threadsMaxContended: threadsMax + 6,
    idleMs: IDLE_MS,
    // As many as there are executions and requests, which have bounds of their own.
    queuedMax: Number.POSITIVE_INFINITY,
    deadlineMs: DEADLINE_MS,
    late: () => ranOut(`took longer than ${DEADLINE_MS / 1000} seconds`),
    crashed: ({ kind, reason }) => ranOut(kind === 'memory' ? `needed more than ${HEAP_MB} MiB of memory` : `ended its thread: ${reason}`),
    isSpent: () => false,
  })
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
      if (turns.turn.mayBegin()) act()
      else turns.schedule(accountId, act)
      return promise
    },
    compute: (accountId, computation, signal) => pool.run(computation, signal === undefined ? { accountId } : { accountId, signal }),
    threads: () => pool.size(),
    close: () => pool.close(),
  }
}

function ranOut(what: string): ComputationEnd {
  const { data } = standardError('expression', `An expression or a schema ${what}`)
  return { ok: false, error: data, steps: 0, isJournalled: true }
}
