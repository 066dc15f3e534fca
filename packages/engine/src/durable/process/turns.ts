import type { Turn } from '#core/work.ts'
import { createFairQueue } from '#threads/fair-queue.ts'

export interface TurnsOptions {
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  /** How long one walk may use the thread without interruption. */
  readonly turnMs?: number
  /** How long all walks together may use the thread in one iteration of the event loop. */
  readonly loopMs?: number
  /** How long one expression or schema may take before it is moved to another thread. */
  readonly interruptMs?: number
}

export interface Turns {
  readonly turn: Turn
  schedule(accountId: string, work: () => void): void
}

/** Steps between two reads of the clock: some tenths of a millisecond. */
const FUEL = 1_000

/**
 * Shares the thread that serves requests among the walks of executions. A walk begins at once while walks have used less than `loopMs` of the
 * current iteration of the event loop; otherwise it waits for a later iteration, where accounts take turns.
 */
export function createTurns({ elapsed, turnMs = 2, loopMs = 3, interruptMs = 3 }: TurnsOptions): Turns {
  const waiting = createFairQueue<() => void>()
  let loopEndsAt = 0
  let turnEndsAt = 0
  let isLooping = false

  function tryBegin(): boolean {
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
    while (waiting.keyCount() > 0 && tryBegin()) waiting.take()?.()
  }

  const turn: Turn = {
    fuel: FUEL,
    interruptMs,
    elapsed,
    tryBegin,
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
