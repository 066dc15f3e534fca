import { createFairQueue } from '@millrace/engine'
import type { StreamTurn, StreamTurns } from '#platform/http/index.ts'

/** How long a stream works before everything else in the process gets a turn. */
const turnMs = 5

/**
 * Lets streams work in short turns, one stream in each round of the event loop. Accounts with work to do alternate, so that an account with
 * many streams slows down only its own.
 * @param elapsed milliseconds of a monotonic clock.
 */
export function createStreamTurns(elapsed: () => number): StreamTurns {
  const waiting = createFairQueue<() => void>()
  /** The stream whose turn it is. */
  let current: StreamTurn | undefined
  let began = 0

  function begin(turn: StreamTurn): void {
    current = turn
    began = elapsed()
    setImmediate(() => {
      current = undefined
      waiting.take()?.()
    })
  }

  return {
    of(accountId) {
      const turn: StreamTurn = {
        next() {
          if (current === undefined) begin(turn)
          if (current === turn && elapsed() - began < turnMs) return Promise.resolve()
          const { promise, resolve } = Promise.withResolvers<void>()
          waiting.add(accountId, () => {
            begin(turn)
            resolve()
          })
          return promise
        },
      }
      return turn
    },
  }
}
