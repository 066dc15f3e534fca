import type { Turn } from '#core/work.ts'
import { createFairQueue } from '#threads/fair-queue.ts'

export interface TurnsOptions {
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number
  /** How long one walk has the thread at a stretch. */
  readonly turnMs?: number
  /** How long walks have it between two looks of the event loop at everything else. */
  readonly loopMs?: number
  /** How long one expression or schema may take before it is computed elsewhere. */
  readonly interruptMs?: number
}

export interface Turns {
  readonly turn: Turn
  schedule(accountId: string, work: () => void): void
}

/** Steps between two looks at the clock: some tenths of a millisecond. */
const FUEL = 1_000

/**
 * Shares the thread that serves requests among the walks of executions. A walk begins at once while the event loop has spent little time on walks since it
 * last looked at its sockets; otherwise it waits, and accounts take turns.
 */
export function createTurns({ elapsed, turnMs = 2, loopMs = 3, interruptMs = 3 }: TurnsOptions): Turns {
  const waiting = createFairQueue<() => void>()
  let loopEndsAt = 0
  let turnEndsAt = 0
  let isLooping = false

  function mayBegin(): boolean {
    const now = elapsed()
    if (!isLooping) {
      isLooping = true
      loopEndsAt = now + loopMs
      setImmediate(nextLoop)
    } else if (now >= loopEndsAt) return false
    turnEndsAt = now + turnMs
    turn.fuel = FUEL
    return true
  }

  function nextLoop(): void {
    isLooping = false
    while (waiting.keyCount() > 0 && mayBegin()) waiting.take()?.()
  }

  const turn: Turn = {
    fuel: FUEL,
    interruptMs,
    elapsed,
    mayBegin,
    isOver() {
      turn.fuel = FUEL
      return elapsed() >= turnEndsAt
    },
  }

  return {
    turn,
    schedule(accountId, work) {
      waiting.add(accountId, work)
      if (isLooping) return
      isLooping = true
      loopEndsAt = elapsed() + loopMs
      setImmediate(nextLoop)
    },
  }
}
